#include "arrays.h"

#include "number.h"

dedpul_status check_labels(size_t n, const unsigned char *label, dedpul_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (label[i] > 1)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "label[%zu] is %d: labels are 1 (labeled positive) or 0 (unlabeled)", i,
                             label[i]);
    return DEDPUL_OK;
}

dedpul_status check_weights(const char *owner, size_t n, const double *weight, dedpul_error *error)
{
    for (size_t i = 0; weight != NULL && i < n; i++)
        if (!is_weight(weight[i]))
            return error_set(error, DEDPUL_INVALID_DATA,
                             "%sweight[%zu] is %g: weights are counts, from 0 to %g", owner, i, weight[i],
                             LARGEST_WEIGHT);
    return DEDPUL_OK;
}
