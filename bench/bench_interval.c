/*
 * Measures how often intervals hold the true share, on data sets of two known densities. Scores are those of
 * a perfect classifier, and the true share is alpha*, the largest share that the densities allow. Prints a
 * table in Markdown.
 *
 *   bench_interval [DATA_SETS_PER_ROW]
 */
#include "bench.h"

#include "parallel.h"

#include <dedpul.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LABELED = 1000, UNLABELED = 5000, ROWS = LABELED + UNLABELED };

/* Positives have location 0 and scale 1. */
struct mixture_of_two {
    const char *name;
    bool is_laplace;
    double location, scale; /* of negatives */
};

static const struct mixture_of_two mixtures[] = {
    {"Laplace, negatives 2 away", true, 2, 1},
    {"Laplace, negatives twice as wide", true, 0, 2},
    {"Gaussian, negatives 2 away", false, 2, 1},
    {"Gaussian, negatives twice as wide", false, 0, 2},
};
static const double alphas[] = {0.1, 0.5, 0.9};

enum { N_MIXTURES = sizeof mixtures / sizeof mixtures[0], N_ALPHAS = sizeof alphas / sizeof alphas[0] };

static double density(const struct mixture_of_two *mixture, double x)
{
    return mixture->is_laplace ? exp(-fabs(x)) / 2 : exp(-x * x / 2) * 0.3989422804014327;
}

static double density_ratio_at(const struct mixture_of_two *mixture, double alpha, double x)
{
    const double f_p = density(mixture, x);
    const double f_n = density(mixture, (x - mixture->location) / mixture->scale) / mixture->scale;
    return f_p / (alpha * f_p + (1 - alpha) * f_n);
}

static double draw(const struct mixture_of_two *mixture, struct rng *rng)
{
    if (!mixture->is_laplace)
        return rng_normal(rng);
    const double u = rng_uniform(rng) - 0.5;
    return -copysign(log(1 - 2 * fabs(u)), u);
}

/* The largest share that the densities allow: the least of f_u / f_p. */
static double alpha_star(const struct mixture_of_two *mixture, double alpha)
{
    double highest = 0;
    for (int i = -4000; i <= 4000; i++)
        highest = fmax(highest, density_ratio_at(mixture, alpha, i * 0.005));
    return 1 / highest;
}

struct outcome {
    double alpha;
    dedpul_interval interval;
};

struct row {
    const struct mixture_of_two *mixture;
    double alpha;
    struct outcome *outcome; /* by data set */
};

static dedpul_status estimate(struct context *context, void *argument, size_t index)
{
    const struct row *row = argument;
    const struct mixture_of_two *mixture = row->mixture;
    double score[ROWS];
    unsigned char label[ROWS];
    struct rng rng;
    dedpul_options options;
    rng_init(&rng, 7, index);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i < LABELED;
        const bool positive = (double)i < LABELED + row->alpha * UNLABELED;
        const double x = draw(mixture, &rng);
        const double ratio =
            density_ratio_at(mixture, row->alpha, positive ? x : mixture->location + mixture->scale * x);
        score[i] = ratio / (1 + ratio) * (1 - 1e-9 * rng_uniform(&rng)); /* avoids ties */
    }
    dedpul_options_init(&options);
    options.resamples = 200;
    options.seed = index;
    options.threads = 1;
    const dedpul_sample rows = {ROWS, score, NULL};
    dedpul_result *result;
    TRY(dedpul_estimate(&rows, label, &options, &result, context->error));
    row->outcome[index] = (struct outcome){result->alpha, *result->interval};
    dedpul_result_free(result);
    return DEDPUL_OK;
}

static void print_row(const struct row *row, size_t n)
{
    const double target = alpha_star(row->mixture, row->alpha);
    double error = 0, width = 0, held = 0, corrected = 0, bounded = 0;
    for (size_t i = 0; i < n; i++) {
        const dedpul_interval *interval = &row->outcome[i].interval;
        error += (row->outcome[i].alpha - target) / (double)n;
        width += (interval->percentile_high - interval->percentile_low) / (double)n;
        held += interval->percentile_low <= target && target <= interval->percentile_high;
        corrected += interval->low <= target && target <= interval->high;
        bounded += target <= interval->upper_bound;
    }
    printf("| %s | %g | %.3f | %+.3f | %.3f | %.0f%% | %.0f%% | %.0f%% |\n", row->mixture->name, row->alpha,
           target, error, width, 100 * held / (double)n, 100 * corrected / (double)n,
           100 * bounded / (double)n);
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    struct outcome *outcome = checked(malloc(n * sizeof *outcome));
    struct arena arena;
    dedpul_error error;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    context.threads = threads_or_default(0);
    (void)puts("| positives and negatives | alpha | alpha\\* | bias | width | held | corrected | bound |\n"
               "|---|---|---|---|---|---|---|---|");
    for (size_t m = 0; m < N_MIXTURES; m++)
        for (size_t a = 0; a < N_ALPHAS; a++) {
            struct row row = {&mixtures[m], alphas[a], outcome};
            check(parallel_for(&context, n, estimate, &row), &error);
            print_row(&row, n);
        }
    arena_free(&arena);
    free(outcome);
    return 0;
}
