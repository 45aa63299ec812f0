#include "cuts.h"

#include "error.h"

#include <math.h>

/* A threshold may be at any group with unlabeled rows; above the others there is none, or the same ones. */
static bool is_threshold(const struct score_groups *groups, size_t g)
{
    return groups->unlabeled[g] > 0;
}

/* Posteriors fall with the score, more or less; so this flags the rows with posterior > value / (1 + value).
 */
static size_t find_by_cost(const struct score_groups *groups, double cost)
{
    double gain = 0, highest = 0;
    size_t best = NO_GROUP;
    for (size_t g = 0; g < groups->n; g++) {
        gain += groups->unlabeled[g] * (groups->posterior[g] - cost * (1 - groups->posterior[g]));
        if (gain > highest && is_threshold(groups, g)) {
            highest = gain;
            best = g;
        }
    }
    return best;
}

static size_t find_by_f1(const struct score_groups *groups)
{
    double total = 0, rows = 0, positive = 0, highest = -1;
    size_t best = NO_GROUP;
    for (size_t g = 0; g < groups->n; g++)
        total += groups->unlabeled[g] * groups->posterior[g];
    for (size_t g = 0; g < groups->n; g++) {
        rows += groups->unlabeled[g];
        positive += groups->unlabeled[g] * groups->posterior[g];
        if (is_threshold(groups, g) && positive / (total + rows) > highest) {
            highest = positive / (total + rows);
            best = g;
        }
    }
    return best;
}

static dedpul_status find_by_rows(const struct score_groups *groups, double most, dedpul_error *error,
                                  size_t *group)
{
    double rows = 0, first = 0;
    *group = NO_GROUP;
    for (size_t g = 0; g < groups->n && rows + groups->unlabeled[g] <= most * (1 + 1e-12); g++) {
        rows += groups->unlabeled[g];
        if (is_threshold(groups, g))
            *group = g;
    }
    if (*group != NO_GROUP)
        return DEDPUL_OK;
    for (size_t g = 0; g < groups->n && first == 0; g++)
        first = groups->unlabeled[g];
    return error_set(
        error, DEDPUL_INVALID_DATA,
        "no threshold flags at most %.10g rows: the highest score of an unlabeled row is that of "
        "%.10g rows. Ask for that many",
        most, first);
}

static size_t find_by_score(const struct score_groups *groups, double least)
{
    size_t last = NO_GROUP;
    for (size_t g = 0; g < groups->n && groups->score[g] >= least; g++)
        if (is_threshold(groups, g))
            last = g;
    return last;
}

dedpul_status cut_find(const struct score_groups *groups, const struct cut_request *request,
                       dedpul_error *error, size_t *group)
{
    const double total = groups->total_unlabeled;
    *group = NO_GROUP;
    switch (request->rule) {
    case CUT_COST:
        *group = find_by_cost(groups, request->value);
        break;
    case CUT_F1:
        *group = find_by_f1(groups);
        break;
    case CUT_TOP:
        if (request->value > total)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "%.10g rows cannot be flagged: there are %.10g unlabeled rows", request->value,
                             total);
        return find_by_rows(groups, request->value, error, group);
    case CUT_SHARE:
        return find_by_rows(groups, request->value * total, error, group);
    case CUT_SCORE:
        *group = find_by_score(groups, request->value);
        break;
    case CUT_PRECISION:
    case CUT_RECALL:
        break;
    }
    return DEDPUL_OK;
}

size_t cuts_place(const struct score_groups *groups, size_t wanted, size_t cut[MOST_CUTS])
{
    double total = 0, rows = 0, positive = 0, next_rows = 0, next_positive = 0;
    size_t n = 0, last = 0;
    for (size_t g = 0; g < groups->n; g++) {
        total += groups->unlabeled[g] * groups->posterior[g];
        last = is_threshold(groups, g) ? g : last;
    }
    const double step_rows = groups->total_unlabeled / CURVE_STEPS, step_positive = total / CURVE_STEPS;
    for (size_t g = 0; g < groups->n; g++) {
        rows += groups->unlabeled[g];
        positive += groups->unlabeled[g] * groups->posterior[g];
        const bool is_step = rows > next_rows || positive > next_positive;
        if (!is_threshold(groups, g) || !(is_step || g == wanted || g == last))
            continue;
        cut[n++] = g;
        next_rows = fmax(next_rows, step_rows * ceil(rows / step_rows));
        next_positive = fmax(next_positive, step_positive * ceil(positive / step_positive));
    }
    return n;
}
