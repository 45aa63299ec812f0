/* Fits that check whether labeled rows may be a random draw of the positives. */
#include "fitting.h"

enum { N_LABELED = 400, N_UNLABELED = 2000, N = N_LABELED + N_UNLABELED, WIDTH = 3 };

struct rows {
    float x[N * WIDTH];
    unsigned char label[N];
    const char *kind[N];
};

/* Kind a is at (4, 0), b at (0, 4), negatives at (0, 0); of the unlabeled rows a fifth is a, a fifth is b. */
static struct rows *make_rows(double labeled_of_a)
{
    struct rows *rows = calloc(1, sizeof *rows);
    struct rng rng;
    rng_init(&rng, 4, 0);
    for (size_t i = 0; i < N; i++) {
        const double u = rng_uniform(&rng);
        const int kind = i < N_LABELED ? u >= labeled_of_a : u < 0.2 ? 0 : u < 0.4 ? 1 : 2;
        rows->label[i] = i < N_LABELED;
        rows->kind[i] = i >= N_LABELED ? NULL : kind == 0 ? "a" : "b";
        for (int j = 0; j < WIDTH; j++)
            rows->x[i * WIDTH + (size_t)j] = (float)(random_normal(&rng) + (j == kind ? 4 : 0));
    }
    return rows;
}

static dedpul_table *make_table(const struct rows *rows, size_t first, bool has_kinds)
{
    const dedpul_matrix matrix = {.n = N - first, .width = WIDTH, .f32 = rows->x + first * WIDTH};
    dedpul_table *table;
    assert_ok(dedpul_table_from_matrix(&matrix, rows->label + first, NULL, NULL, &table, &test_error),
              &test_error);
    if (has_kinds)
        assert_ok(dedpul_table_set_kinds(table, rows->kind + first, &test_error), &test_error);
    return table;
}

/* Fits the rows from `first` on. */
static struct fitted fit(const struct rows *rows, size_t first, bool has_kinds, bool check_labels,
                         unsigned threads)
{
    dedpul_options options = cheap_options("gbdt");
    options.threads = threads;
    options.check_labels = check_labels;
    dedpul_table *table = make_table(rows, first, has_kinds);
    const struct fitted fitted = fit_rows(table, &options);
    dedpul_table_free(table);
    return fitted;
}

/* By kinds that are known, and by kinds that are found, picked labels are told from a random draw. */
static void labels_are_checked(void **state)
{
    (void)state;
    for (int is_picked = 0; is_picked < 2; is_picked++)
        for (int has_kinds = 0; has_kinds < 2; has_kinds++) {
            struct rows *rows = make_rows(is_picked ? 0.9 : 0.5);
            struct fitted fitted = fit(rows, 0, has_kinds, true, 0);
            const dedpul_label_check *check = fitted.result->label_check;
            assert_non_null(check);
            assert_int_equal(check->has_found_kinds, !has_kinds);
            assert_int_equal(check->p_value < check->level, is_picked);
            assert_int_equal(has_warning(fitted.result, "picked_labels"), is_picked);
            if (has_kinds) {
                assert_int_equal(check->n_kinds, 2);
                assert_string_equal(check->kinds[0]->name, "a");
                assert_int_equal(check->kinds[0]->deviation > 0, is_picked);
                assert_int_equal(check->kinds[1]->deviation < 0, is_picked);
            }
            fitted_free(&fitted);
            free(rows);
        }
}

/* Traits name what the rows of a kind have; those of kind a have a high first column, or a low second one. */
static void kinds_have_traits(void **state)
{
    struct rows *rows = make_rows(0.9);
    struct fitted fitted = fit(rows, 0, true, true, 0);
    const char *traits = fitted.result->label_check->kinds[0]->traits;
    (void)state;
    assert_non_null(strstr(traits, "high"));
    assert_non_null(strstr(traits, ", "));
    fitted_free(&fitted);
    free(rows);
}

/* The check changes nothing else, and threads change nothing about it. */
static void the_answer_is_the_same(void **state)
{
    struct rows *rows = make_rows(0.7);
    struct fitted plain = fit(rows, 0, false, false, 1), one = fit(rows, 0, false, true, 1);
    struct fitted three = fit(rows, 0, false, true, 3);
    (void)state;
    assert_null(plain.result->label_check);
    assert_true(plain.result->alpha == one.result->alpha && one.result->alpha == three.result->alpha);
    assert_true(one.result->label_check->p_value == three.result->label_check->p_value);
    assert_int_equal(one.result->n_kinds, 0);
    for (size_t k = 0; k < one.result->label_check->n_kinds; k++)
        assert_true(one.result->label_check->kinds[k]->deviation ==
                    three.result->label_check->kinds[k]->deviation);
    fitted_free(&plain);
    fitted_free(&one);
    fitted_free(&three);
    free(rows);
}

/* With too few labeled rows there is an answer, and a warning that there is no check. */
static void few_rows_are_told(void **state)
{
    struct rows *rows = make_rows(0.5);
    struct fitted fitted = fit(rows, N_LABELED - 12, false, true, 0);
    (void)state;
    assert_null(fitted.result->label_check);
    assert_true(has_warning(fitted.result, "labels_unchecked"));
    fitted_free(&fitted);
    free(rows);
}

/* A comparison of methods has the same check as a fit; one of classifiers takes none. */
static void comparisons_check_labels(void **state)
{
    struct rows *rows = make_rows(0.9);
    dedpul_table *table = make_table(rows, 0, false);
    dedpul_options options = cheap_options("gbdt");
    dedpul_comparison *comparison;
    (void)state;
    options.check_labels = 1;
    assert_ok(dedpul_compare(table, &options, "pooled,bbe", &comparison, &test_error), &test_error);
    struct fitted fitted = fit(rows, 0, false, true, 0);
    assert_non_null(comparison->label_check);
    assert_true(comparison->label_check->p_value == fitted.result->label_check->p_value);
    dedpul_comparison_free(comparison);
    assert_int_equal(dedpul_compare_classifiers(table, &options, "gbdt,logistic", &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_non_null(strstr(test_error.message, "--check-labels"));
    fitted_free(&fitted);
    dedpul_table_free(table);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_checked),       cmocka_unit_test(kinds_have_traits),
        cmocka_unit_test(the_answer_is_the_same),   cmocka_unit_test(few_rows_are_told),
        cmocka_unit_test(comparisons_check_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
