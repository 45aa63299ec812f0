#include "rank_tests.h"

#include "chi_square.h"

#include <math.h>

/* The place of a value among others: how many are below it, and how many are equal to it, itself included. */
struct place {
    size_t below, equal;
};

static double mid_rank(struct place place)
{
    return (double)place.below + 0.5 * (double)(place.equal + 1);
}

/* A value's part of the sum of t^3 - t over all groups of t ties. */
static double tie_term(struct place place)
{
    return (double)(place.equal * place.equal - 1);
}

static struct place place_in_row(size_t n, const double *value /* (n) */, size_t index)
{
    struct place place = {0, 0};
    for (size_t i = 0; i < n; i++) {
        place.below += value[i] < value[index];
        place.equal += value[i] == value[index];
    }
    return place;
}

struct rank_test friedman_test(size_t n_cells, size_t n_methods, const double *error, double *average_rank)
{
    const double n = (double)n_cells, k = (double)n_methods, center = 0.5 * (k + 1);
    double ties = 0, squares = 0;
    for (size_t m = 0; m < n_methods; m++) {
        double off_center = 0; /* halves add up without rounding */
        for (size_t c = 0; c < n_cells; c++) {
            const struct place place = place_in_row(n_methods, error + c * n_methods, m);
            off_center += mid_rank(place) - center;
            ties += tie_term(place);
        }
        squares += off_center * off_center;
        average_rank[m] = n_cells > 0 ? center + off_center / n : center;
    }
    const double spread = n * k * (k * k - 1) - ties; /* 0 if all values of each cell are equal */
    if (!(spread > 0))
        return (struct rank_test){0, 1};
    const double statistic = 12 * (k - 1) * squares / spread;
    return (struct rank_test){statistic, chi_square_tail(n_methods - 1, statistic)};
}

enum { MOST_EXACT = 50, MOST_EXACT_SUM = MOST_EXACT * (MOST_EXACT + 1) / 4 };

/* P(sum <= statistic) if each of the ranks 1 .. n is in the sum with probability 1/2. */
static double exact_tail(size_t n, size_t statistic /* at most n (n + 1) / 4 */)
{
    double ways[MOST_EXACT_SUM + 1] = {1}; /* to each sum; below 2^53, so exact */
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t sum = statistic; sum >= rank; sum--)
            ways[sum] += ways[sum - rank];
    double total = 0;
    for (size_t sum = 0; sum <= statistic; sum++)
        total += ways[sum];
    return ldexp(total, -(int)n);
}

struct rank_test wilcoxon_test(size_t n, size_t stride, const double *x, const double *y)
{
    double plus = 0, minus = 0, ties = 0;
    size_t n_nonzero = 0;
    for (size_t i = 0; i < n * stride; i += stride) {
        const double difference = x[i] - y[i];
        if (difference == 0)
            continue;
        struct place place = {0, 0};
        for (size_t j = 0; j < n * stride; j += stride) {
            const double other = fabs(x[j] - y[j]);
            place.below += other != 0 && other < fabs(difference);
            place.equal += other == fabs(difference);
        }
        *(difference > 0 ? &plus : &minus) += mid_rank(place);
        ties += tie_term(place);
        n_nonzero++;
    }
    if (n_nonzero == 0)
        return (struct rank_test){0, 1};
    const double statistic = fmin(plus, minus);
    if (n_nonzero == n && n <= MOST_EXACT && ties == 0)
        return (struct rank_test){statistic, fmin(2 * exact_tail(n, (size_t)statistic), 1)};
    const double count = (double)n_nonzero, mean = count * (count + 1) / 4;
    const double variance = (count * (count + 1) * (2 * count + 1) - 0.5 * ties) / 24;
    return (struct rank_test){statistic, erfc((mean - statistic) / sqrt(2 * variance))};
}

void holm_adjust(size_t n, double *p)
{
    double largest = 0;
    /* From the lowest p up. The sign marks those that are done; -0.0 counts as marked, too. */
    for (size_t left = n; left > 0; left--) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!signbit(p[i]) && (next == n || p[i] < p[next]))
                next = i;
        largest = fmin(fmax(largest, (double)left * p[next]), 1);
        p[next] = -largest;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = fabs(p[i]);
}

void pairwise_tests(size_t n_cells, size_t n_methods, const double *error, double *p)
{
    for (size_t b = 0; b < n_methods; b++)
        for (size_t a = 0; a < b; a++)
            p[pair_index(a, b)] = wilcoxon_test(n_cells, n_methods, error + a, error + b).p;
    holm_adjust(pair_count(n_methods), p);
}

/* Ties keep the order of the methods. */
static void order_by_rank(size_t n, const double *average_rank, size_t *order)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && average_rank[order[at - 1]] > average_rank[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Tells whether the last method of a run differs from none of the methods before it. */
static int joins(const size_t *order, size_t first, size_t last, const double *p, double level)
{
    for (size_t i = first; i < last; i++)
        if (!(p[pair_index(order[i], order[last])] >= level))
            return 0;
    return 1;
}

size_t critical_groups(size_t n_methods, const double *average_rank, const double *p, double level,
                       size_t *order, struct rank_group *group)
{
    size_t n_groups = 0, last = 0;
    order_by_rank(n_methods, average_rank, order);
    /* A run that begins later never ends earlier. If it ends at the same place, it is part of the other. */
    for (size_t first = 0; first < n_methods; first++) {
        const size_t reached = last;
        while (last + 1 < n_methods && (last < first || joins(order, first, last + 1, p, level)))
            last++;
        if (last > reached && last > first)
            group[n_groups++] = (struct rank_group){first, last};
    }
    return n_groups;
}
