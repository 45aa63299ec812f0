#include "simulate.h"

#include "interpolate.h"
#include "logistic.h"
#include "normal.h"
#include "population.h"
#include "sort.h"

#include <math.h>

/* ---- scores of a population ---- */

/* The population in the order of its scores, from the highest down. */
struct ordered {
    double alpha;
    double n_p;                                    /* about this many labeled rows are drawn from it */
    double above_p[ATOMS + 1], above_u[ATOMS + 1]; /* masses above the k-th atom; the last is all */
    double claim[ATOMS + 1];                       /* what the score of the k-th atom says */
    bool is_mistaken;                              /* the scores err, as choices.h says */
    size_t n_levels;                               /* of the scores; 0: no two are equal */
};

/* A smooth random function: three waves along random directions. */
static void add_waves(struct rng *rng, const struct population *population, double size, double *score)
{
    const size_t d = population->dimensions;
    for (size_t wave = 0; wave < 3; wave++) {
        double direction[MOST_DIMENSIONS];
        const double phase = draw_uniform(rng, 0, 6.283185307179586);
        for (size_t j = 0; j < d; j++) {
            direction[j] = draw_normal(rng);
            direction[j] *= exp(draw_uniform(rng, -1.5, 1)) / sqrt((double)d);
        }
        for (size_t i = 0; i < ATOMS; i++) {
            double at = phase;
            for (size_t j = 0; j < d; j++)
                at += direction[j] * population->x[i][j];
            score[i] += size * sin(at);
        }
    }
}

/* Each row errs by itself. */
static void add_noise(struct rng *rng, double size, double *score)
{
    for (size_t i = 0; i < ATOMS; i++)
        score[i] += size * draw_normal(rng);
}

/* Errors are smaller by this factor with more labeled rows. */
static double shrinking_factor(double n_p)
{
    return fmin(pow(n_p / 1000, shrinking), largest_shrinking);
}

static void add_errors(struct rng *rng, const struct population *population, const struct ordered *ordered,
                       double *score)
{
    const bool is_line = population->dimensions == 1;
    const double factor = shrinking_factor(ordered->n_p);
    if (draw_chance(rng, bent)) {
        const double u = rng_uniform(rng);
        add_waves(rng, population, factor * bent_size * u * u, score);
    }
    if (draw_chance(rng, is_line ? noisy_line : noisy_space)) {
        const double u = rng_uniform(rng);
        add_noise(rng, factor * (is_line ? noisy_line_size : noisy_space_size) * u * u, score);
    }
    if (ordered->is_mistaken) {
        add_waves(rng, population, mistaken_size * rng_uniform(rng), score);
        add_noise(rng, mistaken_size * rng_uniform(rng), score);
    }
}

static dedpul_status order(struct context *context, struct rng *rng, const struct population *population,
                           struct ordered *ordered)
{
    struct block *mark = context_mark(context);
    const double alpha = ordered->alpha;
    const double share_against = draw_chance(rng, of_negatives) ? 0 : alpha;
    double *score = context_allocate(context, ATOMS, sizeof *score), p = 0, u = 0;
    uint32_t *atom = context_allocate(context, ATOMS, sizeof *atom);
    if (score == NULL || atom == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < ATOMS; i++) {
        const double against = share_against * population->p[i] + (1 - share_against) * population->n[i];
        score[i] = fmin(fmax(log(against / population->p[i]), -50), 50); /* negative, as we sort ascending */
        atom[i] = (uint32_t)i;
    }
    add_errors(rng, population, ordered, score);
    TRY(sort_numbers(context, ATOMS, score, atom));
    ordered->above_p[0] = ordered->above_u[0] = 0;
    for (size_t k = 0; k < ATOMS; k++) {
        p += population->p[atom[k]];
        u += alpha * population->p[atom[k]] + (1 - alpha) * population->n[atom[k]];
        ordered->above_p[k + 1] = p;
        ordered->above_u[k + 1] = u;
        ordered->claim[k] = -score[k];
    }
    ordered->claim[ATOMS] = ordered->claim[ATOMS - 1];
    ordered->n_levels = draw_chance(rng, stepped) ? (size_t)draw_log_uniform(rng, levels) : 0;
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- samples ---- */

/*
 * Scores of labeled rows are shifted against those of unlabeled positives, on the scale on which the latter
 * are normal: where a share v of labeled rows is above, a share 1 - Phi(Phi^-1(1 - v) + shift) of P is.
 */
static double shifted(double above, double shift)
{
    if (!(above > 0 && above < 1))
        return above;
    return 0.5 * erfc((shift - normal_quantile(above)) * M_SQRT1_2);
}

/* The standard error of the AUC, sqrt((1 / n + 1 / m) / 12), corresponds to a shift of sqrt((1 / n + 1 / m)
 * pi / 3). */
static double draw_shift(struct rng *rng, double alpha, const struct tail_curve *curve)
{
    const double error = sqrt((1 / curve->n_p + 1 / (alpha * curve->n_u + 1)) * M_PI / 3);
    return draw_normal(rng) * beyond_chance * alpha * error;
}

/* The ranks of P, from 0, that the curve needs: those around each share. Row k is at the share (k + 1/2) /
 * n_p. */
static size_t list_ranks(const double share[TAIL_POINTS], double n_p, double rank[2 * TAIL_POINTS])
{
    size_t n = 0;
    for (size_t j = 0; j < TAIL_POINTS; j++)
        for (int next = 0; next < 2; next++) {
            const double k = floor(share[j] * n_p - 0.5) + next;
            if (k >= 0 && k < n_p && (n == 0 || k > rank[n - 1]))
                rank[n++] = k;
        }
    return n;
}

/* Masses of P above rows of P have Dirichlet increments, and the counts of U between them are multinomial. */
static void draw_smooth(struct rng *rng, const struct ordered *ordered, double shift,
                        struct tail_curve *curve)
{
    double share[TAIL_POINTS], rank[2 * TAIL_POINTS], mass[2 * TAIL_POINTS], above[2 * TAIL_POINTS],
        claim[2 * TAIL_POINTS];
    tail_shares(share);
    const size_t n = list_ranks(share, curve->n_p, rank);
    double total = 0, left = curve->n_u, mass_before = 0;
    for (size_t i = 0; i < n; i++)
        mass[i] = total += draw_gamma(rng, i == 0 ? rank[0] + 1 : rank[i] - rank[i - 1]);
    total += draw_gamma(rng, curve->n_p - rank[n - 1]);
    for (size_t i = 0; i < n; i++) {
        const double at = shifted(mass[i] / total, shift);
        const double here = interpolate(ATOMS + 1, ordered->above_p, ordered->above_u, at);
        left -= draw_binomial(rng, left, fmin((here - mass_before) / (1 - mass_before), 1));
        mass_before = here;
        above[i] = 1 - left / curve->n_u;
        claim[i] = interpolate(ATOMS + 1, ordered->above_p, ordered->claim, at);
    }
    for (size_t j = 0, i = 0; j < TAIL_POINTS; j++) {
        const double at = share[j] * curve->n_p - 0.5;
        while (i < n && rank[i] <= at)
            i++;
        const double rank_left = i > 0 ? rank[i - 1] : -0.5, above_left = i > 0 ? above[i - 1] : 0;
        const double rank_right = i < n ? rank[i] : curve->n_p - 0.5, above_right = i < n ? above[i] : 1;
        const double claim_left = claim[i > 0 ? i - 1 : 0], claim_right = claim[i < n ? i : n - 1];
        const double way = (at - rank_left) / (rank_right - rank_left);
        curve->above[j] = above_left + way * (above_right - above_left);
        curve->claim[j] = claim_left + way * (claim_right - claim_left);
    }
}

enum { MOST_LEVELS = 300 };

/* Draws how many rows of a sample are on each level, from the lowest up, as rows with a weight. */
static void draw_levels(struct rng *rng, size_t n_levels, const double *above /* (n_levels + 1) */,
                        const double *claim /* (n_levels) from the highest down */, struct sample *sample)
{
    double left = sample->total;
    sample->n = 0;
    for (size_t level = 0; level < n_levels && left > 0; level++) {
        const size_t k = n_levels - level;
        const double count = draw_binomial(rng, left, level + 1 < n_levels ? 1 - above[k - 1] / above[k] : 1);
        left -= count;
        if (count > 0) {
            sample->logit[sample->n] = claim[k - 1];
            sample->weight[sample->n++] = count;
        }
    }
}

/* Levels hold equal shares of the atoms, and claim what their middle atom claims. */
static void draw_stepped(struct rng *rng, const struct ordered *ordered, double shift,
                         struct tail_curve *curve)
{
    double logit[2][MOST_LEVELS], weight[2][MOST_LEVELS], above[2][MOST_LEVELS + 1], claim[MOST_LEVELS];
    const size_t n = ordered->n_levels;
    struct sample p = {.total = curve->n_p, .logit = logit[0], .weight = weight[0]};
    struct sample u = {.total = curve->n_u, .logit = logit[1], .weight = weight[1]};
    for (size_t k = 0; k <= n; k++) {
        above[0][k] = shifted(ordered->above_p[ATOMS * k / n], -shift);
        above[1][k] = ordered->above_u[ATOMS * k / n];
    }
    for (size_t k = 0; k < n; k++)
        claim[k] = ordered->claim[(ATOMS * k / n + ATOMS * (k + 1) / n) / 2];
    draw_levels(rng, n, above[0], claim, &p);
    draw_levels(rng, n, above[1], claim, &u);
    tail_curve_of(&p, &u, curve);
}

/* Claims that are ranks: the logit of the share of all rows below each threshold. Equal claims stay equal. */
static void claim_ranks(struct tail_curve *curve)
{
    double share[TAIL_POINTS], before = INFINITY;
    tail_shares(share);
    for (size_t j = 0; j < TAIL_POINTS; j++) {
        const double rows = curve->n_p * share[j] + curve->n_u * curve->above[j], claim = curve->claim[j];
        curve->claim[j] = claim < before ? -logit_of(rows / (curve->n_p + curve->n_u)) : curve->claim[j - 1];
        before = claim;
    }
}

/* How claims differ from log f_p / f_u. Drifts are those above and below the middle. */
struct bend {
    double times, above, below, walk;
};

static struct bend draw_bend(struct rng *rng, const struct ordered *ordered)
{
    struct bend bend = {.times = draw_chance(rng, stretched) ? draw_log_uniform(rng, stretch) : 1};
    if (draw_chance(rng, warped)) {
        bend.above = draw_from_range(rng, wild_drift);
        bend.below = draw_from_range(rng, wild_drift);
        bend.walk = draw_from_range(rng, wild_walk);
    } else if (draw_chance(rng, bent_claims)) {
        bend.above = ordered->is_mistaken ? 0 : draw_from_range(rng, drift_above);
        bend.below = ordered->is_mistaken ? 0 : draw_from_range(rng, drift_below);
        bend.walk = shrinking_factor(ordered->n_p) * draw_from_range(rng, walk);
    }
    return bend;
}

/* Equal claims stay equal, and the others in their order, so the curve stays as it is. */
static void bend_claims(struct rng *rng, const struct bend *bend, struct tail_curve *curve)
{
    double share[TAIL_POINTS], step = 0, off = 0, before = INFINITY, here = INFINITY;
    tail_shares(share);
    for (size_t j = 0; j < TAIL_POINTS; j++) {
        const double claim = curve->claim[j];
        step += j > 0 ? logit_of(share[j]) - logit_of(share[j - 1]) : 0;
        if (claim < before) {
            const double drift = share[j] < 0.5 ? bend->above : bend->below;
            off += bend->walk * sqrt(step) * draw_normal(rng) - drift * step;
            here = fmin(here, bend->times * claim + off);
            before = claim;
            step = 0;
        }
        curve->claim[j] = here;
    }
}

static double draw_alpha(struct rng *rng)
{
    const double u = rng_uniform(rng);
    return u < low_shares                 ? draw_uniform(rng, 0.001, 0.1)
           : u < low_shares + high_shares ? draw_uniform(rng, 0.9, 0.999)
                                          : draw_uniform(rng, 0.001, 0.999);
}

static void draw_lesson(struct rng *rng, const struct ordered *ordered, double target, struct lesson *lesson)
{
    const double n_p = floor(ordered->n_p * draw_log_uniform(rng, rows_of_one));
    struct tail_curve curve = {.n_p = fmax(n_p, labeled_rows.from),
                               .n_u = floor(draw_log_uniform(rng, unlabeled_rows))};
    const double shift = draw_shift(rng, ordered->alpha, &curve);
    if (ordered->n_levels > 0)
        draw_stepped(rng, ordered, shift, &curve);
    else
        draw_smooth(rng, ordered, shift, &curve);
    if (draw_chance(rng, ranked))
        claim_ranks(&curve);
    const struct bend bend = draw_bend(rng, ordered);
    bend_claims(rng, &bend, &curve);
    tail_curve_inputs(&curve, lesson->input);
    lesson->target = (float)fmin(fmax(logit_of(target), -7), 7);
}

dedpul_status simulate(struct context *context, uint64_t seed, size_t index,
                       struct lesson lesson[LESSONS_PER_POPULATION])
{
    struct rng rng;
    struct population *population = context_allocate(context, 1, sizeof *population);
    struct ordered *ordered = context_allocate(context, 1, sizeof *ordered);
    if (population == NULL || ordered == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, seed, index);
    TRY(population_draw(context, &rng, population));
    for (size_t i = 0; i < LESSONS_PER_POPULATION; i++) {
        if (i % SIZES_PER_SHARE == 0) {
            ordered->alpha = draw_alpha(&rng);
            ordered->n_p = draw_log_uniform(&rng, labeled_rows);
            ordered->is_mistaken = draw_chance(&rng, mistaken);
            TRY(order(context, &rng, population, ordered));
        }
        /* alpha* = inf f_u / f_p */
        const double target = ordered->alpha + (1 - ordered->alpha) * population->lowest;
        draw_lesson(&rng, ordered, target, &lesson[i]);
    }
    return DEDPUL_OK;
}
