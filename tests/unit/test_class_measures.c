/* Measures of an order of rows, their standard errors, and ranges from several guesses. */
#include "support.h"

#include "class_measures.h"
#include "guesses.h"
#include "normal.h"

enum { GROUPS = 40 };

/* Rows of both classes, by groups from the highest score down; about every third group has ties. */
struct test_classes {
    double rows[GROUPS], positive[GROUPS], negative[GROUPS];
};

static struct test_classes classes_make(uint64_t seed)
{
    struct test_classes made;
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t g = 0; g < GROUPS; g++) {
        made.positive[g] = (double)rng_below(&rng, (uint32_t)(2 + (GROUPS - g) / 8));
        made.negative[g] = (double)rng_below(&rng, (uint32_t)(2 + g / 8));
        made.rows[g] = made.positive[g] + made.negative[g];
    }
    return made;
}

static struct classes classes_from(const struct test_classes *made)
{
    return classes_of(GROUPS, made->rows, made->positive, made->negative, 1e12);
}

static void test_perfect(void **state)
{
    static const double rows[] = {3, 2, 4, 1}, positive[] = {3, 2, 0, 0}, negative[] = {0, 0, 4, 1};
    const struct classes good = classes_of(4, rows, positive, negative, 50);
    const struct classes bad = classes_of(4, rows, negative, positive, 50);
    (void)state;
    assert_near(measure_auc(&good).value, 1, 0);
    assert_near(measure_average_precision(&good).value, 1, 0);
    assert_near(measure_best_f1(&good).value, 1, 0);
    assert_near(measure_auc(&bad).value, 0, 0);
    assert_true(measure_auc(&good).error > 0 && measure_auc(&good).error < 0.2);
}

/* By their definitions: over all pairs of a positive and a negative, and over all thresholds. */
static void test_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct test_classes made = classes_make(seed);
        const struct classes classes = classes_from(&made);
        double won = 0, precision = 0, best = 0, above = 0, above_p = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            for (size_t h = 0; h < GROUPS; h++)
                won += made.positive[g] * made.negative[h] * (g < h ? 1 : g == h ? 0.5 : 0);
            above += made.rows[g];
            above_p += made.positive[g];
            if (above > 0)
                precision += made.positive[g] * above_p / above;
            const double recall = above_p / classes.total_positive, found = above > 0 ? above_p / above : 0;
            if (above_p > 0)
                best = fmax(best, 2 / (1 / recall + 1 / found));
        }
        const double p = classes.total_positive, n = classes.total_negative;
        assert_near(measure_auc(&classes).value, won / (p * n), 1e-12);
        assert_near(measure_average_precision(&classes).value, precision / p, 1e-12);
        assert_near(measure_best_f1(&classes).value, best, 1e-12);
    }
}

static void test_threshold(void **state)
{
    const struct test_classes made = classes_make(3);
    const struct classes classes = classes_from(&made);
    struct flagged flagged = {0, 0};
    (void)state;
    assert_true(isnan(measure_precision(&classes, &flagged).value));
    assert_near(measure_recall(&classes, &flagged).value, 0, 0);
    assert_near(measure_f1(&classes, &flagged).value, 0, 0);
    flagged = (struct flagged){20, 15};
    const double precision = measure_precision(&classes, &flagged).value;
    const double recall = measure_recall(&classes, &flagged).value;
    assert_near(precision, 0.75, 1e-15);
    assert_near(recall, 15 / classes.total_positive, 1e-15);
    assert_near(measure_f1(&classes, &flagged).value, 2 * precision * recall / (precision + recall), 1e-15);
}

/* Without rows of a class there is nothing to measure. */
static void test_undefined(void **state)
{
    static const double rows[] = {2, 2}, none[] = {0, 0};
    const struct classes negative = classes_of(2, rows, none, rows, 10),
                         positive = classes_of(2, rows, rows, none, 10);
    const struct flagged flagged = {2, 0};
    (void)state;
    assert_true(isnan(measure_auc(&negative).value) && isnan(measure_auc(&positive).value));
    assert_true(isnan(measure_average_precision(&negative).value));
    assert_true(isnan(measure_recall(&negative, &flagged).value));
    assert_near(measure_average_precision(&positive).value, 1, 0);
}

enum { SAMPLES = 1000, SAMPLE_ROWS = 600 };

/* A sample of 200 positives N(1, 1) and 400 negatives N(0, 1). */
static struct test_classes sample_classes(struct rng *rng)
{
    struct test_classes made = {{0}, {0}, {0}};
    for (size_t i = 0; i < SAMPLE_ROWS; i++) {
        const bool is_positive = i < SAMPLE_ROWS / 3;
        const double place = GROUPS / 2.0 - 6 * (random_normal(rng) + (is_positive ? 1 : 0) - 0.5);
        const size_t g = (size_t)fmin(fmax(place, 0), GROUPS - 1);
        made.rows[g]++;
        (is_positive ? made.positive : made.negative)[g]++;
    }
    return made;
}

/*
 * Standard errors are the spread that measures have over samples. That of positives is a little larger, for
 * what classifiers learn by chance: at most by the root of 1 + 0.4 / 3, as a third of the rows are positive.
 */
static void test_errors(void **state)
{
    enum { CUT = GROUPS / 2, N = 5 };
    double sum[N] = {0}, squares[N] = {0}, error[N] = {0};
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 2);
    for (size_t s = 0; s < SAMPLES; s++) {
        const struct test_classes made = sample_classes(&rng);
        const struct classes classes = classes_from(&made);
        struct flagged flagged = {0, 0};
        for (size_t g = 0; g < CUT; g++) {
            flagged.rows += made.rows[g];
            flagged.positive += made.positive[g];
        }
        const struct measure found[N] = {
            measure_auc(&classes), measure_average_precision(&classes), measure_recall(&classes, &flagged),
            measure_precision(&classes, &flagged), measure_f1(&classes, &flagged)};
        for (size_t k = 0; k < N; k++) {
            sum[k] += found[k].value;
            squares[k] += found[k].value * found[k].value;
            error[k] += found[k].error / SAMPLES;
        }
    }
    for (size_t k = 0; k < N; k++) {
        const double mean = sum[k] / SAMPLES, spread = sqrt(squares[k] / SAMPLES - mean * mean);
        assert_near(error[k] / spread, 1.03, 0.08);
    }
}

/* Few labeled rows tell little about where positives lie. */
static void test_labeled(void **state)
{
    const struct test_classes made = classes_make(5);
    const struct flagged flagged = {30, 20};
    struct classes classes = classes_from(&made);
    double before = measure_recall(&classes, &flagged).error;
    (void)state;
    for (double labeled = 1000; labeled > 5; labeled /= 10) {
        classes.labeled = labeled;
        const double error = measure_recall(&classes, &flagged).error;
        assert_true(error > before);
        before = error;
    }
}

/* ---- guesses ---- */

static void test_one_guess(void **state)
{
    const struct guess guess = {0.3, 0.8, 0.04, 0}, wide = {1, 0.9, 0.2, 0};
    (void)state;
    assert_near(guesses_quantile(1, &guess, 0.5), 0.8, 1e-7);
    assert_near(guesses_quantile(1, &guess, 0.975), 0.8 + normal_quantile(0.975) * 0.04, 1e-7);
    const struct range range = guesses_range(1, &guess, 0.9);
    assert_near(range.high - range.value, range.value - range.low, 1e-7);
    const struct range clipped = guesses_range(1, &wide, 0.95);
    assert_near(clipped.high, 1, 1e-7);
    assert_near(clipped.low, 0.9 + normal_quantile(0.025) * 0.2, 1e-7);
}

/* Half of the probability at either value, and a guess that does not count. */
static void test_several_guesses(void **state)
{
    const struct guess guess[] = {{1, 0.2, 0, 0}, {1, 0.9, 0, 0}, {0, NAN, NAN, 0}};
    const struct guess wide[] = {{1, 0, 0.3, 0}, {2, 1, 0.3, 0}, {1, 0.5, 9, 0}};
    double before = 0;
    (void)state;
    assert_near(guesses_quantile(3, guess, 0.25), 0.2, 1e-7);
    assert_near(guesses_quantile(3, guess, 0.75), 0.9, 1e-7);
    assert_true(isnan(guesses_quantile(1, guess + 2, 0.5)));
    for (int percent = 1; percent < 100; percent++) {
        const double here = guesses_quantile(3, wide, percent / 100.0);
        assert_true(here >= before && here <= 1);
        before = here;
    }
    assert_near(before, 1, 1e-7);
    assert_near(guesses_quantile(3, wide, 0.01), 0, 0);
}

/* The range of a share is Wilson's. If all rows of a sample are flagged, some may still be missing. */
static void test_share(void **state)
{
    const double z = normal_quantile(0.975), n = 40;
    (void)state;
    for (double share = 0; share <= 1; share += 0.125) {
        const struct guess guess = {1, share, 0, n};
        const struct range range = guesses_range(1, &guess, 0.95);
        const double center = (share + z * z / (2 * n)) / (1 + z * z / n);
        const double half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n);
        assert_near(range.value, share, 1e-7);
        assert_near(range.low, center - half, 1e-7);
        assert_near(range.high, center + half, 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perfect),   cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_threshold), cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_labeled),
        cmocka_unit_test(test_one_guess), cmocka_unit_test(test_several_guesses),
        cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
