#include "population.h"

#include "sort.h"

#include <math.h>

/* ---- the two classes: mixtures ---- */

enum family { NORMAL, LAPLACE, LOGISTIC, UNIFORM, GUMBEL, STUDENT_2, N_FAMILIES };

enum { MOST_PARTS = MOST_CLUSTERS };

struct part {
    enum family family; /* normal if there are several dimensions */
    double share;       /* of its class */
    double center[MOST_DIMENSIONS], width[MOST_DIMENSIONS];
};

struct class
{
    size_t n;
    struct part part[MOST_PARTS];
};

static double family_density(enum family family, double x)
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
    default: /* Student's t with 2 degrees of freedom */
        return 1 / ((2 + x * x) * sqrt(2 + x * x));
    }
}

static double family_draw(enum family family, struct rng *rng)
{
    if (family == NORMAL)
        return draw_normal(rng);
    const double u = draw_inside(rng);
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

/* Up to a factor that depends on the dimensions alone. */
static double part_density(const struct part *part, size_t dimensions, const double *x)
{
    double squares = 0, volume = 1;
    if (dimensions == 1)
        return family_density(part->family, (x[0] - part->center[0]) / part->width[0]) / part->width[0];
    for (size_t j = 0; j < dimensions; j++) {
        const double z = (x[j] - part->center[j]) / part->width[j];
        squares += z * z;
        volume *= part->width[j];
    }
    return exp(-squares / 2) / volume;
}

static double class_density(const struct class *class, size_t dimensions, const double *x)
{
    double sum = 0;
    for (size_t k = 0; k < class->n; k++)
        sum += class->part[k].share * part_density(&class->part[k], dimensions, x);
    return sum;
}

static void class_draw(const struct class *class, size_t dimensions, struct rng *rng, double *x)
{
    double left = rng_uniform(rng);
    size_t k = 0;
    while (k + 1 < class->n && left >= class->part[k].share)
        left -= class->part[k++].share;
    const struct part *part = &class->part[k];
    for (size_t j = 0; j < dimensions; j++)
        x[j] = part->center[j] + part->width[j] * family_draw(part->family, rng);
}

/* Chooses the number of parts and their shares. */
static void choose_shares(struct rng *rng, size_t most, struct class *class)
{
    double total = 0;
    class->n = 1 + rng_below(rng, (uint32_t)most);
    for (size_t k = 0; k < class->n; k++)
        total += class->part[k].share = 0.05 - log(draw_inside(rng));
    for (size_t k = 0; k < class->n; k++)
        class->part[k].share /= total;
}

static void choose_line(struct rng *rng, struct class class[2])
{
    const enum family common = (enum family)rng_below(rng, N_FAMILIES);
    const bool is_common = draw_chance(rng, one_family);
    const double center[2] = {0, draw_chance(rng, same_place) ? 0 : draw_log_uniform(rng, distance)};
    const double width[2] = {1, draw_log_uniform(rng, width_of_n)};
    for (size_t c = 0; c < 2; c++) {
        choose_shares(rng, MOST_PARTS_ON_A_LINE, &class[c]);
        for (size_t k = 0; k < class[c].n; k++) {
            struct part *part = &class[c].part[k];
            part->family = is_common ? common : (enum family)rng_below(rng, N_FAMILIES);
            part->center[0] = center[c] + (k == 0 ? 0 : 2 * width[c] * draw_normal(rng));
            part->width[0] = width[c] * (k == 0 ? 1 : exp(draw_uniform(rng, -1, 1)));
        }
    }
}

static void choose_clusters(struct rng *rng, size_t dimensions, struct class class[2])
{
    const double spread = draw_log_uniform(rng, cluster_distance);
    for (size_t c = 0; c < 2; c++) {
        choose_shares(rng, MOST_CLUSTERS, &class[c]);
        for (size_t k = 0; k < class[c].n; k++) {
            class[c].part[k].family = NORMAL;
            for (size_t j = 0; j < dimensions; j++) {
                class[c].part[k].center[j] = spread * draw_normal(rng);
                class[c].part[k].width[j] = exp(draw_uniform(rng, -0.7, 0.7));
            }
        }
    }
}

/* ---- atoms ---- */

static void draw_atoms(struct rng *rng, const struct class class[2], struct population *population)
{
    const size_t d = population->dimensions;
    const double common = draw_chance(rng, alike) ? rng_uniform(rng) * rng_uniform(rng) : 0;
    double total_p = 0, total_n = 0;
    for (size_t i = 0; i < ATOMS; i++) {
        double *x = population->x[i];
        class_draw(&class[i % 2], d, rng, x);
        const double p = class_density(&class[0], d, x);
        const double n = common * p + (1 - common) * class_density(&class[1], d, x);
        total_p += population->p[i] = p / (p + n);
        total_n += population->n[i] = n / (p + n);
    }
    for (size_t i = 0; i < ATOMS; i++) {
        population->p[i] /= total_p;
        population->n[i] /= total_n;
    }
}

/*
 * Finds the lowest f_n / f_p, without P's tail. Before that, the atoms with the lowest ratios, `plateau` of
 * P, get a common ratio.
 */
static dedpul_status flatten(struct context *context, double plateau, struct population *population)
{
    double *ratio = context_allocate(context, ATOMS, sizeof *ratio), mass = 0, total = 0;
    uint32_t *atom = context_allocate(context, ATOMS, sizeof *atom);
    size_t end = 0;
    if (ratio == NULL || atom == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < ATOMS; i++) {
        ratio[i] = population->p[i] > 0 ? population->n[i] / population->p[i] : 1e300;
        atom[i] = (uint32_t)i;
    }
    TRY(sort_with_rows(context, ATOMS, ratio, atom));
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

dedpul_status population_draw(struct context *context, struct rng *rng, struct population *population)
{
    struct class class[2]; /* P and N */
    const size_t more = FEWEST_DIMENSIONS + rng_below(rng, MOST_DIMENSIONS - FEWEST_DIMENSIONS + 1);
    population->dimensions = draw_chance(rng, on_a_line) ? 1 : more;
    if (population->dimensions == 1)
        choose_line(rng, class);
    else
        choose_clusters(rng, population->dimensions, class);
    draw_atoms(rng, class, population);
    return flatten(context, draw_chance(rng, flattened) ? rng_uniform(rng) : 0, population);
}
