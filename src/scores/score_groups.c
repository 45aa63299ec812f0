#include "score_groups.h"

#include "weighted.h"

#include <math.h>

static dedpul_status allocate(struct context *context, size_t most, struct score_groups *groups)
{
    double **const array[] = {&groups->score,     &groups->labeled,  &groups->unlabeled, &groups->ratio,
                              &groups->posterior, &groups->positive, &groups->negative};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) {
        *array[i] = context_allocate(context, most, sizeof(double));
        if (*array[i] == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t g = 0; g < most; g++)
            (*array[i])[g] = 0;
    }
    return DEDPUL_OK;
}

static void add_unlabeled(struct score_groups *groups, const struct sample *u, size_t i,
                          const struct row_values *values)
{
    const size_t g = groups->n, row = u->row[i];
    const double weight = weight_at(u->weight, i);
    groups->unlabeled[g] += weight;
    groups->ratio[g] += weight * values->ratio[row];
    groups->posterior[g] += weight * values->posterior[row];
    if (values->truth != NULL && values->truth[row] == TRUTH_POSITIVE)
        groups->positive[g] += weight;
    if (values->truth != NULL && values->truth[row] == TRUTH_NEGATIVE)
        groups->negative[g] += weight;
}

dedpul_status score_groups_make(struct context *context, const struct sample *p, const struct sample *u,
                                const struct row_values *values, struct score_groups *groups)
{
    const double *a = sample_values(p), *b = sample_values(u);
    size_t left_p = p->n, left_u = u->n;
    *groups = (struct score_groups){.total_labeled = p->total, .total_unlabeled = u->total};
    TRY(allocate(context, p->n + u->n, groups));
    for (; left_p > 0 || left_u > 0; groups->n++) {
        const size_t g = groups->n;
        const double score =
            fmax(left_p > 0 ? a[left_p - 1] : -INFINITY, left_u > 0 ? b[left_u - 1] : -INFINITY);
        groups->score[g] = score;
        for (; left_p > 0 && a[left_p - 1] == score; left_p--)
            groups->labeled[g] += weight_at(p->weight, left_p - 1);
        for (; left_u > 0 && b[left_u - 1] == score; left_u--)
            add_unlabeled(groups, u, left_u - 1, values);
        if (groups->unlabeled[g] > 0) {
            groups->ratio[g] /= groups->unlabeled[g];
            groups->posterior[g] /= groups->unlabeled[g];
        }
    }
    return DEDPUL_OK;
}
