/* Mixtures of Laplace distributions: positives are L(0, 1). */
#include "draw.h"

#include <math.h>
#include <string.h>

dedpul_status drawing_create(struct context *context, const struct sample_size *size, size_t n_columns,
                             struct drawing *drawing)
{
    const size_t n = (size_t)size->labeled + size->positive + size->negative;
    *drawing = (struct drawing){
        .n_labeled = size->labeled,
        .target = size->alpha,
        .truth = context_allocate(context, n, 1),
        .table = {.n_rows = n,
                  .n_columns = n_columns,
                  .column = context_allocate(context, n_columns, sizeof *drawing->table.column),
                  .label = context_allocate(context, n, 1)},
    };
    if (drawing->truth == NULL || drawing->table.column == NULL || drawing->table.label == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        drawing->table.label[i] = i < size->labeled;
        drawing->truth[i] = i < (size_t)size->labeled + size->positive;
    }
    return DEDPUL_OK;
}

/* Draws by the inverse of the distribution function, from one uniform number per value. */
static double draw_laplace(struct rng *rng, struct laplace of)
{
    const double u = rng_uniform(rng) - 0.5;
    return of.location - of.scale * copysign(log1p(-2 * fabs(u)), u);
}

static double log_density(struct laplace of, double x)
{
    return -fabs(x - of.location) / of.scale - log(2 * of.scale);
}

/* inf f_n / f_p. It is reached on the far side of a shift, or at 0 for a wider scale. */
static double least_ratio(struct laplace negative)
{
    return negative.scale > 1 ? 1 / negative.scale : exp(-fabs(negative.location));
}

dedpul_status draw_synthetic(struct context *context, const struct set *set, const struct sample_size *size,
                             struct rng *rng, struct drawing *drawing)
{
    static const struct laplace positive = {0, 1};
    static char name[] = "x";
    const double alpha = size->alpha;
    TRY(drawing_create(context, size, 1, drawing));
    const size_t n = drawing->table.n_rows;
    double *x = context_allocate(context, n, sizeof *x);
    drawing->posterior = context_allocate(context, n, sizeof *drawing->posterior);
    if (x == NULL || drawing->posterior == NULL)
        return DEDPUL_NO_MEMORY;
    drawing->table.column[0] = (struct column){.schema = {name, COLUMN_NUMBER, 0, NULL}, .number = x};
    drawing->target = alpha + (1 - alpha) * least_ratio(set->negative);
    for (size_t i = 0; i < n; i++) {
        x[i] = draw_laplace(rng, drawing->truth[i] ? positive : set->negative);
        const double ratio =
            exp(log_density(set->negative, x[i]) - log_density(positive, x[i])); /* f_n / f_p */
        drawing->posterior[i] = drawing->target / (alpha + (1 - alpha) * ratio);
    }
    return DEDPUL_OK;
}
