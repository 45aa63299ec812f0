/*
 * The rank tests of matrices on standard input, each as n_cells, n_methods and its errors by cells: a line
 * with Friedman's statistic, p and the average ranks, then one per pair with Wilcoxon's statistic, p and
 * adjusted p.
 */
#include "rank_tests.h"

#include <stdio.h>

enum { MOST_CELLS = 64, MOST_METHODS = 32 };

static void print_tests(size_t n_cells, size_t n_methods, const double *error)
{
    double average_rank[MOST_METHODS], adjusted[MOST_METHODS * (MOST_METHODS - 1) / 2];
    const struct rank_test friedman = friedman_test(n_cells, n_methods, error, average_rank);
    printf("%.17g %.17g", friedman.statistic, friedman.p);
    for (size_t m = 0; m < n_methods; m++)
        printf(" %.17g", average_rank[m]);
    printf("\n");
    pairwise_tests(n_cells, n_methods, error, adjusted);
    for (size_t b = 0; b < n_methods; b++)
        for (size_t a = 0; a < b; a++) {
            const struct rank_test test = wilcoxon_test(n_cells, n_methods, error + a, error + b);
            printf("%.17g %.17g %.17g\n", test.statistic, test.p, adjusted[pair_index(a, b)]);
        }
}

int main(void)
{
    static double error[MOST_CELLS * MOST_METHODS];
    size_t n_cells, n_methods;
    while (scanf("%zu %zu", &n_cells, &n_methods) == 2) {
        if (n_cells > MOST_CELLS || n_methods > MOST_METHODS)
            return 1;
        for (size_t i = 0; i < n_cells * n_methods; i++)
            if (scanf("%lf", &error[i]) != 1)
                return 1;
        print_tests(n_cells, n_methods, error);
    }
    return 0;
}
