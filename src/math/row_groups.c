#include "row_groups.h"

#include <math.h>

dedpul_status design_excess(struct context *context, size_t n, const double *value, size_t n_groups,
                            const uint32_t *group, double *excess)
{
    struct block *mark = context_mark(context);
    double *size = context_allocate(context, n_groups, sizeof *size);
    double *mean = context_allocate(context, n_groups, sizeof *mean);
    double centre = 0, between = 0, within = 0, squares = 0, used = 0;
    const double total = (double)n;
    if (size == NULL || mean == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < n_groups; g++)
        size[g] = mean[g] = 0;
    for (size_t i = 0; i < n; i++) {
        size[group[i]]++;
        mean[group[i]] += value[i] - value[0]; /* so that equal values leave no rounding behind */
        centre += (value[i] - value[0]) / total;
    }
    for (size_t g = 0; g < n_groups; g++) {
        if (!(size[g] > 0))
            continue;
        mean[g] /= size[g];
        used++;
        squares += size[g] * size[g];
        between += size[g] * (mean[g] - centre) * (mean[g] - centre);
    }
    for (size_t i = 0; i < n; i++)
        within += pow(value[i] - value[0] - mean[group[i]], 2);
    *excess = 0;
    if (used > 1 && used < total) {
        const double row_variance = within / (total - used);
        const double rows = (total - squares / total) / (used - 1); /* of a group, for sizes that differ */
        const double group_variance = (between / (used - 1) - row_variance) / rows;
        const double likeness = group_variance > 0 ? group_variance / (group_variance + row_variance) : 0;
        *excess = likeness * (squares / total - 1);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
