/* The struct of options: layers, sizes of other versions, bounds. */
#include "resolve.h"
#include "support.h"

#include <stdio.h>

/* ---- layers as text ---- */

static void check_layers(const char *text, size_t n, const size_t *width /* (n) */)
{
    dedpul_options options;
    struct resolved resolved;
    const struct hidden_layers *layers = &resolved.plan.training.network.layers;
    dedpul_options_init(&options);
    options.layers = text;
    assert_ok(options_resolve(&options, &resolved, &test_error), &test_error);
    assert_int_equal(layers->n, n);
    for (size_t l = 0; l < n; l++)
        assert_int_equal(layers->width[l], width[l]);
}

static void test_layers(void **state)
{
    static const char *const bad[] = {
        "",
        ",",
        "5,",
        ",5",
        "5,,5",
        "0",
        "5,0",
        "65537",
        "5 ",
        " 5",
        "5, 5",
        "-1",
        "+1",
        "1.5",
        "1e3",
        "0x10",
        "None",
        "none,5",
        "5,none",
        "5;5",
        "1,2,3,4,5,6,7,8,9,10",
        "5\n",
        "\xc3",
        "18446744073709551617",
        "99999999999999999999999",
        "0000000000000512",
        "000000000000005x",
        "512,00000000000000000000000000000001",
    };
    (void)state;
    check_layers("none", 0, NULL);
    check_layers("auto", 0, NULL);
    check_layers("512,512", 2, (const size_t[]){512, 512});
    check_layers("1", 1, (const size_t[]){1});
    check_layers("65536", 1, (const size_t[]){65536});
    check_layers("007,20", 2, (const size_t[]){7, 20});
    check_layers("1,2,3,4,5,6,7,8,9", 9, (const size_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (size_t i = 0; i < LENGTH(bad); i++) {
        dedpul_options options;
        dedpul_options_init(&options);
        test_error = (dedpul_error){DEDPUL_OK, ""};
        if (dedpul_options_set(&options, "layers", bad[i], &test_error) != DEDPUL_INVALID_ARGUMENT)
            fail_msg("accepted '%s'", bad[i]);
        assert_contains(test_error.message, "at most 9 widths from 1 to 65536");
        assert_int_equal(dedpul_options_set(&options, "layers", bad[i], NULL), DEDPUL_INVALID_ARGUMENT);
    }
}

/* ---- structs of another size ---- */

/* What a program compiled with an older header has: a struct without the last fields. */
static void test_older_size(void **state)
{
    enum { OLDER = offsetof(dedpul_options, tree_rounds) };
    unsigned char room[sizeof(dedpul_options)];
    dedpul_options *older = (dedpul_options *)calloc(1, sizeof *older);
    struct test_problem problem = problem_make(100, 200, 0.4, 2, 1);
    const dedpul_sample p = {problem.n_p, problem.p, NULL}, u = {problem.n_u, problem.u, NULL};
    struct resolved resolved;
    dedpul_result *of_older, *of_full;
    (void)state;
    memset(older, 0xa5, sizeof *older);
    memcpy(room, older, sizeof room);
    dedpul_options_init_sized(older, OLDER);
    assert_int_equal(older->size, OLDER);
    assert_memory_equal((char *)older + OLDER, room + OLDER, sizeof room - OLDER); /* not the program's */
    assert_ok(dedpul_options_set(older, "tree-depth", "3", &test_error), &test_error);
    assert_ok(dedpul_options_set(older, "seed", "5", &test_error), &test_error);
    assert_memory_equal((char *)older + OLDER, room + OLDER, sizeof room - OLDER);
    assert_int_equal(dedpul_options_set(older, "tree-rounds", "9", &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "newer header");
    assert_int_equal(dedpul_options_set(older, "preset", "paper", &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_ok(options_resolve(older, &resolved, &test_error), &test_error);
    assert_int_equal(resolved.plan.training.trees.depth, 3);
    assert_int_equal(resolved.plan.training.trees.rounds, 500); /* its default */
    assert_int_equal(resolved.options.size, sizeof(dedpul_options));
    assert_ok(dedpul_estimate_two(&p, &u, older, &of_older, &test_error), &test_error);
    assert_ok(dedpul_estimate_two(&p, &u, NULL, &of_full, &test_error), &test_error);
    assert_same_result(of_older, of_full);
    dedpul_result_free(of_older);
    dedpul_result_free(of_full);
    problem_free(&problem);
    free(older);
}

/* Without init, and of a header newer than the library. */
static void test_wrong_size(void **state)
{
    static const size_t wrong[] = {
        0, 1, sizeof(size_t), offsetof(dedpul_options, classifier) - 1, sizeof(dedpul_options) + 1, SIZE_MAX};
    const double score[] = {0.2, 0.8, 0.5};
    const dedpul_sample rows = {3, score, NULL};
    (void)state;
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        dedpul_options options;
        dedpul_columns columns;
        dedpul_result *result = NULL;
        dedpul_score_table *table = NULL;
        dedpul_options_init(&options);
        options.size = wrong[i];
        assert_int_equal(dedpul_estimate_two(&rows, &rows, &options, &result, &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, "options");
        assert_int_equal(dedpul_options_set(&options, "seed", "1", NULL), DEDPUL_INVALID_ARGUMENT);
        dedpul_columns_init(&columns);
        columns.size = wrong[i];
        assert_int_equal(dedpul_score_table_read("none", &columns, NULL, &table, &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, "columns");
    }
}

/* Bounds are those that calls check: just inside is accepted, just outside is not. */
static void test_bounds(void **state)
{
    size_t n_bounded = 0;
    (void)state;
    for (size_t i = 0; i < dedpul_option_count(); i++) {
        const dedpul_option_info *info = dedpul_option_at(i);
        const double ends[] = {info->least, info->most};
        const bool is_number = info->kind == DEDPUL_OPTION_NUMBER;
        if ((!is_number && info->kind != DEDPUL_OPTION_WHOLE) || info->most > 1e18) /* a seed may be any */
            continue;
        for (size_t k = 0; k < 2; k++) {
            const double beyond =
                k == 0 ? ends[k] - (is_number ? 1e-10 : 1) : ends[k] + (is_number ? 1e-3 : 1);
            dedpul_options options;
            char text[40];
            dedpul_options_init(&options);
            (void)snprintf(text, sizeof text, "%.12g", ends[k]);
            assert_ok(dedpul_options_set(&options, info->name, text, &test_error), &test_error);
            (void)snprintf(text, sizeof text, "%.12g", beyond);
            assert_int_equal(dedpul_options_set(&options, info->name, text, &test_error),
                             DEDPUL_INVALID_ARGUMENT);
            assert_contains(test_error.message, info->name);
        }
        n_bounded++;
    }
    assert_true(n_bounded > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_older_size),
        cmocka_unit_test(test_wrong_size),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
