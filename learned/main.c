/*
 * Makes the weights of the learned estimator: simulates problems, trains the network on them, and checks it
 * on other ones.
 *
 *   learn FILE [THREADS]
 */
#include "float_exp.h"
#include "parallel.h"
#include "training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEED_OF_TRAINING = 1, SEED_OF_CHECK, SEED_OF_NETWORK };
enum { POPULATIONS_OF_CHECK = 2000 };

struct lessons {
    uint64_t seed;
    struct lesson *lesson;
};

static dedpul_status simulate_one(struct context *context, void *argument, size_t index)
{
    const struct lessons *lessons = argument;
    return simulate(context, lessons->seed, index, lessons->lesson + index * LESSONS_PER_POPULATION);
}

static dedpul_status simulate_all(struct context *context, uint64_t seed, size_t populations,
                                  struct lesson **lesson)
{
    *lesson = context_allocate(context, populations * LESSONS_PER_POPULATION, sizeof **lesson);
    if (*lesson == NULL)
        return DEDPUL_NO_MEMORY;
    struct lessons lessons = {seed, *lesson};
    return parallel_for(context, populations, simulate_one, &lessons);
}

/* Prints how good the median and the 95% intervals are. */
static void print_check(size_t n, const struct lesson *lesson, const float weight[NETS_SIZE])
{
    double error = 0, bias = 0, held = 0, width = 0;
    for (size_t i = 0; i < n; i++) {
        float quantile[N_QUANTILES];
        quantile_nets_run(weight, lesson[i].input, quantile);
        const double off = (double)(float_sigmoid(quantile[MEDIAN]) - float_sigmoid(lesson[i].target));
        error += fabs(off) / (double)n;
        bias += off / (double)n;
        held += quantile[0] <= lesson[i].target && lesson[i].target <= quantile[N_QUANTILES - 1];
        width += (double)(float_sigmoid(quantile[N_QUANTILES - 1]) - float_sigmoid(quantile[0])) / (double)n;
    }
    printf("%zu other problems: loss %.6f, mean |error| of alpha* %.4f, bias %+.4f; 95%% intervals hold in "
           "%.1f%%, "
           "mean width %.3f\n",
           n, mean_loss(n, lesson, weight), error, bias, 100 * held / (double)n, width);
}

static dedpul_status make_weights(struct context *context, float weight[NETS_SIZE])
{
    struct lesson *lesson, *other;
    printf("simulating %d problems\n", POPULATIONS * LESSONS_PER_POPULATION);
    (void)fflush(stdout);
    TRY(simulate_all(context, SEED_OF_TRAINING, POPULATIONS, &lesson));
    TRY(train(context, SEED_OF_NETWORK, STEPS, (size_t)POPULATIONS * LESSONS_PER_POPULATION, lesson, weight));
    TRY(simulate_all(context, SEED_OF_CHECK, POPULATIONS_OF_CHECK, &other));
    print_check((size_t)POPULATIONS_OF_CHECK * LESSONS_PER_POPULATION, other, weight);
    return DEDPUL_OK;
}

int main(int argc, char **argv)
{
    static float weight[NETS_SIZE];
    dedpul_error error = {DEDPUL_OK, ""};
    struct arena arena;
    if (argc < 2) {
        (void)fputs("usage: learn FILE [THREADS]\n", stderr);
        return 2;
    }
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    context.threads = threads_or_default(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0);
    const dedpul_status status = make_weights(&context, weight);
    arena_free(&arena);
    FILE *file = status == DEDPUL_OK ? fopen(argv[1], "wb") : NULL;
    const bool is_written = file != NULL && fwrite(weight, sizeof *weight, NETS_SIZE, file) == NETS_SIZE;
    if (file != NULL && (fclose(file) != 0 || !is_written))
        file = NULL;
    if (file == NULL)
        (void)fprintf(stderr, "%s\n",
                      status != DEDPUL_OK ? error.message : "the weights could not be written");
    return file != NULL ? 0 : 1;
}
