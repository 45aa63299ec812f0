/* Rank tests: conditions on random errors, sums over all signs, and small cases by hand. */
#include "rank_tests.h"
#include "support.h"

enum { MOST_CELLS = 64, MOST_METHODS = 32, MOST_PAIRS = MOST_METHODS * (MOST_METHODS - 1) / 2 };

struct errors {
    size_t n_cells, n_methods;
    double value[MOST_CELLS * MOST_METHODS];
};

/* With few levels there are ties; differences and cubes are without rounding for up to 2^16 levels. */
static struct errors random_errors(struct rng *rng, uint32_t n_levels)
{
    struct errors errors = {.n_cells = 1 + rng_below(rng, MOST_CELLS),
                            .n_methods = 1 + rng_below(rng, MOST_METHODS)};
    for (size_t i = 0; i < errors.n_cells * errors.n_methods; i++)
        errors.value[i] = 1 + rng_below(rng, n_levels);
    return errors;
}

static const uint32_t levels[] = {1, 2, 5, 40, 1U << 16};

static struct rank_test friedman(const struct errors *errors, double *average_rank)
{
    return friedman_test(errors->n_cells, errors->n_methods, errors->value, average_rank);
}

/* ---- Friedman ---- */

static void check_ranks(const struct errors *errors, struct rank_test test, const double *average_rank)
{
    const double k = (double)errors->n_methods;
    double sum = 0;
    for (size_t m = 0; m < errors->n_methods; m++) {
        assert_true(average_rank[m] >= 1 && average_rank[m] <= k);
        sum += average_rank[m];
    }
    assert_near(sum, k * (k + 1) / 2, 1e-10);
    assert_true(test.p >= 0 && test.p <= 1);
    assert_true(test.statistic >= 0 && test.statistic <= (double)errors->n_cells * (k - 1) + 1e-9);
}

static void friedman_sees_only_the_order_within_cells(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 1, 0);
    for (size_t round = 0; round < 100; round++) {
        struct errors errors = random_errors(&rng, levels[round % LENGTH(levels)]);
        double rank[MOST_METHODS], again[MOST_METHODS];
        const struct rank_test test = friedman(&errors, rank);
        check_ranks(&errors, test, rank);
        for (size_t c = 0; c < errors.n_cells; c++)
            for (size_t m = 0; m < errors.n_methods; m++) {
                double *value = &errors.value[c * errors.n_methods + m];
                *value = *value * *value * *value - 1000.0 * (double)c;
            }
        const struct rank_test same = friedman(&errors, again);
        assert_memory_equal(rank, again, errors.n_methods * sizeof *rank);
        assert_true(test.statistic == same.statistic && test.p == same.p);
    }
}

static void friedman_by_hand(void **state)
{
    (void)state;
    double rank[4];
    const double ordered[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct rank_test test = friedman_test(3, 3, ordered, rank);
    assert_near(test.statistic, 6, 1e-14);
    assert_near(test.p, exp(-3), 1e-15);
    assert_true(rank[0] == 1 && rank[1] == 2 && rank[2] == 3);

    const double tied[] = {1, 2, 2, 1, 2, 3};
    test = friedman_test(2, 3, tied, rank);
    assert_near(test.statistic, 26.0 / 7, 1e-14);
    assert_near(test.p, exp(-13.0 / 7), 1e-15);
    assert_true(rank[0] == 1 && rank[1] == 2.25 && rank[2] == 2.75);

    const double two[] = {1, 2, 1, 2, 1, 2, 1, 2};
    test = friedman_test(4, 2, two, rank);
    assert_near(test.statistic, 4, 1e-14);
    assert_near(test.p, erfc(sqrt(2)), 1e-15);

    const double one_cell[] = {4, 3, 2, 1};
    test = friedman_test(1, 4, one_cell, rank);
    assert_near(test.statistic, 3, 1e-14);
    assert_near(test.p, 0.39162517627108895, 1e-14);
}

static void nothing_to_tell_apart(void **state)
{
    (void)state;
    const double equal[] = {1, 1, 1, 2, 2, 2};
    const size_t cells[] = {2, 0, 6, 0, 0}, methods[] = {3, 3, 1, 1, 0};
    for (size_t i = 0; i < LENGTH(cells); i++) {
        double rank[3] = {0};
        const struct rank_test test = friedman_test(cells[i], methods[i], equal, rank);
        assert_true(test.statistic == 0 && test.p == 1);
        for (size_t m = 0; m < methods[i]; m++)
            assert_true(rank[m] == 0.5 * (double)(methods[i] + 1));
    }
    const struct rank_test same = wilcoxon_test(6, 1, equal, equal),
                           none = wilcoxon_test(0, 1, equal, equal + 3);
    assert_true(same.statistic == 0 && same.p == 1);
    assert_true(none.statistic == 0 && none.p == 1);
    assert_true(wilcoxon_test(1, 1, equal, equal + 3).p == 1);

    double p[3] = {0, 0, 0};
    pairwise_tests(2, 3, equal, p);
    assert_true(p[0] == 1 && p[1] == 1 && p[2] == 1);
    pairwise_tests(2, 1, equal, NULL);
    holm_adjust(0, NULL);
    size_t order[1];
    assert_int_equal(critical_groups(0, NULL, NULL, 0.05, order, NULL), 0);
    assert_int_equal(critical_groups(1, equal, NULL, 0.05, order, NULL), 0);
}

/* ---- Wilcoxon ---- */

static void check_pair(const struct errors *errors, size_t a, size_t b)
{
    const size_t k = errors->n_methods;
    const struct rank_test test = wilcoxon_test(errors->n_cells, k, errors->value + a, errors->value + b);
    const struct rank_test swapped = wilcoxon_test(errors->n_cells, k, errors->value + b, errors->value + a);
    assert_true(test.statistic == swapped.statistic && test.p == swapped.p);
    assert_true(test.p > 0 && test.p <= 1);

    /* Other cells first, and another unit. */
    double x[MOST_CELLS], y[MOST_CELLS];
    double n_nonzero = 0;
    for (size_t c = 0; c < errors->n_cells; c++) {
        const double *cell = errors->value + (errors->n_cells - 1 - c) * k;
        x[c] = 3 * cell[a];
        y[c] = 3 * cell[b];
        n_nonzero += x[c] != y[c];
    }
    const struct rank_test same = wilcoxon_test(errors->n_cells, 1, x, y);
    assert_true(test.statistic == same.statistic && test.p == same.p);
    assert_true(test.statistic >= 0 && test.statistic <= n_nonzero * (n_nonzero + 1) / 4);
}

static void wilcoxon_is_symmetric(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 2, 0);
    for (size_t round = 0; round < 100; round++) {
        const struct errors errors = random_errors(&rng, levels[round % LENGTH(levels)]);
        for (size_t b = 0; b < errors.n_methods; b++)
            check_pair(&errors, 0, b);
    }
}

/* The share of the 2^n signs with a smaller sum of ranks, or the same. */
static double share_of_signs(size_t n, double statistic)
{
    size_t count = 0;
    for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
        double plus = 0;
        for (size_t i = 0; i < n; i++)
            plus += (double)((signs >> i & 1) * (i + 1));
        count += fmin(plus, (double)(n * (n + 1)) / 2 - plus) <= statistic;
    }
    return ldexp((double)count, -(int)n);
}

static void wilcoxon_counts_signs(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, 0);
    const double zero[12] = {0};
    for (size_t n = 1; n <= LENGTH(zero); n++)
        for (int round = 0; round < 20; round++) {
            double difference[LENGTH(zero)], plus = 0, minus = 0;
            for (size_t i = 0; i < n; i++) {
                const double rank = (double)(n - i);
                const bool is_positive = rng_below(&rng, 3) > 0;
                difference[i] = (is_positive ? 1 : -1) * rank * rank;
                *(is_positive ? &plus : &minus) += rank;
            }
            const struct rank_test test = wilcoxon_test(n, 1, difference, zero);
            assert_true(test.statistic == fmin(plus, minus));
            assert_true(test.p == share_of_signs(n, test.statistic));
        }
}

static void wilcoxon_by_hand(void **state)
{
    (void)state;
    const double zero[51] = {0};
    const double exact[] = {1, 2, 3, -4, 5};
    struct rank_test test = wilcoxon_test(5, 1, exact, zero);
    assert_true(test.statistic == 4 && test.p == 14.0 / 32);

    const double with_zero[] = {0, 1, 2, 3};
    test = wilcoxon_test(4, 1, with_zero, zero);
    assert_true(test.statistic == 0);
    assert_near(test.p, erfc(3 / sqrt(7)), 1e-15);

    const double tied[] = {1, 1, -1};
    test = wilcoxon_test(3, 1, tied, zero);
    assert_true(test.statistic == 2);
    assert_near(test.p, erfc(1 / sqrt(6)), 1e-15);

    double many[51];
    for (size_t i = 0; i < LENGTH(many); i++)
        many[i] = (double)(i + 1);
    assert_true(wilcoxon_test(50, 1, many, zero).p == ldexp(1, -49));
    assert_near(wilcoxon_test(51, 1, many, zero).p, erfc(663 / sqrt(2 * 51 * 52 * 103 / 24.0)), 1e-24);
}

/* ---- Holm ---- */

static void holm_by_hand(void **state)
{
    (void)state;
    double p[] = {0.01, 0.04, 0.03, 0.005}, high[] = {0.9, 0.6, 0}, small[] = {1e-20, 3e-300};
    const double adjusted[] = {0.03, 0.06, 0.06, 0.02};
    holm_adjust(LENGTH(p), p);
    for (size_t i = 0; i < LENGTH(p); i++)
        assert_near(p[i], adjusted[i], 1e-16);
    holm_adjust(LENGTH(high), high);
    assert_true(high[0] == 1 && high[1] == 1 && high[2] == 0 && !signbit(high[2]));
    holm_adjust(LENGTH(small), small);
    assert_true(small[0] == 1e-20 && small[1] == 6e-300);
}

static void holm_keeps_the_order(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 4, 0);
    for (size_t round = 0; round < 100; round++) {
        double p[MOST_PAIRS], adjusted[MOST_PAIRS], smallest = 1, smallest_adjusted = 1;
        const size_t n = 1 + rng_below(&rng, 60);
        for (size_t i = 0; i < n; i++)
            adjusted[i] = p[i] = rng_below(&rng, 2) ? pow(rng_uniform(&rng), 8) : rng_below(&rng, 5) / 4.0;
        holm_adjust(n, adjusted);
        for (size_t i = 0; i < n; i++) {
            assert_true(adjusted[i] >= p[i] && adjusted[i] <= fmin(1, (double)n * p[i] * (1 + 1e-15)));
            for (size_t j = 0; j < n; j++)
                assert_true(p[i] < p[j] ? adjusted[i] <= adjusted[j]
                                        : p[i] > p[j] || adjusted[i] == adjusted[j]);
            smallest = fmin(smallest, p[i]);
            smallest_adjusted = fmin(smallest_adjusted, adjusted[i]);
        }
        assert_true(smallest_adjusted == fmin(1, (double)n * smallest)); /* as Bonferroni's */
    }
}

static void pairs_are_numbered_once(void **state)
{
    (void)state;
    bool is_seen[MOST_PAIRS] = {false};
    for (size_t a = 0; a < MOST_METHODS; a++)
        for (size_t b = 0; b < a; b++) {
            assert_int_equal(pair_index(a, b), pair_index(b, a));
            assert_true(pair_index(a, b) < pair_count(a + 1));
            assert_false(is_seen[pair_index(a, b)]);
            is_seen[pair_index(a, b)] = true;
        }
}

static void pairwise_tests_are_wilcoxons(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 5, 0);
    const struct errors errors = random_errors(&rng, 1U << 16);
    const size_t k = errors.n_methods, n_pairs = pair_count(k);
    double p[MOST_PAIRS], expected[MOST_PAIRS];
    assert_true(k > 2);
    for (size_t a = 0; a < k; a++)
        for (size_t b = a + 1; b < k; b++)
            expected[pair_index(a, b)] =
                wilcoxon_test(errors.n_cells, k, errors.value + a, errors.value + b).p;
    holm_adjust(n_pairs, expected);
    pairwise_tests(errors.n_cells, k, errors.value, p);
    assert_memory_equal(p, expected, n_pairs * sizeof *p);
}

/* ---- groups ---- */

static bool is_uniform(const size_t *order, size_t first, size_t last, const double *p, double level)
{
    for (size_t i = first; i <= last; i++)
        for (size_t j = first; j < i; j++)
            if (p[pair_index(order[i], order[j])] < level)
                return false;
    return true;
}

/* Every run that is uniform, and neither longer one is, is in the list, and no other. */
static void groups_are_all_longest_runs(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 6, 0);
    size_t n_total = 0;
    for (size_t round = 0; round < 200; round++) {
        const size_t n = 1 + rng_below(&rng, 12);
        const double level = 0.05 * (double)(1 + round % 6);
        double rank[12], p[66];
        size_t order[12], next = 0;
        struct rank_group group[12];
        for (size_t i = 0; i < n; i++)
            rank[i] = 1 + rng_below(&rng, 20) / 4.0;
        for (size_t i = 0; i < pair_count(n); i++)
            p[i] = rng_below(&rng, 21) / 20.0;
        const size_t n_groups = critical_groups(n, rank, p, level, order, group);
        for (size_t i = 1; i < n; i++)
            assert_true(rank[order[i - 1]] < rank[order[i]] ||
                        (rank[order[i - 1]] == rank[order[i]] && order[i - 1] < order[i]));
        for (size_t first = 0; first < n; first++)
            for (size_t last = first + 1; last < n; last++) {
                if (!is_uniform(order, first, last, p, level) ||
                    (first > 0 && is_uniform(order, first - 1, last, p, level)) ||
                    (last + 1 < n && is_uniform(order, first, last + 1, p, level)))
                    continue;
                assert_true(next < n_groups);
                assert_true(group[next].first == first && group[next].last == last);
                next++;
            }
        assert_int_equal(next, n_groups);
        n_total += n_groups;
    }
    assert_true(n_total > 200);
}

/* Methods 2, 0, 3, 1 by rank: 2 and 0 are alike, 0 and 3 and 1 are alike, 2 differs from 3 and 1. */
static void groups_by_hand(void **state)
{
    (void)state;
    const double rank[] = {2, 3.5, 1.5, 3};
    double p[6] = {1, 1, 1, 1, 1, 1};
    p[pair_index(2, 3)] = 0.01;
    p[pair_index(2, 1)] = 0.01;
    size_t order[4];
    struct rank_group group[4];
    assert_int_equal(critical_groups(4, rank, p, 0.02, order, group), 2);
    assert_true(order[0] == 2 && order[1] == 0 && order[2] == 3 && order[3] == 1);
    assert_true(group[0].first == 0 && group[0].last == 1 && group[1].first == 1 && group[1].last == 3);
    assert_int_equal(critical_groups(4, rank, p, 0.01, order, group),
                     1); /* p at the level is no difference */
    assert_true(group[0].first == 0 && group[0].last == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friedman_sees_only_the_order_within_cells),
        cmocka_unit_test(friedman_by_hand),
        cmocka_unit_test(nothing_to_tell_apart),
        cmocka_unit_test(wilcoxon_is_symmetric),
        cmocka_unit_test(wilcoxon_counts_signs),
        cmocka_unit_test(wilcoxon_by_hand),
        cmocka_unit_test(holm_by_hand),
        cmocka_unit_test(holm_keeps_the_order),
        cmocka_unit_test(pairs_are_numbered_once),
        cmocka_unit_test(pairwise_tests_are_wilcoxons),
        cmocka_unit_test(groups_are_all_longest_runs),
        cmocka_unit_test(groups_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
