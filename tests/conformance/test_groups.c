/* Fits of rows that belong together. */
#include "fitting.h"

#include <stdio.h>

enum { LABELED = 400, N = 1200, WIDTH = 4, GROUP = 8 };

/*
 * Rows of groups whose members are alike: a classifier that has seen a part of a group knows the rest. All
 * rows of a group are labeled, or none is.
 */
struct grouped {
    struct crowd crowd;
    uint32_t group[N];
};

static struct grouped *grouped_make(double spread, uint64_t seed)
{
    struct grouped *grouped = calloc(1, sizeof *grouped);
    struct rng rng;
    rng_init(&rng, seed, 9);
    grouped->crowd = crowd_make(LABELED, N - LABELED, WIDTH, 0.5, 3, seed);
    double common[WIDTH] = {0};
    for (size_t i = 0; i < N; i++) {
        grouped->group[i] = (uint32_t)(i / GROUP * 1000003); /* any numbers */
        for (size_t j = 0; j < WIDTH; j++) {
            common[j] = i % GROUP == 0 ? random_normal(&rng) : common[j];
            grouped->crowd.x[i * WIDTH + j] += spread * common[j];
        }
    }
    return grouped;
}

static void grouped_free(struct grouped *grouped)
{
    crowd_free(&grouped->crowd);
    free(grouped);
}

static dedpul_table *grouped_table(const struct grouped *grouped, bool with_groups)
{
    dedpul_table *table = crowd_table(&grouped->crowd, NULL);
    if (with_groups)
        assert_ok(dedpul_table_set_groups(table, grouped->group, &test_error), &test_error);
    return table;
}

static struct fitted fit_grouped(const struct grouped *grouped, bool with_groups,
                                 const dedpul_options *options)
{
    dedpul_table *table = grouped_table(grouped, with_groups);
    const struct fitted fitted = fit_rows(table, options);
    dedpul_table_free(table);
    return fitted;
}

/* A classifier that has learned from a part of a group knows the rest; with groups, it has not. */
static void test_no_leak(void **state)
{
    static const char *const classifiers[] = {"gbdt", "mlp"};
    struct grouped *grouped = grouped_make(5, 1);
    (void)state;
    for (size_t k = 0; k < LENGTH(classifiers); k++) {
        dedpul_options options = cheap_options(classifiers[k]);
        options.layers = "64,64";
        options.epochs = options.patience = 40;
        options.tree_rounds = 60;
        struct fitted by_rows = fit_grouped(grouped, false, &options);
        struct fitted by_groups = fit_grouped(grouped, true, &options);
        assert_true(by_rows.result->auc > by_groups.result->auc + 0.15);
        fitted_free(&by_rows);
        fitted_free(&by_groups);
    }
    grouped_free(grouped);
}

/* Neither the number of threads nor what groups are called matters; a file says the same as a matrix. */
static void test_same(void **state)
{
    struct grouped *grouped = grouped_make(1, 2);
    dedpul_options options = cheap_options(NULL);
    struct fitted first = fit_grouped(grouped, true, &options);
    const char *path = test_path("groups.csv");
    FILE *file = fopen(path, "w");
    (void)state;
    assert_non_null(file);
    (void)fputs("label,patient,1,2,3,4\n", file);
    for (size_t i = 0; i < N; i++) {
        (void)fprintf(file, "%d,patient %u", grouped->crowd.label[i], grouped->group[i]);
        for (size_t j = 0; j < WIDTH; j++)
            (void)fprintf(file, ",%.17g", grouped->crowd.x[i * WIDTH + j]);
        (void)fputs("\n", file);
        grouped->group[i] = ~grouped->group[i];
    }
    (void)fclose(file);
    options.threads = 3;
    struct fitted second = fit_grouped(grouped, true, &options);
    assert_memory_equal(first.score, second.score, N * sizeof *first.score);
    assert_same_result(first.result, second.result);
    dedpul_columns columns;
    dedpul_columns_init(&columns);
    columns.group = "patient";
    dedpul_table *table;
    assert_ok(dedpul_table_read(path, &columns, NULL, &table, &test_error), &test_error);
    struct fitted third = fit_rows(table, &options);
    assert_memory_equal(first.score, third.score, N * sizeof *first.score);
    dedpul_table_free(table);
    fitted_free(&first);
    fitted_free(&second);
    fitted_free(&third);
    grouped_free(grouped);
}

/* Rows of groups that are alike tell less: the interval is wider than that of as many independent rows. */
static void test_intervals(void **state)
{
    (void)state;
    for (int bootstrap = 0; bootstrap < 2; bootstrap++) {
        struct grouped *grouped = grouped_make(1, 3);
        dedpul_options options = cheap_options("logistic");
        options.interval = bootstrap ? DEDPUL_INTERVAL_BOOTSTRAP : DEDPUL_INTERVAL_ON;
        options.method = bootstrap ? "dedpul" : "pooled";
        struct fitted fitted = fit_grouped(grouped, true, &options);
        /* The same scores as those of independent rows. */
        const dedpul_sample rows = {.n = N, .score = fitted.score};
        dedpul_result *independent;
        assert_ok(dedpul_estimate(&rows, grouped->crowd.label, &options, &independent, &test_error),
                  &test_error);
        const dedpul_interval *wide = fitted.result->interval, *narrow = independent->interval;
        assert_true(wide->high - wide->low > 1.3 * (narrow->high - narrow->low));
        dedpul_result_free(independent);
        fitted_free(&fitted);
        grouped_free(grouped);
    }
}

/* ---- groups that are a trouble ---- */

static void check_error(struct grouped *grouped, unsigned folds, const char *message)
{
    dedpul_table *table = grouped_table(grouped, true);
    dedpul_options options = cheap_options("gbdt");
    dedpul_model *model;
    dedpul_result *result;
    options.folds = folds;
    assert_int_equal(dedpul_fit(table, &options, &model, &result, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    dedpul_table_free(table);
}

static void test_few_groups(void **state)
{
    struct grouped *grouped = grouped_make(1, 4);
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        grouped->group[i] = i < LABELED ? i % 3 : i;
    check_error(
        grouped, 5,
        "the labeled rows are of 3 groups, which is too few for 5 folds: use at most 3 folds (--folds 3)");
    dedpul_options options = cheap_options("gbdt");
    options.folds = 3;
    struct fitted fitted = fit_grouped(grouped, true, &options);
    fitted_free(&fitted);
    for (uint32_t i = 0; i < N; i++)
        grouped->group[i] = i < LABELED ? i : 7777 + i % 2;
    check_error(grouped, 3, "the unlabeled rows are of 2 groups");
    for (uint32_t i = 0; i < N; i++)
        grouped->group[i] = i < LABELED ? 1 : i;
    check_error(grouped, 2, "all 400 labeled rows are of one group");
    grouped_free(grouped);
}

static void test_large_group(void **state)
{
    struct grouped *grouped = grouped_make(1, 5);
    dedpul_options options = cheap_options("gbdt");
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        grouped->group[i] = i < 300 ? 0 : i;
    struct fitted fitted = fit_grouped(grouped, true, &options);
    assert_true(has_warning(fitted.result, "large_group"));
    fitted_free(&fitted);
    for (uint32_t i = 0; i < 150; i++)
        grouped->group[i] = i;
    fitted = fit_grouped(grouped, true, &options);
    assert_false(has_warning(fitted.result, "large_group"));
    fitted_free(&fitted);
    grouped_free(grouped);
}

static void test_null(void **state)
{
    struct grouped *grouped = grouped_make(1, 6);
    dedpul_table *table = grouped_table(grouped, false);
    (void)state;
    assert_null(dedpul_table_groups(table));
    assert_int_equal(dedpul_table_set_groups(table, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_set_groups(NULL, grouped->group, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_ok(dedpul_table_set_groups(table, grouped->group, &test_error), &test_error);
    const uint32_t *code = dedpul_table_groups(table);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(code[i], i / GROUP);
    dedpul_table_free(table);
    grouped_free(grouped);
}

/* ---- copies ---- */

static const char *warning_text(const dedpul_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i].name, name) == 0)
            return result->warnings[i].message;
    return "";
}

/* Fits rows by themselves, and with equal rows as groups: *same tells whether the scores are. */
static struct fitted fit_repeated(const struct crowd *crowd, const dedpul_options *options, bool *same)
{
    dedpul_table *table = crowd_table(crowd, NULL);
    struct fitted plain = fit_rows(table, options);
    uint32_t *group = calloc(crowd->n, sizeof *group);
    const size_t size = crowd->width * sizeof *crowd->x;
    for (uint32_t i = 0; i < crowd->n; i++) {
        uint32_t first = 0;
        while (memcmp(crowd->x + first * crowd->width, crowd->x + i * crowd->width, size) != 0)
            first++;
        group[i] = first;
    }
    assert_ok(dedpul_table_set_groups(table, group, &test_error), &test_error);
    struct fitted by_group = fit_rows(table, options);
    *same = memcmp(plain.score, by_group.score, crowd->n * sizeof *plain.score) == 0;
    fitted_free(&by_group);
    free(group);
    dedpul_table_free(table);
    return plain;
}

/* Copies of rows with continuous columns are grouped by themselves. */
static void test_copies(void **state)
{
    struct crowd crowd = crowd_make(200, 400, 3, 0.5, 3, 7);
    dedpul_options options = cheap_options("gbdt");
    bool same;
    (void)state;
    for (size_t i = 0; i < crowd.n; i++)
        if (i % 2 == 1) /* every other row is a copy of the one before it, if that has its label */
            memcpy(crowd.x + i * 3, crowd.x + (i - 1) * 3, 3 * sizeof *crowd.x);
    struct fitted fitted = fit_repeated(&crowd, &options, &same);
    assert_true(same);
    assert_contains(warning_text(fitted.result, "repeated_rows"),
                    "300 of 600 rows are copies of others. Copies were kept in one fold");
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* If columns have whole or rounded numbers alone, or there is but one, equal rows are to be expected. */
static void test_natural_repeats(void **state)
{
    static const struct {
        size_t width;
        double finer, step;
    } cases[] = {{2, 2, 1}, {2, 2, 0.5}, {1, 100, 0.01}};
    (void)state;
    for (size_t k = 0; k < LENGTH(cases); k++) {
        struct crowd crowd = crowd_make(300, 600, cases[k].width, 0.5, 3, 8);
        dedpul_options options = cheap_options("gbdt");
        bool same;
        for (size_t i = 0; i < crowd.n * crowd.width; i++)
            crowd.x[i] = cases[k].step * round(crowd.x[i] * cases[k].finer);
        struct fitted fitted = fit_repeated(&crowd, &options, &same);
        assert_false(same);
        assert_contains(warning_text(fitted.result, "repeated_rows"),
                        "rows repeat others. If they are copies");
        fitted_free(&fitted);
        crowd_free(&crowd);
    }
}

/* Copies of a few labeled rows would leave folds without any, so they are not grouped. */
static void test_copies_of_few(void **state)
{
    struct crowd crowd = crowd_make(200, 400, 3, 0.5, 3, 9);
    dedpul_options options = cheap_options("gbdt");
    (void)state;
    for (size_t i = 2; i < 200; i++)
        memcpy(crowd.x + i * 3, crowd.x + i % 2 * 3, 3 * sizeof *crowd.x);
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_contains(warning_text(fitted.result, "repeated_rows"), "198 of 600 rows repeat others");
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* Groups that are given are taken as they are; copies in others are worth a warning. */
static void test_copies_in_groups(void **state)
{
    struct grouped *grouped = grouped_make(1, 10);
    dedpul_options options = cheap_options("gbdt");
    (void)state;
    for (size_t i = 0; i < N; i++)
        if (i % 4 > 0)
            memcpy(grouped->crowd.x + i * WIDTH, grouped->crowd.x + (i - 1) * WIDTH,
                   WIDTH * sizeof *grouped->crowd.x);
    struct fitted fitted = fit_grouped(grouped, true, &options);
    assert_string_equal(warning_text(fitted.result, "repeated_rows"), "");
    fitted_free(&fitted);
    for (uint32_t i = 0; i < N; i++)
        grouped->group[i] = i;
    fitted = fit_grouped(grouped, true, &options);
    assert_contains(warning_text(fitted.result, "repeated_rows"),
                    "900 of 1200 rows repeat rows of other groups");
    fitted_free(&fitted);
    grouped_free(grouped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_leak),       cmocka_unit_test(test_same),
        cmocka_unit_test(test_intervals),     cmocka_unit_test(test_few_groups),
        cmocka_unit_test(test_large_group),   cmocka_unit_test(test_null),
        cmocka_unit_test(test_copies),        cmocka_unit_test(test_natural_repeats),
        cmocka_unit_test(test_copies_of_few), cmocka_unit_test(test_copies_in_groups),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
