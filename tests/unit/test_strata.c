/* Strata of a column: bins of numbers, values, and what is refused. */
#include "strata.h"

#include "support.h"

#include <math.h>

enum { N = 1000 };

struct example {
    struct table table;
    struct column column;
    unsigned char label[N];
    double number[N], weight[N];
    uint32_t code[N];
};

/* Every second row is labeled. */
static struct example *make(void)
{
    struct example *example = calloc(1, sizeof *example);
    for (size_t i = 0; i < N; i++) {
        example->label[i] = i % 2 == 0;
        example->weight[i] = 1;
    }
    example->column.schema = (struct column_schema){.name = "z", .kind = COLUMN_NUMBER};
    example->column.number = example->number;
    example->table = (struct table){.n_rows = N,
                                    .n_columns = 1,
                                    .column = &example->column,
                                    .label = example->label,
                                    .weight = example->weight};
    return example;
}

static void make_text(struct example *example, char **level, size_t n_levels)
{
    example->column.number = NULL;
    example->column.code = example->code;
    example->column.schema = (struct column_schema){"z", COLUMN_TEXT, n_levels, level};
}

static void numbers_become_bins(void **state)
{
    struct context context;
    struct strata strata;
    struct example *example = make();
    (void)state;
    test_context_init(&context);
    for (size_t i = 0; i < N; i++)
        example->number[i] = (double)(i * 7 % N);
    assert_ok(strata_make(&context, &example->table, 0, &strata), &test_error);
    assert_int_equal(strata.n, 8);
    assert_int_equal(strata.n_bins, 8);
    for (size_t k = 0; k < 8; k++) {
        assert_in_range(strata.labeled[k], 60, 65);
        assert_true(k == 0 || strata.center[k] > strata.center[k - 1]);
        for (size_t i = 0; i < N; i++)
            if (example->number[i] == strata.center[k])
                assert_int_equal(strata.of_row[i], k);
    }
    assert_string_equal(strata.name[0], "below 124");
    assert_string_equal(strata.name[1], "124 to 250");
    assert_string_equal(strata.name[7], "from 874");
    free(example);
    test_context_close(&context);
}

/* Rows whose number is missing are a stratum; equal numbers are in one bin. */
static void numbers_may_be_missing_or_equal(void **state)
{
    struct context context;
    struct strata strata;
    struct example *example = make();
    (void)state;
    test_context_init(&context);
    for (size_t i = 0; i < N; i++)
        example->number[i] = i < 600 ? 5 : i < 700 ? NAN : (double)i;
    assert_ok(strata_make(&context, &example->table, 0, &strata), &test_error);
    assert_int_equal(strata.n, strata.n_bins + 1);
    assert_string_equal(strata.name[strata.n_bins], "missing");
    assert_int_equal(strata.labeled[strata.n_bins], 50);
    assert_in_range(strata.labeled[0], 300, 350);
    for (size_t i = 600; i < 700; i++)
        assert_int_equal(strata.of_row[i], strata.n_bins);
    free(example);
    test_context_close(&context);
}

/* Numbers of few values are values, as texts are; rare ones are one stratum. */
static void values_are_strata(void **state)
{
    static char *level[] = {"a", "b", "c", "d"};
    struct context context;
    struct strata strata;
    struct example *example = make();
    (void)state;
    for (int is_text = 0; is_text < 2; is_text++) {
        test_context_init(&context);
        for (size_t i = 0; i < N; i++) {
            example->code[i] = i < 500 ? 1 : i < 970 ? 3 : i < 980 ? 0 : i < 990 ? 2 : LEVEL_MISSING;
            example->number[i] = example->code[i] < 4 ? (double)example->code[i] / 4 : NAN;
        }
        if (is_text)
            make_text(example, level, 4);
        assert_ok(strata_make(&context, &example->table, 0, &strata), &test_error);
        assert_int_equal(strata.n, 3);
        assert_int_equal(strata.n_bins, 0);
        assert_string_equal(strata.name[0], is_text ? "b" : "0.25");
        assert_string_equal(strata.name[1], is_text ? "d" : "0.75");
        assert_string_equal(strata.name[2], "others");
        assert_int_equal(strata.labeled[2], 15);
        assert_int_equal(strata.of_row[985], 2);
        assert_int_equal(strata.of_row[999], 2);
        test_context_close(&context);
    }
    free(example);
}

static void check_failure(struct example *example)
{
    struct context context;
    struct strata strata;
    test_context_init(&context);
    assert_int_equal(strata_make(&context, &example->table, 0, &strata), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "column 'z' does not tell labeled rows apart");
    test_context_close(&context);
}

static void columns_must_tell_rows_apart(void **state)
{
    struct example *example = make();
    (void)state;
    check_failure(example); /* all numbers are 0 */
    for (size_t i = 0; i < N; i++)
        example->number[i] = example->label[i] == 1 ? 0 : (double)i;
    check_failure(example); /* those of labeled rows are */
    for (size_t i = 0; i < N; i++)
        example->number[i] = (double)i;
    for (size_t i = 2; i < N; i++)
        example->weight[i] = example->label[i] == 1 ? 0 : 1;
    check_failure(example); /* one labeled row counts */
    free(example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_become_bins),
        cmocka_unit_test(numbers_may_be_missing_or_equal),
        cmocka_unit_test(values_are_strata),
        cmocka_unit_test(columns_must_tell_rows_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
