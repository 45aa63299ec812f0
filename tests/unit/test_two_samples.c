/* Tests of whether two samples are from one population: SciPy's numbers, and conditions. */
#include "chi_square.h"
#include "support.h"
#include "two_samples.h"

static void assert_close(double value, double expected)
{
    assert_near(value, expected, 1e-9 * expected);
}

/* scipy.stats.chi2.sf */
static void test_chi_square(void **state)
{
    (void)state;
    assert_close(chi_square_tail(1, 0.5), 0.47950012218695337);
    assert_close(chi_square_tail(1, 30), 4.3204630578274955e-08);
    assert_close(chi_square_tail(2, 3), 0.22313016014842982);
    assert_close(chi_square_tail(9, 33.7), 0.00010080678416966285);
    assert_close(chi_square_tail(10, 4), 0.9473469826562889);
    assert_close(chi_square_tail(255, 300), 0.02772752205390483);
    assert_close(chi_square_tail(3000, 3100), 0.09930779797969452);
    assert_close(chi_square_tail(3000, 1000), 1);
    for (size_t freedom = 1; freedom < 5; freedom++)
        assert_close(chi_square_tail(freedom, 0), 1);
    assert_near(chi_square_tail(7, 1e6), 0, 0);
}

/* scipy.stats.hypergeom.sf */
static void test_rise(void **state)
{
    (void)state;
    assert_close(rise_chance(0, 1000, 3, 200), 0.004571839916680707);
    assert_close(rise_chance(1, 50, 4, 20), 0.02129667866202584);
    assert_close(rise_chance(37, 410, 60, 333), 0.00022961970424210726);
    assert_close(rise_chance(5, 20, 15, 20), 0.0019237636541887646);
    assert_near(rise_chance(30000, 1e6, 31500, 1e6), 4.126775351255276e-10, 1e-16);
    assert_close(rise_chance(120, 200000, 9, 3000), 0.00013909016871798907);
    assert_close(rise_chance(3, 7, 7, 7), 0.03496503496503496);
    assert_near(rise_chance(7, 7, 7, 7), 1, 0); /* no rise */
    assert_near(rise_chance(3, 10, 2, 10), 1, 0);
    assert_near(rise_chance(0, 10, 0, 10), 1, 0);
    assert_near(rise_chance(0, 0, 3, 10), 1, 0); /* a sample without rows */
    assert_near(rise_chance(1, 10, 0, 0), 1, 0);
}

/* The chance that chance is below p is at most p: a sum over all outcomes. */
static void test_rise_is_exact(void **state)
{
    enum { FIRST = 30, SECOND = 12, BOTH = 9 };
    double total = 0, below = 0;
    (void)state;
    for (int k = BOTH; k >= 0; k--) { /* of these, k are in the second sample */
        const double chance =
            exp(lgamma(FIRST + 1) - lgamma(BOTH - k + 1) - lgamma(FIRST - BOTH + k + 1) + lgamma(SECOND + 1) -
                lgamma(k + 1) - lgamma(SECOND - k + 1) -
                (lgamma(FIRST + SECOND + 1) - lgamma(BOTH + 1) - lgamma(FIRST + SECOND - BOTH + 1)));
        total += chance;
        if (rise_chance(BOTH - k, FIRST, k, SECOND) <= 0.05)
            below = total;
    }
    assert_near(total, 1, 1e-12);
    assert_true(below > 0 && below <= 0.05);
}

/* scipy.stats.chi2_contingency(lambda_="log-likelihood"), divided by Williams' correction. */
static void test_homogeneity(void **state)
{
    static const struct cell_counts three[] = {{10, 14}, {20, 12}, {30, 40}}, two[] = {{100, 190}, {0, 10}},
                                    five[] = {{100.5, 30}, {99.5, 2}, {100, 11}, {100, 9}, {100, 12}},
                                    none[] = {{5, 0}, {7, 0}};
    struct cell_counts ten[10];
    (void)state;
    for (size_t i = 0; i < 10; i++)
        ten[i] = (struct cell_counts){1000, i < 5 ? 5 : 8};
    assert_close(homogeneity_chance(3, three), 0.15228573405718865);
    assert_close(homogeneity_chance(2, two), 0.005156166317786485);
    assert_close(homogeneity_chance(5, five), 1.2265273976899878e-05);
    assert_close(homogeneity_chance(10, ten), 0.9475383555333513);
    assert_near(homogeneity_chance(1, five), 1, 0);
    assert_near(homogeneity_chance(0, five), 1, 0);
    assert_near(homogeneity_chance(2, none), 1, 0);
    for (size_t i = 0; i < 10; i++)
        ten[i] = (struct cell_counts){(double)i + 6.1, 3 * ((double)i + 6.1)};
    assert_near(homogeneity_chance(10, ten), 1, 1e-9);
}

static void test_enough_rows(void **state)
{
    static const struct cell_counts total = {1000, 100}, other = {100, 1000};
    (void)state;
    assert_true(has_enough_rows(&(struct cell_counts){55, 0}, &total)); /* 5 are expected in the second */
    assert_true(has_enough_rows(&(struct cell_counts){0, 55}, &total));
    assert_false(has_enough_rows(&(struct cell_counts){30, 24}, &total));
    assert_false(has_enough_rows(&(struct cell_counts){30, 24}, &other));
    assert_true(has_enough_rows(&(struct cell_counts){30, 26}, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chi_square),    cmocka_unit_test(test_rise),
        cmocka_unit_test(test_rise_is_exact), cmocka_unit_test(test_homogeneity),
        cmocka_unit_test(test_enough_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
