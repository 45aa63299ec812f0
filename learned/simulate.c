#include "simulate.h"

#include "rng.h"
#include "sort.h"

#include <math.h>
#include <string.h>

/* ---- what is simulated ---- */

enum { ATOMS = 4096, MOST_PARTS = 4, MOST_DIMENSIONS = 6 };

/* Each line is a choice: how often, or from where to where. */
static const double one_dimensional = 0.5;      /* share of populations on a line; others have 2 to 6 dimensions */
static const double same_place = 0.15;          /* share of lines on which N is not moved, only wider or narrower */
static const double distance[2] = {0.5, 12};    /* of N from P, in spreads of P; log-uniform */
static const double width[2] = {0.4, 6};        /* of N, in spreads of P; log-uniform */
static const double cluster_spread[2] = {0.3, 4}; /* of centers, in widths of clusters; log-uniform */
static const double shared = 0.25;              /* share of populations whose N has a part that is like P */
static const double flattened = 0.1;            /* share of those with a plateau: f_n / f_p is constant on a part of P */
static const double low_share = 0.15, high_share = 0.15; /* of problems with alpha below 0.1, above 0.9 */
static const double labeled[2] = {20, 3e5};     /* rows; log-uniform */
static const double unlabeled[2] = {100, 1e7};
static const double bent = 0.3, bent_size = 0.4; /* share of scores with a smooth error; its largest size, times u^2 */
static const double noisy_line = 0.2, noisy_line_size = 0.4; /* the same for an error of each row by itself */
static const double noisy_space = 0.6, noisy_space_size = 0.8;
static const double stepped = 0.15;             /* share of scores with few levels, as those of trees */
static const double levels[2] = {5, 300};
static const double tail = 0.001;               /* share of P that alpha* = inf f_u / f_p may leave out */

/* ---- random numbers ---- */

static double uniform(struct rng *rng, double low, double high)
{
    return low + (high - low) * rng_uniform(rng);
}

static double log_uniform(struct rng *rng, const double range[2])
{
    return exp(uniform(rng, log(range[0]), log(range[1])));
}

static bool chance(struct rng *rng, double share)
{
    return rng_uniform(rng) < share;
}

/* Uniform in (0, 1). */
static double inside(struct rng *rng)
{
    return rng_uniform(rng) + 0x1p-54;
}

/* Marsaglia's polar method. */
static double draw_normal(struct rng *rng)
{
    for (;;) {
        const double x = 2 * rng_uniform(rng) - 1, y = 2 * rng_uniform(rng) - 1, square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * sqrt(-2 * log(square) / square);
    }
}

/* Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; shape >= 1. */
static double draw_gamma(struct rng *rng, double shape)
{
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = draw_normal(rng), v = (1 + c * x) * (1 + c * x) * (1 + c * x);
        if (v > 0 && log(inside(rng)) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

/* By inversion if few are expected, otherwise as a rounded normal variable. */
static double draw_binomial(struct rng *rng, double n, double p)
{
    const double q = 1 - p, mean = n * p;
    if (n <= 0 || p <= 0)
        return 0;
    if (p >= 1)
        return n;
    if (p > 0.5)
        return n - draw_binomial(rng, n, q);
    if (mean > 60)
        return fmin(fmax(round(mean + sqrt(mean * q) * draw_normal(rng)), 0), n);
    double term = exp(n * log1p(-p)), left = rng_uniform(rng) - term, count = 0;
    for (; left >= 0 && count < n; left -= term) {
        term *= (n - count) / (count + 1) * p / q;
        count++;
        if (term < 1e-18 && count > mean)
            break;
    }
    return count;
}

/* ---- distributions ---- */

enum family { NORMAL, LAPLACE, LOGISTIC, UNIFORM, GUMBEL, STUDENT_2, N_FAMILIES };

static double standard_density(enum family family, double x)
{
    const double e = exp(-fabs(x));
    switch (family) {
    case NORMAL:
        return exp(-x * x / 2) * 0.3989422804014327;
    case LAPLACE:
        return e / 2;
    case LOGISTIC:
        return e / ((1 + e) * (1 + e));
    case UNIFORM:
        return fabs(x) <= 1 ? 0.5 : 0;
    case GUMBEL:
        return exp(-x - exp(-x));
    default:
        return 1 / ((2 + x * x) * sqrt(2 + x * x));
    }
}

static double standard_draw(enum family family, struct rng *rng)
{
    if (family == NORMAL)
        return draw_normal(rng);
    const double u = inside(rng);
    switch (family) {
    case LAPLACE:
        return u < 0.5 ? log(2 * u) : -log(2 * (1 - u));
    case LOGISTIC:
        return log(u / (1 - u));
    case UNIFORM:
        return 2 * u - 1;
    case GUMBEL:
        return -log(-log(u));
    default:
        return (2 * u - 1) / sqrt(2 * u * (1 - u));
    }
}

struct part {
    enum family family;
    double share; /* of its class */
    double center[MOST_DIMENSIONS], scale[MOST_DIMENSIONS];
};

struct mixed {
    size_t n;
    struct part part[MOST_PARTS];
};

/* Parts with several dimensions are normal. */
static double density_of(const struct mixed *mixed, size_t dimensions, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < mixed->n; k++) {
        const struct part *part = &mixed->part[k];
        double squares = 0, volume = 1;
        if (dimensions == 1) {
            sum += part->share * standard_density(part->family, (x[0] - part->center[0]) / part->scale[0]) / part->scale[0];
            continue;
        }
        for (size_t j = 0; j < dimensions; j++) {
            const double z = (x[j] - part->center[j]) / part->scale[j];
            squares += z * z;
            volume *= part->scale[j];
        }
        sum += part->share * exp(-squares / 2) / volume;
    }
    return sum;
}

static void draw_point(const struct mixed *mixed, size_t dimensions, struct rng *rng, double *x)
{
    double left = rng_uniform(rng);
    size_t k = 0;
    while (k + 1 < mixed->n && left >= mixed->part[k].share)
        left -= mixed->part[k++].share;
    for (size_t j = 0; j < dimensions; j++)
        x[j] = mixed->part[k].center[j] + mixed->part[k].scale[j] * standard_draw(mixed->part[k].family, rng);
}

static void draw_parts(struct rng *rng, size_t most, struct mixed *mixed)
{
    double total = 0;
    mixed->n = 1 + rng_below(rng, (uint32_t)most);
    for (size_t k = 0; k < mixed->n; k++)
        total += mixed->part[k].share = 0.05 - log(inside(rng));
    for (size_t k = 0; k < mixed->n; k++)
        mixed->part[k].share /= total;
}

static void draw_line(struct rng *rng, struct mixed class[2])
{
    const enum family family = rng_below(rng, N_FAMILIES);
    const bool one_family = chance(rng, 0.5);
    const double moved = chance(rng, same_place) ? 0 : log_uniform(rng, distance);
    const double wide[2] = {1, log_uniform(rng, width)};
    for (size_t c = 0; c < 2; c++) {
        draw_parts(rng, 3, &class[c]);
        for (size_t k = 0; k < class[c].n; k++) {
            struct part *part = &class[c].part[k];
            part->family = one_family ? family : (enum family)rng_below(rng, N_FAMILIES);
            part->center[0] = (c == 0 ? 0 : moved) + (k == 0 ? 0 : wide[c] * 2 * draw_normal(rng));
            part->scale[0] = wide[c] * (k == 0 ? 1 : exp(uniform(rng, -1, 1)));
        }
    }
}

static void draw_clusters(struct rng *rng, size_t dimensions, struct mixed class[2])
{
    const double spread = log_uniform(rng, cluster_spread);
    for (size_t c = 0; c < 2; c++) {
        draw_parts(rng, 4, &class[c]);
        for (size_t k = 0; k < class[c].n; k++)
            for (size_t j = 0; j < dimensions; j++) {
                class[c].part[k].family = NORMAL;
                class[c].part[k].center[j] = spread * draw_normal(rng);
                class[c].part[k].scale[j] = exp(uniform(rng, -0.7, 0.7));
            }
    }
}

/* ---- populations ---- */

struct population {
    size_t dimensions;
    double x[ATOMS][MOST_DIMENSIONS];
    double p[ATOMS], n[ATOMS]; /* masses, 1 in all */
    double lowest;             /* inf f_n / f_p, without P's tail */
};

/* Sorts the atoms by f_n / f_p. */
static dedpul_status sort_by_ratio(struct context *context, const struct population *population, double *ratio,
                                   uint32_t *atom)
{
    for (size_t i = 0; i < ATOMS; i++) {
        ratio[i] = population->p[i] > 0 ? population->n[i] / population->p[i] : 1e300;
        atom[i] = (uint32_t)i;
    }
    return sort_with_rows(context, ATOMS, ratio, atom);
}

/* Gives the atoms with the lowest ratios, a share of P, a common ratio. Finds the lowest ratio, up to P's tail. */
static dedpul_status flatten(struct context *context, double plateau, struct population *population)
{
    double *ratio = context_allocate(context, ATOMS, sizeof *ratio), mass = 0, total = 0;
    uint32_t *atom = context_allocate(context, ATOMS, sizeof *atom);
    size_t end = 0;
    if (ratio == NULL || atom == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(sort_by_ratio(context, population, ratio, atom));
    while (end + 1 < ATOMS && (mass += population->p[atom[end]]) < fmax(plateau, tail))
        end++;
    for (size_t k = 0; k < end && plateau > 0; k++)
        population->n[atom[k]] = population->p[atom[k]] * ratio[end];
    for (size_t i = 0; i < ATOMS; i++)
        total += population->n[i];
    for (size_t i = 0; i < ATOMS; i++)
        population->n[i] /= total;
    population->lowest = fmin(ratio[end] / total, 1);
    return DEDPUL_OK;
}

static dedpul_status draw_population(struct context *context, struct rng *rng, struct population *population)
{
    struct mixed class[2];
    double total[2] = {0, 0};
    const size_t d = population->dimensions = chance(rng, one_dimensional) ? 1 : 2 + rng_below(rng, MOST_DIMENSIONS - 1);
    if (d == 1)
        draw_line(rng, class);
    else
        draw_clusters(rng, d, class);
    const double alike = chance(rng, shared) ? rng_uniform(rng) * rng_uniform(rng) : 0;
    for (size_t i = 0; i < ATOMS; i++) {
        draw_point(&class[i % 2], d, rng, population->x[i]);
        const double p = density_of(&class[0], d, population->x[i]), other = density_of(&class[1], d, population->x[i]);
        const double n = alike * p + (1 - alike) * other;
        population->p[i] = p / (p + n);
        population->n[i] = n / (p + n);
        total[0] += population->p[i];
        total[1] += population->n[i];
    }
    for (size_t i = 0; i < ATOMS; i++) {
        population->p[i] /= total[0];
        population->n[i] /= total[1];
    }
    return flatten(context, chance(rng, flattened) ? rng_uniform(rng) : 0, population);
}

/* ---- scores ---- */

/* A smooth random function: three waves along random directions. */
static void add_waves(struct rng *rng, const struct population *population, double size, double *score)
{
    const size_t d = population->dimensions;
    for (size_t wave = 0; wave < 3; wave++) {
        double direction[MOST_DIMENSIONS], phase = uniform(rng, 0, 6.283185307179586);
        for (size_t j = 0; j < d; j++)
            direction[j] = draw_normal(rng) * exp(uniform(rng, -1.5, 1)) / sqrt((double)d);
        for (size_t i = 0; i < ATOMS; i++) {
            double at = phase;
            for (size_t j = 0; j < d; j++)
                at += direction[j] * population->x[i][j];
            score[i] += size * sin(at);
        }
    }
}

/* What U and P look like in the order of their scores, from the highest down. */
struct ordered {
    double above_p[ATOMS + 1], above_u[ATOMS + 1]; /* masses above the k-th atom; the last is all */
    size_t n_levels;                               /* 0: no two scores are equal */
};

static dedpul_status order(struct context *context, struct rng *rng, const struct population *population,
                           double alpha, struct ordered *ordered)
{
    const bool is_line = population->dimensions == 1;
    double *score = context_allocate(context, ATOMS, sizeof *score);
    uint32_t *atom = context_allocate(context, ATOMS, sizeof *atom);
    if (score == NULL || atom == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < ATOMS; i++) {
        const double p = population->p[i], u = alpha * p + (1 - alpha) * population->n[i];
        score[i] = fmin(fmax(log(u / p), -50), 50); /* ascending: the most positive first */
        atom[i] = (uint32_t)i;
    }
    if (chance(rng, bent)) {
        const double u = rng_uniform(rng);
        add_waves(rng, population, bent_size * u * u, score);
    }
    if (chance(rng, is_line ? noisy_line : noisy_space)) {
        const double u = rng_uniform(rng), size = (is_line ? noisy_line_size : noisy_space_size) * u * u;
        for (size_t i = 0; i < ATOMS; i++)
            score[i] += size * draw_normal(rng);
    }
    TRY(sort_numbers(context, ATOMS, score, atom));
    double p = 0, u = 0;
    ordered->above_p[0] = ordered->above_u[0] = 0;
    for (size_t k = 0; k < ATOMS; k++) {
        p += population->p[atom[k]];
        u += alpha * population->p[atom[k]] + (1 - alpha) * population->n[atom[k]];
        ordered->above_p[k + 1] = p;
        ordered->above_u[k + 1] = u;
    }
    ordered->n_levels = chance(rng, stepped) ? (size_t)log_uniform(rng, levels) : 0;
    return DEDPUL_OK;
}

/* ---- samples ---- */

/* The mass of U above the score that has this mass of P above it. */
static double u_above(const struct ordered *ordered, double p)
{
    size_t low = 0, high = ATOMS; /* above_p[low] <= p */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (ordered->above_p[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    const double run = ordered->above_p[high] - ordered->above_p[low];
    const double way = run > 0 ? fmin(fmax((p - ordered->above_p[low]) / run, 0), 1) : 0;
    return ordered->above_u[low] + way * (ordered->above_u[high] - ordered->above_u[low]);
}

/*
 * The curve needs the rows of P at the ranks around each share. The mass of P above them has Dirichlet
 * increments, and the counts of U between them are multinomial.
 */
static void draw_smooth(struct rng *rng, const struct ordered *ordered, struct tail_curve *curve)
{
    double share[TAIL_POINTS], mass[2 * TAIL_POINTS], rank[2 * TAIL_POINTS], above[2 * TAIL_POINTS];
    size_t n = 0;
    tail_shares(share);
    for (size_t j = 0; j < TAIL_POINTS; j++) /* ranks from 0; row k is at the share (k + 1/2) / n_p */
        for (int next = 0; next < 2; next++) {
            const double k = floor(share[j] * curve->n_p - 0.5) + next;
            if (k >= 0 && k < curve->n_p && (n == 0 || k > rank[n - 1]))
                rank[n++] = k;
        }
    double total = 0;
    for (size_t i = 0; i < n; i++)
        mass[i] = total += draw_gamma(rng, i == 0 ? rank[0] + 1 : rank[i] - rank[i - 1]);
    total += draw_gamma(rng, curve->n_p - rank[n - 1]);
    double left = curve->n_u, mass_before = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        const double here = u_above(ordered, mass[i] / total);
        const double more = draw_binomial(rng, left, fmin((here - mass_before) / (1 - mass_before), 1));
        mass_before = here;
        left -= more;
        above[i] = (count += more) / curve->n_u;
    }
    for (size_t j = 0, i = 0; j < TAIL_POINTS; j++) {
        const double at = share[j] * curve->n_p - 0.5;
        while (i < n && rank[i] <= at)
            i++;
        const double rank_left = i > 0 ? rank[i - 1] : -0.5, rank_right = i < n ? rank[i] : curve->n_p - 0.5;
        const double above_left = i > 0 ? above[i - 1] : 0, above_right = i < n ? above[i] : 1;
        curve->above[j] = above_left + (at - rank_left) / (rank_right - rank_left) * (above_right - above_left);
    }
}

/* Counts of either sample by level, as weights of one row for each level. */
static void draw_stepped(struct rng *rng, const struct ordered *ordered, struct tail_curve *curve)
{
    double value[512], weight_p[512], weight_u[512];
    const size_t n = ordered->n_levels;
    double left_p = curve->n_p, left_u = curve->n_u;
    struct sample p = {.n = 0, .total = curve->n_p}, u = {.n = 0, .total = curve->n_u};
    double value_p[512], value_u[512];
    (void)value;
    /* From the lowest score up; levels hold equal shares of the atoms. */
    for (size_t level = 0; level < n; level++) {
        const size_t from = ATOMS * (n - level) / n, to = ATOMS * (n - level - 1) / n;
        const double below_p = 1 - ordered->above_p[from], below_u = 1 - ordered->above_u[from];
        const double mass_p = ordered->above_p[from] - ordered->above_p[to], mass_u = ordered->above_u[from] - ordered->above_u[to];
        const double rest_p = fmax(1 - below_p, 1e-300), rest_u = fmax(1 - below_u, 1e-300);
        const double count_p = level + 1 < n ? draw_binomial(rng, left_p, fmin(mass_p / rest_p, 1)) : left_p;
        const double count_u = level + 1 < n ? draw_binomial(rng, left_u, fmin(mass_u / rest_u, 1)) : left_u;
        left_p -= count_p;
        left_u -= count_u;
        if (count_p > 0) {
            value_p[p.n] = (double)level;
            weight_p[p.n++] = count_p;
        }
        if (count_u > 0) {
            value_u[u.n] = (double)level;
            weight_u[u.n++] = count_u;
        }
    }
    p.logit = value_p;
    p.weight = weight_p;
    u.logit = value_u;
    u.weight = weight_u;
    tail_curve_of(&p, &u, curve);
}

static double draw_alpha(struct rng *rng)
{
    const double u = rng_uniform(rng);
    return u < low_share ? uniform(rng, 0.001, 0.1) : u < low_share + high_share ? uniform(rng, 0.9, 0.999) : uniform(rng, 0.001, 0.999);
}

dedpul_status simulate(struct context *context, uint64_t seed, size_t index,
                       struct lesson lesson[PROBLEMS_PER_POPULATION])
{
    struct rng rng;
    rng_init(&rng, seed, index);
    struct population *population = context_allocate(context, 1, sizeof *population);
    struct ordered *ordered = context_allocate(context, 1, sizeof *ordered);
    if (population == NULL || ordered == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(draw_population(context, &rng, population));
    for (size_t s = 0; s < SHARES_PER_POPULATION; s++) {
        struct block *mark = context_mark(context);
        const double alpha = draw_alpha(&rng), star = alpha + (1 - alpha) * population->lowest;
        TRY(order(context, &rng, population, alpha, ordered));
        context_release(context, mark);
        for (size_t k = 0; k < SIZES_PER_SHARE; k++, lesson++) {
            struct tail_curve curve = {.n_p = floor(log_uniform(&rng, labeled)), .n_u = floor(log_uniform(&rng, unlabeled))};
            if (ordered->n_levels > 0)
                draw_stepped(&rng, ordered, &curve);
            else
                draw_smooth(&rng, ordered, &curve);
            tail_curve_inputs(&curve, lesson->input);
            lesson->target = (float)fmin(fmax(log(star / (1 - star)), -7), 7);
        }
    }
    return DEDPUL_OK;
}
