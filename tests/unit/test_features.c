/* Columns of numbers as features: ranks, scales, columns that are dropped. */
#include "encoding.h"
#include "feature_tables.h"
#include "interpolate.h"
#include "quantile_map.h"
#include "support.h"

#include <float.h>
#include <stdio.h>

/* ---- the same by their definitions ---- */

static double quantile_by_bisection(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (0.5 * erfc(-middle / sqrt(2)) < p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The share of values below, those that are equal counting one half. */
static double mid_rank(size_t n, const double *value, double at)
{
    double below = 0, known = 0;
    for (size_t i = 0; i < n; i++) {
        below += value[i] < at ? 1 : value[i] == at ? 0.5 : 0;
        known += !isnan(value[i]);
    }
    return below / known;
}

static void rank_by_definition(size_t n, const double *value, double *result)
{
    for (size_t i = 0; i < n; i++)
        result[i] = isnan(value[i]) ? NAN : quantile_by_bisection(mid_rank(n, value, value[i]));
    standardise(n, result);
}

/* ---- numbers ---- */

/* Distinct values, ties, negative ones, missing ones, a huge offset. */
static void test_rank(void **state)
{
    enum { N = 600 };
    double value[N], expected[N], missing[N];
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (int kind = 0; kind < 6; kind++) {
        struct test_table table;
        struct encoded encoded;
        for (size_t i = 0; i < N; i++) {
            const double normal = random_normal(&rng);
            value[i] = kind == 0   ? exp(5 * normal)
                       : kind == 1 ? floor(5 * normal)                    /* ties */
                       : kind == 2 ? (i % 10 < 8 ? 0 : floor(9 * normal)) /* most are the same */
                       : kind == 3 ? (i % 7 == 0 ? NAN : -exp(normal))
                       : kind == 4 ? 1.6e9 + 1e-3 * normal
                                   : copysign(floor(3 * fabs(normal)) * 1e300, i % 2 == 0 ? -1 : 1);
            missing[i] = isnan(value[i]);
        }
        table_init(&table, N);
        add_numbers(&table, "a", value);
        encode(&encoded, &table);
        assert_use(&encoded, 0, USE_RANK, kind == 3 ? 2 : 1);
        rank_by_definition(N, value, expected);
        assert_feature(&encoded, N, 0, expected);
        if (kind == 3) {
            standardise(N, missing);
            assert_feature(&encoded, N, 1, missing);
        }
        encoded_free(&encoded);
    }
}

/* Linear between the knots and constant beyond them. */
static void test_rank_between_knots(void **state)
{
    double value[] = {-9, -4, -1, 0, 2, 3, 5, 8, 13, 30, 31}, normal[LENGTH(value)];
    double new_value[] = {-9, -9.5, -1e300, 31, 40, 1e300, -6.5, 2.5, 21.5, -2.5, NAN};
    const size_t n = LENGTH(value);
    struct test_table table, other;
    struct encoded encoded;
    (void)state;
    table_init(&table, n);
    add_numbers(&table, "a", value);
    encode(&encoded, &table);
    rank_by_definition(n, value, normal);
    const double expected[] = {normal[0],
                               normal[0],
                               normal[0],
                               normal[10],
                               normal[10],
                               normal[10],
                               (normal[0] + normal[1]) / 2,
                               (normal[4] + normal[5]) / 2,
                               (normal[8] + normal[9]) / 2,
                               (normal[1] + normal[2]) / 2,
                               0};
    table_init(&other, LENGTH(new_value));
    add_numbers(&other, "a", new_value);
    float *x = apply(&encoded.context, &encoded.encoding, &other.table);
    for (size_t i = 0; i < LENGTH(expected); i++)
        assert_near(x[i], expected[i], 1e-6);
    free(x);
    encoded_free(&encoded);
}

/* With more values than knots, these are spread evenly over the rows. */
static void check_many(size_t n, double *value, double tolerance)
{
    struct test_table table;
    struct encoded encoded;
    double *sorted = malloc(n * sizeof *sorted);
    table_init(&table, n);
    add_numbers(&table, "a", value);
    encode(&encoded, &table);
    memcpy(sorted, value, n * sizeof *sorted);
    sort_doubles(n, sorted);
    const struct feature *feature = &encoded.encoding.column[0];
    assert_int_equal(feature->use, USE_RANK);
    assert_in_range(feature->n_knots, 500, 1024);
    assert_true(feature->knot_value[0] == sorted[0]);
    assert_true(feature->knot_value[feature->n_knots - 1] == sorted[n - 1]);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += encoded.x[i];
        squares += (double)encoded.x[i] * encoded.x[i];
    }
    assert_near(sum / (double)n, 0, 1e-6);
    assert_near(squares / (double)n, 1, 1e-5);
    /* Each knot stands at its mid-rank, and no two that follow one another are far apart. */
    for (size_t k = 0; k < feature->n_knots; k += k == 0 || k + 50 >= feature->n_knots ? 1 : 37)
        assert_near(feature->knot_normal[k],
                    quantile_by_bisection(mid_rank(n, sorted, feature->knot_value[k])), 1e-9);
    for (size_t i = 0; i < n; i += n / 300 + 1) {
        const double share = mid_rank(n, value, value[i]);
        const double normal = encoded.encoding.spread[0] * encoded.x[i] + encoded.encoding.center[0];
        assert_near(0.5 * erfc(-normal / sqrt(2)), share, tolerance);
    }
    encoded_free(&encoded);
    free(sorted);
}

static void test_rank_many_values(void **state)
{
    enum { N = 100000 };
    double *value = malloc(N * sizeof *value);
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (size_t i = 0; i < N; i++)
        value[i] = ((double)i - N / 3.0) * (1 + rng_uniform(&rng)); /* no two alike, in no order */
    check_many(N, value, 2e-3);
    for (size_t i = 0; i < N; i++)
        value[i] = i % 2 == 0 ? 0 : random_normal(&rng); /* half of them tied */
    check_many(N, value, 2e-3);
    for (size_t i = 0; i < N; i++)
        value[i] = i % 3 == 0 ? -10 : i % 3 == 1 ? 10 : random_normal(&rng); /* crowds at both ends */
    check_many(N, value, 2e-3);
    for (size_t i = 0; i < N; i++)
        value[i] = (double)(i % 1025); /* one too many */
    check_many(N, value, 2e-3);
    for (size_t i = 0; i < N; i++)
        value[i] = (double)(i % 1024);
    check_many(N, value, 1e-6);
    free(value);
}

static void test_ten_distinct_values(void **state)
{
    enum { N = 90 };
    double nine[N], ten[N], expected[N];
    struct test_table table;
    struct encoded encoded;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        nine[i] = expected[i] = exp((double)(i % 9));
        ten[i] = exp((double)(i % 10));
    }
    table_init(&table, N);
    add_numbers(&table, "nine", nine);
    add_numbers(&table, "ten", ten);
    encode(&encoded, &table);
    assert_use(&encoded, 0, USE_NUMBER, 1);
    assert_use(&encoded, 1, USE_RANK, 1);
    standardise(N, expected);
    assert_feature(&encoded, N, 0, expected);
    encoded_free(&encoded);
    encode_by(&encoded, &table.table, ENCODE_ONEHOT, SCALE_STANDARD, 1);
    assert_use(&encoded, 1, USE_NUMBER, 1);
    encoded_free(&encoded);
}

static void test_standard_and_none(void **state)
{
    enum { N = 500 };
    double value[N], offset[N], expected[N], missing[N];
    struct test_table table;
    struct encoded encoded;
    struct rng rng;
    double sum = 0, known = 0;
    (void)state;
    rng_init(&rng, 3, 1);
    for (size_t i = 0; i < N; i++) {
        value[i] = expected[i] = i % 5 == 0 ? NAN : 100 * random_normal(&rng) - 70;
        missing[i] = isnan(value[i]);
        sum += isnan(value[i]) ? 0 : value[i];
        known += !isnan(value[i]);
        offset[i] = 1.6e9 + (double)rng_below(&rng, 64) / 64; /* exact */
    }
    table_init(&table, N);
    add_numbers(&table, "a", value);
    add_numbers(&table, "offset", offset);
    encode_by(&encoded, &table.table, ENCODE_ONEHOT, SCALE_STANDARD, 1);
    standardise(N, expected);
    standardise(N, missing);
    assert_feature(&encoded, N, 0, expected);
    assert_feature(&encoded, N, 1, missing);
    for (size_t i = 0; i < N; i++)
        expected[i] = offset[i] - 1.6e9;
    standardise(N, expected);
    assert_feature(&encoded, N, 2, expected);
    encoded_free(&encoded);

    encode_by(&encoded, &table.table, ENCODE_ONEHOT, SCALE_NONE, 1);
    for (size_t i = 0; i < N; i++) {
        expected[i] = isnan(value[i]) ? sum / known : value[i]; /* the mean */
        missing[i] = isnan(value[i]);
    }
    assert_feature(&encoded, N, 0, expected);
    assert_feature(&encoded, N, 1, missing);
    assert_feature(&encoded, N, 2, offset);
    encoded_free(&encoded);
}

/* Whatever finite numbers a file holds, features are finite (`apply` looks). */
static void test_largest_numbers(void **state)
{
    enum { N = 40 };
    double few[N], many[N], new_value[N];
    struct test_table table, other;
    struct encoded encoded;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        few[i] = i % 3 == 0 ? DBL_MAX : i % 3 == 1 ? -DBL_MAX : 0;
        many[i] = (i % 2 == 0 ? -1 : 1) * DBL_MAX / (1 + (double)i);
        new_value[i] = i % 2 == 0 ? DBL_MAX : -DBL_MAX;
    }
    for (int scale = SCALE_RANK; scale <= SCALE_NONE; scale++) {
        table_init(&table, N);
        add_numbers(&table, "few", few);
        add_numbers(&table, "many", many);
        encode_by(&encoded, &table.table, ENCODE_ONEHOT, (enum number_scale)scale, 1);
        for (size_t i = 0; i < N; i++)
            assert_true(few[i] == 0 || (encoded.x[2 * i] > 0) == (few[i] > 0));
        encoded_free(&encoded);
    }
    for (size_t i = 0; i < N; i++)
        few[i] = i % 2 == 0 ? 1e-300 : 2e-300;
    table_init(&table, N);
    add_numbers(&table, "few", few);
    encode(&encoded, &table);
    table_init(&other, N);
    add_numbers(&other, "few", new_value);
    free(apply(&encoded.context, &encoded.encoding, &other.table));
    encoded_free(&encoded);
}

/* ---- columns that are left out, and places of those that are not ---- */

static void test_dropped_columns(void **state)
{
    static const enum feature_use uses[] = {USE_RANK, USE_NONE_CONSTANT, USE_ONE_HOT,
                                            USE_RANK, USE_NUMBER,        USE_NONE_MISSING,
                                            USE_CODE, USE_RANK,          USE_MISSING_ONLY};
    static const size_t widths[] = {2, 0, 5, 1, 2, 0, 1, 1, 1};
    static const char *const names[] = {"rank",          "dropped: constant",    "one-hot", "rank",
                                        "number",        "dropped: all missing", "code",    "rank",
                                        "missing or not"};
    struct mixed *mixed = mixed_make();
    struct encoded encoded;
    double missing[MIXED_ROWS];
    size_t width = 0;
    (void)state;
    encode(&encoded, &mixed->table);
    for (size_t c = 0; c < LENGTH(uses); c++) {
        assert_use(&encoded, c, uses[c], widths[c]);
        assert_int_equal(encoded.encoding.column[c].first, width);
        assert_string_equal(feature_use_name(&encoded.encoding.column[c]), names[c]);
        for (size_t j = 0; j < widths[c]; j++)
            assert_ptr_equal(encoding_column(&encoded.encoding, width + j), &encoded.encoding.column[c]);
        width += widths[c];
    }
    assert_int_equal(encoded.encoding.width, width);
    assert_string_equal(feature_use_name(&(struct feature){.use = N_USES}), "unknown");
    for (size_t i = 0; i < MIXED_ROWS; i++)
        missing[i] = isnan(mixed->present[i]);
    standardise(MIXED_ROWS, missing);
    assert_feature(&encoded, MIXED_ROWS, width - 1, missing);
    assert_int_equal(encoded.context.warnings->n, 1);
    assert_int_equal(encoded.context.warnings->item[0].code, DEDPUL_WARNING_DROPPED_COLUMNS);
    assert_string_equal(encoded.context.warnings->item[0].message,
                        "left out: 'constant' (constant), 'absent' (all missing)");
    encoded_free(&encoded);
    free(mixed);
}

static size_t count_warnings(const struct encoded *encoded, dedpul_warning_code code)
{
    size_t count = 0;
    for (size_t i = 0; i < encoded->context.warnings->n; i++)
        count += encoded->context.warnings->item[i].code == code;
    return count;
}

/* Each number from 0 or 1 on once, in any order; with fewer rows, or one number off, there is no warning. */
static void test_row_numbers(void **state)
{
    enum { N = 60 };
    double number[N];
    struct test_table table;
    struct encoded encoded;
    (void)state;
    for (int kind = 0; kind < 7; kind++) {
        for (size_t i = 0; i < N; i++)
            number[i] = (double)(i * 7 % N) + (kind == 1);
        number[3] = kind == 2   ? N
                    : kind == 3 ? number[4]
                    : kind == 4 ? NAN
                    : kind == 5 ? number[3] + 0.5
                                : number[3];
        const size_t n_rows = kind == 6 ? 19 : N;
        for (size_t i = 0; kind == 6 && i < n_rows; i++)
            number[i] = (double)i;
        table_init(&table, n_rows);
        add_numbers(&table, "index", number);
        encode(&encoded, &table);
        assert_int_equal(count_warnings(&encoded, DEDPUL_WARNING_ROW_NUMBERS), kind < 2);
        if (kind < 2)
            assert_contains(encoded.context.warnings->item[0].message, "column 'index' numbers the rows");
        encoded_free(&encoded);
    }
}

/* Numbers as levels are meant so; with commas or texts among them they are not. */
static void test_numbers_as_text(void **state)
{
    enum { N = 60, N_LEVELS = 12 };
    char text[N_LEVELS][8], *level[N_LEVELS];
    uint32_t code[N];
    struct test_table table;
    struct encoded encoded;
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        code[i] = i % N_LEVELS;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < N_LEVELS; i++) {
            (void)snprintf(text[i], sizeof text[i], kind == 2 ? "1,2%d" : "%d", 10 + i);
            level[i] = text[i];
        }
        if (kind == 1)
            level[N_LEVELS - 1] = "n.d.";
        table_init(&table, N);
        add_texts(&table, "code", N_LEVELS, level, code);
        table.table.is_comma_guess = kind == 3;
        encode(&encoded, &table);
        assert_int_equal(count_warnings(&encoded, DEDPUL_WARNING_NUMBERS_AS_TEXT), kind == 1 || kind == 2);
        assert_int_equal(count_warnings(&encoded, DEDPUL_WARNING_DECIMAL_COMMAS), kind == 3);
        if (kind == 1)
            assert_contains(encoded.context.warnings->item[0].message, "not all of it are numbers: 'n.d.'");
        if (kind == 2)
            assert_contains(encoded.context.warnings->item[0].message, "have commas, such as '1,221'");
        encoded_free(&encoded);
    }
}

static void test_many_dropped_columns(void **state)
{
    char name[] = "a column with a name that is long, longer than any that people give to columns of theirs";
    double constant[] = {1, 1, 1}, number[] = {1, 2, 3};
    struct test_table table;
    struct encoded encoded;
    (void)state;
    table_init(&table, 3);
    for (int i = 0; i < 6; i++)
        add_numbers(&table, name, constant);
    add_numbers(&table, "b", number);
    encode(&encoded, &table);
    assert_contains(encoded.context.warnings->item[0].message, "left out: 'a column");
    assert_contains(encoded.context.warnings->item[0].message, " and more");
    encoded_free(&encoded);
}

static void test_no_column_left(void **state)
{
    double constant[] = {2, 2, NAN}, absent[] = {NAN, NAN, NAN}, one[] = {5};
    double weight[] = {1, 1, 0};
    uint32_t code[] = {0};
    struct test_table table;
    struct context context, memory;
    struct encoding encoding;
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        test_context_init(&memory);
        test_context_init(&context);
        table_init(&table, kind == 2 ? 1 : 3);
        if (kind == 1) { /* the row with the other value does not count */
            add_numbers(&table, "a", constant);
            add_numbers(&table, "b", absent);
            table.table.weight = weight;
        } else if (kind == 2) { /* in one row all is constant */
            add_numbers(&table, "a", one);
            add_texts(&table, "b", 1, colors, code);
        }
        assert_int_equal(encoding_learn(&context, &table.table, 0, &ranked, memory.arena, &encoding),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "no column is left to learn from");
        assert_contains(test_error.message, kind == 0 ? "there is none beside" : "constant or all missing");
        test_context_close(&context);
        test_context_close(&memory);
    }
}

/* Value by value what a curve through the knots gives, for any number of values and knots. */
static void test_map_apply(void **state)
{
    enum { MOST = 40 };
    double knot_value[MOST], knot_normal[MOST], value[MOST], found[MOST + 1];
    struct rng rng;
    (void)state;
    rng_init(&rng, 6, 6);
    for (size_t i = 0; i < MOST; i++) {
        knot_value[i] = (double)(i * i);
        knot_normal[i] = random_normal(&rng);
    }
    for (size_t n = 0; n <= MOST; n++) {
        const size_t n_knots = 1 + rng_below(&rng, MOST);
        for (size_t i = 0; i < n; i++)
            value[i] = i % 7 == 3   ? NAN
                       : i % 5 == 0 ? knot_value[rng_below(&rng, MOST)]
                                    : 2000 * rng_uniform(&rng) - 200;
        found[n] = 7;
        quantile_map_apply(n_knots, knot_value, knot_normal, n, value, found);
        for (size_t i = 0; i < n; i++)
            assert_true(isnan(value[i])
                            ? isnan(found[i])
                            : found[i] == interpolate(n_knots, knot_value, knot_normal, value[i]));
        assert_true(found[n] == 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_rank_between_knots),
        cmocka_unit_test(test_rank_many_values),
        cmocka_unit_test(test_map_apply),
        cmocka_unit_test(test_ten_distinct_values),
        cmocka_unit_test(test_standard_and_none),
        cmocka_unit_test(test_largest_numbers),
        cmocka_unit_test(test_dropped_columns),
        cmocka_unit_test(test_row_numbers),
        cmocka_unit_test(test_numbers_as_text),
        cmocka_unit_test(test_many_dropped_columns),
        cmocka_unit_test(test_no_column_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
