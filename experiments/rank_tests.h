/*
 * Rank tests of whether methods differ over many cells (Demsar, "Statistical comparisons of classifiers over
 * multiple data sets", 2006). Errors must be finite. If nothing can be told apart (fewer than two methods, no
 * cells, all errors equal), p is 1.
 */
#ifndef DEDPUL_EXPERIMENTS_RANK_TESTS_H
#define DEDPUL_EXPERIMENTS_RANK_TESTS_H

#include <stddef.h>

struct rank_test {
    double statistic, p;
};

/* Friedman's test of whether any methods differ. Rank 1 is the lowest error; ties share their mean rank. */
struct rank_test friedman_test(size_t n_cells, size_t n_methods,
                               const double *error /* (n_cells, n_methods) */,
                               double *average_rank /* (n_methods) */);

/*
 * Wilcoxon's signed-rank test, two-sided. The statistic is the smaller sum of ranks. Zero differences are
 * left out. For up to 50 differences without zeros and ties the distribution is exact; otherwise it is the
 * normal approximation, corrected for ties but not for continuity.
 */
struct rank_test wilcoxon_test(size_t n, size_t stride /* from one number to the next, at least 1 */,
                               const double *x /* (n) */, const double *y /* (n) */);

/* Holm's step-down correction for many tests at once: afterwards each p may be compared with the level. */
void holm_adjust(size_t n, double *p /* (n) in [0, 1] */);

/* The pairs of different methods are numbered 0 .. n_pairs-1, whichever of the two comes first. */
static inline size_t pair_count(size_t n_methods)
{
    return n_methods > 0 ? n_methods * (n_methods - 1) / 2 : 0;
}

static inline size_t pair_index(size_t a, size_t b)
{
    return a < b ? pair_count(b) + a : pair_count(a) + b;
}

/* Wilcoxon's test of each pair of methods, with Holm's correction. */
void pairwise_tests(size_t n_cells, size_t n_methods, const double *error /* (n_cells, n_methods) */,
                    double *p /* (n_pairs) */);

/* Methods at positions first .. last of the order by average rank. */
struct rank_group {
    size_t first, last;
};

/*
 * Finds the bars of a critical difference diagram: the longest runs of at least two methods, neighbours by
 * average rank, in which no two methods differ (p >= level). Returns the number of bars.
 */
size_t critical_groups(size_t n_methods, const double *average_rank /* (n_methods) */,
                       const double *p /* (n_pairs) */, double level,
                       size_t *order /* (n_methods) by average rank */,
                       struct rank_group *group /* (n_methods) from the best */);

#endif
