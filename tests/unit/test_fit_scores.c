/* Scores that a model keeps: thinned, counted, stored. */
#include "support.h"

#include "fit_scores.h"

enum { MANY = 50000 };

struct rows {
    double *logit, *weight;
    unsigned char *label;
};

/* Normal logits with long tails; every tenth row is labeled, and lies higher. */
static struct rows rows_make(size_t n)
{
    struct rows rows = {malloc(n * sizeof(double)), malloc(n * sizeof(double)), malloc(n)};
    struct rng rng;
    rng_init(&rng, 3, 1);
    for (size_t i = 0; i < n; i++) {
        const double normal = random_normal(&rng);
        rows.label[i] = i % 10 == 0;
        rows.logit[i] = normal * (1 + 0.3 * normal * normal) + 2 * rows.label[i];
        rows.weight[i] = (double)(i % 4);
    }
    return rows;
}

static void rows_free(struct rows *rows)
{
    free(rows->logit);
    free(rows->weight);
    free(rows->label);
}

static struct fit_scores keep(struct context *context, struct arena *memory, size_t n,
                              const struct rows *rows, const double *weight)
{
    struct fit_scores kept;
    arena_init(memory, NULL);
    assert_ok(fit_scores_make(context, n, rows->logit, weight, rows->label, memory, &kept), &test_error);
    for (size_t k = 1; k < kept.n; k++)
        assert_true(kept.logit[k] > kept.logit[k - 1]);
    return kept;
}

static double weight_above(const struct fit_scores *kept, const double *weight, double bound)
{
    double sum = 0;
    for (size_t k = 0; k < kept->n; k++)
        sum += kept->logit[k] >= bound ? weight[k] : 0;
    return sum;
}

/* Few rows stay as they are. */
static void test_few(void **state)
{
    struct rows rows = rows_make(1000);
    struct context context;
    struct arena memory;
    (void)state;
    test_context_init(&context);
    rows.logit[7] = rows.logit[3];
    const struct fit_scores kept = keep(&context, &memory, 1000, &rows, NULL);
    assert_int_equal(kept.n, 999);
    for (size_t i = 0; i < 1000; i++) {
        size_t k = 0;
        while (k < kept.n && kept.logit[k] != rows.logit[i])
            k++;
        assert_true(k < kept.n);
        assert_true((rows.label[i] == 1 ? kept.labeled : kept.unlabeled)[k] >= 1);
    }
    arena_free(&memory);
    test_context_close(&context);
    rows_free(&rows);
}

/* Many rows become few points; weights add up, shares above any bound stay, and so do the ends. */
static void test_many(void **state)
{
    struct rows rows = rows_make(MANY);
    struct context context;
    struct arena memory;
    double total[2] = {0, 0};
    (void)state;
    test_context_init(&context);
    const struct fit_scores kept = keep(&context, &memory, MANY, &rows, rows.weight);
    assert_in_range(kept.n, MOST_FIT_SCORES / 2, MOST_FIT_SCORES);
    for (size_t i = 0; i < MANY; i++)
        total[rows.label[i]] += rows.weight[i];
    assert_near(weight_above(&kept, kept.labeled, -INFINITY), total[1], 0);
    assert_near(weight_above(&kept, kept.unlabeled, -INFINITY), total[0], 0);
    for (double bound = -3; bound < 5; bound += 0.37) {
        double above[2] = {0, 0};
        for (size_t i = 0; i < MANY; i++)
            above[rows.label[i]] += rows.logit[i] >= bound ? rows.weight[i] : 0;
        assert_near(weight_above(&kept, kept.labeled, bound) / total[1], above[1] / total[1], 2e-3);
        assert_near(weight_above(&kept, kept.unlabeled, bound) / total[0], above[0] / total[0], 2e-3);
    }
    assert_true(kept.labeled[kept.n - 1] + kept.unlabeled[kept.n - 1] <= 3); /* no row is merged there */
    arena_free(&memory);
    test_context_close(&context);
    rows_free(&rows);
}

/* Each row counts at the nearest logit, also beyond both ends. */
static void test_count(void **state)
{
    double logit[] = {-1, 0, 4}, none[] = {0, 0, 0}, count[] = {0, 0, 0};
    const double rows[] = {-9, -0.6, -0.4, 1.9, 2.1, 4, 70};
    const struct fit_scores kept = {3, logit, none, none};
    (void)state;
    fit_scores_count(&kept, LENGTH(rows), rows, count);
    assert_near(count[0], 2, 0);
    assert_near(count[1], 2, 0);
    assert_near(count[2], 3, 0);
}

static bool is_loaded(struct context *context, const struct fit_scores *kept, struct fit_scores *loaded)
{
    struct bytes bytes;
    bytes_init(&bytes, context);
    fit_scores_save(kept, &bytes);
    assert_false(bytes.failed);
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    assert_ok(fit_scores_load(context, &reader, context->arena, loaded), &test_error);
    assert_true(reader.failed || reader.size == 0);
    return !reader.failed;
}

static void test_bytes(void **state)
{
    double logit[] = {-1, 0, 4}, labeled[] = {0, 2, 1}, unlabeled[] = {5, 0, 0.5};
    double *const number[] = {&logit[1], &logit[2], &labeled[0], &unlabeled[2], &labeled[1]};
    const double wrong[] = {-2, INFINITY, -1, NAN, 1e308 * 1e10};
    const struct fit_scores kept = {3, logit, labeled, unlabeled};
    struct fit_scores loaded;
    struct context context;
    (void)state;
    test_context_init(&context);
    assert_true(is_loaded(&context, &kept, &loaded));
    assert_int_equal(loaded.n, 3);
    assert_memory_equal(loaded.logit, logit, sizeof logit);
    assert_memory_equal(loaded.labeled, labeled, sizeof labeled);
    assert_memory_equal(loaded.unlabeled, unlabeled, sizeof unlabeled);
    for (size_t i = 0; i < LENGTH(number); i++) {
        const double right = *number[i];
        *number[i] = wrong[i];
        assert_false(is_loaded(&context, &kept, &loaded));
        *number[i] = right;
    }
    labeled[1] = labeled[2] = 0;
    assert_false(is_loaded(&context, &kept, &loaded)); /* there are no labeled rows */
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
