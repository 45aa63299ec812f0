/* Whether one score tells labeled from unlabeled rows better than another. */
#include "support.h"

#include "auc_difference.h"
#include "rng.h"
#include "weighted.h"

enum { ROWS = 60 };

/* Rows with two scores of few distinct values, and weights. */
struct test_rows {
    double a[ROWS], b[ROWS], weight[ROWS];
    unsigned char label[ROWS];
};

static struct test_rows rows_make(uint64_t seed)
{
    struct test_rows rows;
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t i = 0; i < ROWS; i++) {
        rows.label[i] = i % 3 == 0;
        rows.a[i] = (double)rng_below(&rng, 9) + 2 * rows.label[i];
        rows.b[i] = -5 + (double)rng_below(&rng, 12) + rows.label[i];
        rows.weight[i] = 1 + (double)rng_below(&rng, 3);
    }
    return rows;
}

static struct auc_difference test_it(const struct scored_twice *rows)
{
    struct context context;
    struct auc_difference difference;
    test_context_init(&context);
    assert_ok(auc_difference(&context, rows, &difference), &test_error);
    test_context_close(&context);
    return difference;
}

/* The difference of one row's wins by both scores, over all rows of the other label. */
static double wins(const struct test_rows *rows, size_t i)
{
    double sum = 0, total = 0;
    for (size_t j = 0; j < ROWS; j++) {
        if (rows->label[j] == rows->label[i])
            continue;
        const double sign = rows->label[i] == 1 ? 1 : -1;
        const double by_a = sign * (rows->a[i] - rows->a[j]), by_b = sign * (rows->b[i] - rows->b[j]);
        sum += rows->weight[j] * ((by_a > 0) + 0.5 * (by_a == 0) - (by_b > 0) - 0.5 * (by_b == 0));
        total += rows->weight[j];
    }
    return sum / total;
}

/* By its definition, over all pairs of rows. */
static void test_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        const struct test_rows rows = rows_make(seed);
        const struct scored_twice scores = {ROWS, rows.label, rows.weight, rows.a, rows.b};
        double mean[2] = {0, 0}, total[2] = {0, 0}, squares[2] = {0, 0};
        for (size_t i = 0; i < ROWS; i++) {
            mean[rows.label[i]] += rows.weight[i] * wins(&rows, i);
            total[rows.label[i]] += rows.weight[i];
        }
        for (int label = 0; label < 2; label++)
            mean[label] /= total[label];
        for (size_t i = 0; i < ROWS; i++)
            squares[rows.label[i]] += rows.weight[i] * pow(wins(&rows, i) - mean[rows.label[i]], 2);
        const double variance =
            squares[0] / total[0] / (total[0] - 1) + squares[1] / total[1] / (total[1] - 1);
        const struct auc_difference found = test_it(&scores);
        assert_near(found.value, mean[1], 1e-12);
        assert_near(found.chance, erfc(fabs(mean[1]) / sqrt(2 * variance)), 1e-7);
    }
}

/* A row of weight 3 counts as three rows; one of weight 0 counts nowhere. */
static void test_weights(void **state)
{
    const struct test_rows rows = rows_make(77);
    double a[3 * ROWS], b[3 * ROWS], thinned[ROWS];
    unsigned char label[3 * ROWS];
    size_t n = 0, m = 0;
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        thinned[i] = i % 4 == 0 ? 0 : rows.weight[i];
        for (double k = 0; k < thinned[i]; k++) {
            a[n] = rows.a[i];
            b[n] = rows.b[i];
            label[n++] = rows.label[i];
        }
        m += thinned[i] == 0;
    }
    const struct scored_twice weighted = {ROWS, rows.label, thinned, rows.a, rows.b},
                              repeated = {n, label, NULL, a, b};
    const struct auc_difference by_weight = test_it(&weighted), by_rows = test_it(&repeated);
    assert_true(m > 10);
    assert_near(by_weight.value, by_rows.value, 1e-12);
    assert_near(by_weight.chance, by_rows.chance, 1e-9);
}

/* The same order is no difference, whatever the numbers. The other way round, the difference changes sign. */
static void test_orders(void **state)
{
    struct test_rows rows = rows_make(5);
    const struct scored_twice forth = {ROWS, rows.label, NULL, rows.a, rows.b},
                              back = {ROWS, rows.label, NULL, rows.b, rows.a};
    (void)state;
    assert_near(test_it(&forth).value, -test_it(&back).value, 1e-14);
    assert_near(test_it(&forth).chance, test_it(&back).chance, 1e-14);
    for (size_t i = 0; i < ROWS; i++)
        rows.b[i] = exp(rows.a[i]);
    assert_near(test_it(&forth).value, 0, 0);
    assert_near(test_it(&forth).chance, 1, 0);
}

/* Of scores that are equally good, about one in twenty pairs has a chance below 0.05; worse ones are found.
 */
static void test_chance(void **state)
{
    enum { PAIRS = 400, N = 200 };
    size_t false_alarms = 0, found = 0;
    struct rng rng;
    (void)state;
    rng_init(&rng, 9, 9);
    for (size_t k = 0; k < PAIRS; k++) {
        double a[N], b[N], worse[N];
        unsigned char label[N];
        for (size_t i = 0; i < N; i++) {
            label[i] = i % 4 == 0;
            const double common = label[i] + random_normal(&rng);
            a[i] = common + random_normal(&rng);
            b[i] = common + random_normal(&rng);
            worse[i] = common + 4 * random_normal(&rng);
        }
        const struct scored_twice equal = {N, label, NULL, a, b}, unequal = {N, label, NULL, a, worse};
        const struct auc_difference difference = test_it(&unequal);
        false_alarms += test_it(&equal).chance < 0.05;
        found += difference.value > 0 && difference.chance < 0.05;
    }
    assert_true(false_alarms > PAIRS / 60 && false_alarms < PAIRS / 11);
    assert_true(found > PAIRS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
