#include "encoding.h"
#include "normal.h"
#include "number.h"
#include "quantile_map.h"
#include "reading.h"
#include "support.h"

#include <float.h>

/* ---- tables ---- */

enum { MOST_COLUMNS = 40 };

struct test_table {
    struct table table;
    struct column column[MOST_COLUMNS];
};

/* The columns follow; their arrays are the caller's. */
static void table_init(struct test_table *table, size_t n_rows)
{
    table->table = (struct table){.n_rows = n_rows, .column = table->column};
}

static void add_numbers(struct test_table *table, char *name, double *number)
{
    assert_true(table->table.n_columns < MOST_COLUMNS);
    table->column[table->table.n_columns++] =
        (struct column){.schema = {.name = name, .kind = COLUMN_NUMBER}, .number = number};
}

static void add_texts(struct test_table *table, char *name, size_t n_levels, char **level, uint32_t *code)
{
    assert_true(table->table.n_columns < MOST_COLUMNS);
    table->column[table->table.n_columns++] = (struct column){
        .schema = {.name = name, .kind = COLUMN_TEXT, .n_levels = n_levels, .level = level}, .code = code};
}

static char *colors[] = {"blue", "green", "red", "white"};
static char *sides[] = {"left", "right"};
enum { MIXED_ROWS = 3000 };

/* Columns of every use. */
struct mixed {
    struct test_table table;
    double rank[MIXED_ROWS], ties[MIXED_ROWS], few[MIXED_ROWS], offset[MIXED_ROWS], constant[MIXED_ROWS],
        absent[MIXED_ROWS], present[MIXED_ROWS], weight[MIXED_ROWS];
    uint32_t color[MIXED_ROWS], side[MIXED_ROWS];
};

static struct mixed *mixed_make(void)
{
    struct mixed *mixed = malloc(sizeof *mixed);
    struct rng rng;
    rng_init(&rng, 4, 1);
    for (size_t i = 0; i < MIXED_ROWS; i++) {
        mixed->rank[i] = rng_below(&rng, 20) == 0 ? NAN : exp(3 * random_normal(&rng)) - 2;
        mixed->ties[i] = floor(4 * random_normal(&rng));
        mixed->few[i] = rng_below(&rng, 10) == 0 ? NAN : -1.5 * rng_below(&rng, 9);
        mixed->offset[i] = 1.6e9 + rng_below(&rng, 1000);
        mixed->constant[i] = 7;
        mixed->absent[i] = NAN;
        mixed->present[i] = rng_below(&rng, 3) == 0 ? NAN : 5;
        mixed->weight[i] = rng_below(&rng, 4);
        mixed->color[i] = rng_below(&rng, 9) == 0 ? LEVEL_MISSING : rng_below(&rng, 4);
        mixed->side[i] = rng_below(&rng, 2);
    }
    table_init(&mixed->table, MIXED_ROWS);
    add_numbers(&mixed->table, "rank", mixed->rank);
    add_numbers(&mixed->table, "constant", mixed->constant);
    add_texts(&mixed->table, "color", LENGTH(colors), colors, mixed->color);
    add_numbers(&mixed->table, "ties", mixed->ties);
    add_numbers(&mixed->table, "few", mixed->few);
    add_numbers(&mixed->table, "absent", mixed->absent);
    add_texts(&mixed->table, "side", LENGTH(sides), sides, mixed->side);
    add_numbers(&mixed->table, "offset", mixed->offset);
    add_numbers(&mixed->table, "present", mixed->present);
    return mixed;
}

/* ---- encodings of tables ---- */

struct encoded {
    struct context context, memory;
    struct encoding encoding;
    float *x; /* (n_rows, width) of the table that it was learned from */
};

static float *apply(struct context *context, const struct encoding *encoding, const struct table *table)
{
    const size_t size = table->n_rows * encoding->width;
    float *x = malloc((size + 1) * sizeof *x);
    for (size_t i = 0; i <= size; i++)
        x[i] = NAN;
    assert_ok(encoding_apply(context, encoding, table, x), &test_error);
    for (size_t i = 0; i < size; i++)
        assert_true(isfinite(x[i]));
    assert_true(isnan(x[size])); /* and nothing beyond */
    return x;
}

static const struct encoding_plan ranked = {ENCODE_ONEHOT, SCALE_RANK};

static void encode_by(struct encoded *encoded, const struct table *table, enum text_encoding encode,
                      enum number_scale scale, unsigned threads)
{
    const struct encoding_plan plan = {encode, scale};
    test_context_init(&encoded->context);
    test_context_init(&encoded->memory);
    encoded->context.threads = threads;
    assert_ok(encoding_learn(&encoded->context, table, 0, &plan, encoded->memory.arena, &encoded->encoding),
              &test_error);
    assert_null(context_mark(&encoded->context)); /* temporaries are released */
    encoded->x = apply(&encoded->context, &encoded->encoding, table);
    assert_null(context_mark(&encoded->context));
}

static void encode(struct encoded *encoded, const struct test_table *table)
{
    encode_by(encoded, &table->table, ENCODE_ONEHOT, SCALE_RANK, 1);
}

static void encoded_free(struct encoded *encoded)
{
    test_context_close(&encoded->context);
    test_context_close(&encoded->memory);
    free(encoded->x);
}

static void assert_use(const struct encoded *encoded, size_t column, enum feature_use use, size_t width)
{
    assert_int_equal(encoded->encoding.column[column].use, use);
    assert_int_equal(encoded->encoding.column[column].width, width);
}

static void assert_feature(const struct encoded *encoded, size_t n, size_t feature, const double *expected)
{
    for (size_t i = 0; i < n; i++)
        assert_near(encoded->x[i * encoded->encoding.width + feature], expected[i],
                    1e-6 * (1 + fabs(expected[i])));
}

/* ---- the same by their definitions ---- */

/* Mean 0 and standard deviation 1 of the values there are; 0 in place of those that are not. */
static void standardise(size_t n, double *value)
{
    long double sum = 0, squares = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i])) {
            sum += value[i];
            known++;
        }
    const long double mean = sum / (long double)known;
    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]))
            squares += (value[i] - mean) * (value[i] - mean);
    const long double deviation = sqrtl(squares / (long double)known);
    for (size_t i = 0; i < n; i++)
        value[i] = isnan(value[i]) ? 0 : (double)((value[i] - mean) / deviation);
}

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

/* ---- texts ---- */

enum { TEXT_ROWS = 60 };

/* Codes 0 .. n-1 in unequal numbers; every seventh is missing where asked for. */
static void fill_codes(uint32_t *code, size_t n, bool with_missing)
{
    for (size_t i = 0; i < TEXT_ROWS; i++)
        code[i] = with_missing && i % 7 == 0 ? LEVEL_MISSING : (uint32_t)((i * i + i / 3) % n);
}

static void test_one_hot(void **state)
{
    uint32_t code[TEXT_ROWS], unseen[] = {LEVEL_UNSEEN, LEVEL_MISSING, 2};
    double expected[TEXT_ROWS];
    (void)state;
    for (int with_missing = 0; with_missing < 2; with_missing++) {
        struct test_table table, other;
        struct encoded encoded;
        fill_codes(code, 4, with_missing);
        table_init(&table, TEXT_ROWS);
        add_texts(&table, "color", 4, colors, code);
        encode(&encoded, &table);
        const size_t width = encoded.encoding.width;
        assert_use(&encoded, 0, USE_ONE_HOT, with_missing ? 5 : 4);
        for (uint32_t level = 0; level < width; level++) {
            for (size_t i = 0; i < TEXT_ROWS; i++)
                expected[i] = code[i] == (level < 4 ? level : LEVEL_MISSING);
            standardise(TEXT_ROWS, expected);
            assert_feature(&encoded, TEXT_ROWS, level, expected);
        }
        /* An unseen level is none of them, and not missing. */
        table_init(&other, LENGTH(unseen));
        add_texts(&other, "color", 4, colors, unseen);
        float *x = apply(&encoded.context, &encoded.encoding, &other.table);
        for (size_t j = 0; j < width; j++) {
            const double no = -encoded.encoding.center[j] / encoded.encoding.spread[j];
            const double yes = no + 1 / encoded.encoding.spread[j];
            assert_near(x[j], no, 1e-6);
            assert_near(x[width + j], j == 4 ? yes : no, 1e-6);
            assert_near(x[2 * width + j], j == 2 ? yes : no, 1e-6);
        }
        free(x);
        encoded_free(&encoded);
        /* As it is, where nothing is scaled. */
        encode_by(&encoded, &table.table, ENCODE_ONEHOT, SCALE_NONE, 1);
        for (size_t i = 0; i < TEXT_ROWS; i++)
            for (uint32_t j = 0; j < width; j++)
                assert_true(encoded.x[i * width + j] == (code[i] == (j < 4 ? j : LEVEL_MISSING)));
        encoded_free(&encoded);
    }
}

/* From three levels on. */
static void test_three_levels(void **state)
{
    uint32_t code[TEXT_ROWS];
    struct test_table table;
    struct encoded encoded;
    (void)state;
    for (size_t i = 0; i < TEXT_ROWS; i++)
        code[i] = (uint32_t)(i % 3);
    table_init(&table, TEXT_ROWS);
    add_texts(&table, "color", 3, colors, code);
    encode(&encoded, &table);
    assert_use(&encoded, 0, USE_ONE_HOT, 3);
    encoded_free(&encoded);
}

static void test_two_levels(void **state)
{
    uint32_t code[TEXT_ROWS], unseen[] = {LEVEL_UNSEEN, LEVEL_MISSING};
    double expected[TEXT_ROWS], missing[TEXT_ROWS];
    (void)state;
    for (int with_missing = 0; with_missing < 2; with_missing++) {
        struct test_table table, other;
        struct encoded encoded;
        fill_codes(code, 2, with_missing);
        table_init(&table, TEXT_ROWS);
        add_texts(&table, "side", 2, sides, code);
        encode(&encoded, &table);
        const size_t width = encoded.encoding.width;
        assert_use(&encoded, 0, USE_CODE, with_missing ? 2 : 1);
        for (size_t i = 0; i < TEXT_ROWS; i++) {
            expected[i] = code[i] == LEVEL_MISSING ? NAN : (double)code[i];
            missing[i] = code[i] == LEVEL_MISSING;
        }
        standardise(TEXT_ROWS, expected);
        assert_feature(&encoded, TEXT_ROWS, 0, expected);
        if (with_missing) {
            standardise(TEXT_ROWS, missing);
            assert_feature(&encoded, TEXT_ROWS, 1, missing);
        }
        table_init(&other, LENGTH(unseen));
        add_texts(&other, "side", 2, sides, unseen);
        float *x = apply(&encoded.context, &encoded.encoding, &other.table);
        assert_near(x[0], 0, 0); /* both have the mean code */
        assert_near(x[width], 0, 0);
        if (with_missing) {
            assert_true(x[1] < 0);
            assert_true(x[width + 1] > 0);
        }
        free(x);
        encoded_free(&encoded);
    }
}

/* Codes as they are, whatever the scale; numbers and their indicators are scaled. */
static void test_ordinal(void **state)
{
    uint32_t code[TEXT_ROWS], unseen[] = {LEVEL_UNSEEN, LEVEL_MISSING};
    double expected[TEXT_ROWS], sum = 0, known = 0, value[TEXT_ROWS], new_value[] = {1, 2};
    struct test_table table, other;
    struct encoded encoded;
    (void)state;
    fill_codes(code, 4, true);
    for (size_t i = 0; i < TEXT_ROWS; i++) {
        value[i] = (double)(i % 5);
        if (code[i] != LEVEL_MISSING) {
            sum += code[i];
            known++;
        }
    }
    table_init(&table, TEXT_ROWS);
    add_texts(&table, "color", 4, colors, code);
    add_numbers(&table, "a", value);
    table_init(&other, LENGTH(unseen));
    add_texts(&other, "color", 4, colors, unseen);
    add_numbers(&other, "a", new_value);
    for (int scale = SCALE_RANK; scale <= SCALE_NONE; scale++) {
        encode_by(&encoded, &table.table, ENCODE_ORDINAL, (enum number_scale)scale, 1);
        assert_use(&encoded, 0, USE_CODE, 2);
        for (size_t i = 0; i < TEXT_ROWS; i++)
            expected[i] = code[i] == LEVEL_MISSING ? sum / known : code[i];
        assert_feature(&encoded, TEXT_ROWS, 0, expected);
        memcpy(expected, value, sizeof expected);
        if (scale != SCALE_NONE)
            standardise(TEXT_ROWS, expected);
        assert_feature(&encoded, TEXT_ROWS, 2, expected);
        float *x = apply(&encoded.context, &encoded.encoding, &other.table);
        assert_near(x[0], sum / known, 1e-6);
        assert_near(x[3], sum / known, 1e-6);
        assert_true(x[1] < x[4]);
        free(x);
        encoded_free(&encoded);
    }
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

/* ---- weights ---- */

static void repeat_rows(const struct mixed *from, struct mixed *to)
{
    size_t n = 0;
    *to = *from;
    table_init(&to->table, 0);
    for (size_t i = 0; i < 1200; i++)
        for (double k = 0; k < from->weight[i]; k++, n++) {
            assert_true(n < MIXED_ROWS);
            to->rank[n] = from->rank[i];
            to->few[n] = from->few[i];
            to->color[n] = from->color[i];
            to->side[n] = from->side[i];
        }
    to->table.table.n_rows = n;
}

static void add_some(struct mixed *mixed)
{
    mixed->table.table.n_columns = 0;
    add_numbers(&mixed->table, "rank", mixed->rank);
    add_numbers(&mixed->table, "few", mixed->few);
    add_texts(&mixed->table, "color", LENGTH(colors), colors, mixed->color);
    add_texts(&mixed->table, "side", LENGTH(sides), sides, mixed->side);
}

static void assert_same_encoding(const struct encoding *a, const struct encoding *b, double tolerance)
{
    assert_int_equal(a->n_columns, b->n_columns);
    assert_int_equal(a->n_numbered, b->n_numbered);
    assert_int_equal(a->width, b->width);
    for (size_t c = 0; c < a->n_columns; c++) {
        const struct feature *one = &a->column[c], *other = &b->column[c];
        assert_string_equal(one->schema.name, other->schema.name);
        assert_int_equal(one->schema.kind, other->schema.kind);
        assert_int_equal(one->schema.n_levels, other->schema.n_levels);
        for (size_t i = 0; i < one->schema.n_levels; i++)
            assert_string_equal(one->schema.level[i], other->schema.level[i]);
        assert_int_equal(one->use, other->use);
        assert_int_equal(one->has_indicator, other->has_indicator);
        assert_int_equal(one->first, other->first);
        assert_int_equal(one->width, other->width);
        assert_int_equal(one->n_knots, other->n_knots);
        for (size_t k = 0; k < one->n_knots; k++) {
            assert_near(one->knot_value[k], other->knot_value[k], 0);
            assert_near(one->knot_normal[k], other->knot_normal[k], tolerance);
        }
    }
    for (size_t j = 0; j < a->width; j++) {
        assert_near(a->center[j], b->center[j], tolerance);
        assert_near(a->spread[j], b->spread[j], tolerance);
    }
}

/* Rows of weight 0 bring values, missing ones and levels that no other row has. */
static void test_weights_as_repeated(void **state)
{
    struct mixed *mixed = mixed_make(), *repeated = malloc(sizeof *repeated);
    (void)state;
    for (size_t i = 0; i < 1200; i++) {
        if (isnan(mixed->few[i]))
            mixed->weight[i] = 0;
        if (mixed->weight[i] == 0)
            mixed->rank[i] = -1e6;
        if (mixed->weight[i] != 0 && mixed->color[i] == 1) /* green */
            mixed->color[i] = 3;
    }
    mixed->few[0] = 1e9;
    mixed->color[0] = 1;
    mixed->weight[0] = 0;
    repeat_rows(mixed, repeated);
    mixed->table.table.n_rows = 1200;
    mixed->table.table.weight = mixed->weight;
    add_some(mixed);
    add_some(repeated);
    for (int encode = ENCODE_ONEHOT; encode <= ENCODE_ORDINAL; encode++) {
        struct encoded a, b;
        encode_by(&a, &mixed->table.table, (enum text_encoding)encode, SCALE_RANK, 1);
        encode_by(&b, &repeated->table.table, (enum text_encoding)encode, SCALE_RANK, 1);
        assert_false(a.encoding.column[1].has_indicator);
        assert_int_equal(a.encoding.column[2].schema.n_levels, 3);
        assert_same_encoding(&a.encoding, &b.encoding, 1e-11);
        size_t n = 0;
        for (size_t i = 0; i < 1200; i++)
            for (double k = 0; k < mixed->weight[i]; k++, n++)
                for (size_t j = 0; j < a.encoding.width; j++)
                    assert_near(a.x[i * a.encoding.width + j], b.x[n * a.encoding.width + j], 1e-6);
        /* A level of no counted row is like an unseen one. */
        const uint32_t green = mixed->color[0];
        mixed->color[0] = LEVEL_UNSEEN;
        float *x = apply(&a.context, &a.encoding, &mixed->table.table);
        assert_memory_equal(a.x, x, a.encoding.width * sizeof *x);
        mixed->color[0] = green;
        free(x);
        encoded_free(&a);
        encoded_free(&b);
    }
    free(mixed);
    free(repeated);
}

/* Weights beside which others are lost. */
static void test_extreme_weights(void **state)
{
    enum { N = 30 };
    double value[N], weight[N];
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct test_table table;
        struct encoded encoded;
        for (size_t i = 0; i < N; i++) {
            value[i] = (double)i;
            weight[i] = kind == 0 ? (i == N / 2 ? 1e15 : 1e-20) : kind == 1 ? 5e-324 : i == 0 ? 1e15 : 5e-324;
        }
        table_init(&table, N);
        table.table.weight = weight;
        add_numbers(&table, "a", value);
        encode(&encoded, &table);
        const struct feature *feature = &encoded.encoding.column[0];
        for (size_t k = 0; k < feature->n_knots; k++)
            assert_true(isfinite(feature->knot_normal[k]) &&
                        (k == 0 || feature->knot_normal[k] >= feature->knot_normal[k - 1]));
        encoded_free(&encoded);
    }
}

/* ---- the same in pieces, by several threads, after a file ---- */

static void test_pieces_and_rows(void **state)
{
    static const size_t pieces[] = {1, 7, 512, 1000};
    struct mixed *mixed = mixed_make();
    struct encoded encoded;
    (void)state;
    encode(&encoded, &mixed->table);
    const size_t width = encoded.encoding.width;
    for (size_t p = 0; p < LENGTH(pieces); p++)
        for (size_t first = 0; first < MIXED_ROWS; first += pieces[p] * (p == 0 ? 97 : 1)) {
            struct test_table piece = mixed->table;
            piece.table.column = piece.column;
            piece.table.n_rows = pieces[p] < MIXED_ROWS - first ? pieces[p] : MIXED_ROWS - first;
            for (size_t c = 0; c < piece.table.n_columns; c++)
                if (piece.column[c].number != NULL)
                    piece.column[c].number += first;
                else
                    piece.column[c].code += first;
            float *x = apply(&encoded.context, &encoded.encoding, &piece.table);
            assert_memory_equal(x, encoded.x + first * width, piece.table.n_rows * width * sizeof *x);
            free(x);
        }
    mixed->table.table.n_rows = 0;
    free(apply(&encoded.context, &encoded.encoding, &mixed->table.table));
    encoded_free(&encoded);
    free(mixed);
}

static void test_threads(void **state)
{
    enum { N = 100000 };
    double *value[2] = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
    uint32_t *code = malloc(N * sizeof *code);
    struct test_table table;
    struct encoded first, other;
    struct rng rng;
    (void)state;
    rng_init(&rng, 5, 1);
    for (size_t i = 0; i < N; i++) {
        value[0][i] = random_normal(&rng);
        value[1][i] = i % 50 == 0 ? NAN : (double)rng_below(&rng, 8);
        code[i] = rng_below(&rng, 4);
    }
    table_init(&table, N);
    add_numbers(&table, "a", value[0]);
    add_numbers(&table, "b", value[1]);
    add_texts(&table, "c", 4, colors, code);
    encode(&first, &table);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        encode_by(&other, &table.table, ENCODE_ONEHOT, SCALE_RANK, threads);
        assert_same_encoding(&first.encoding, &other.encoding, 0);
        assert_memory_equal(first.x, other.x, N * first.encoding.width * sizeof *first.x);
        encoded_free(&other);
    }
    encoded_free(&first);
    free(value[0]);
    free(value[1]);
    free(code);
}

static void test_saved_and_loaded(void **state)
{
    struct mixed *mixed = mixed_make();
    struct context memory;
    (void)state;
    for (int encode = ENCODE_ONEHOT; encode <= ENCODE_ORDINAL; encode++)
        for (int scale = SCALE_RANK; scale <= SCALE_NONE; scale++) {
            struct encoded encoded;
            struct encoding loaded;
            struct bytes bytes, again;
            encode_by(&encoded, &mixed->table.table, (enum text_encoding)encode, (enum number_scale)scale, 1);
            encoded.encoding.n_numbered = 17;
            test_context_init(&memory);
            bytes_init(&bytes, &memory);
            encoding_save(&encoded.encoding, &bytes);
            bytes_put_u32(&bytes, 4711); /* what follows is left alone */
            struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
            assert_ok(encoding_load(&memory, &reader, memory.arena, &loaded), &test_error);
            assert_int_equal(bytes_get_u32(&reader), 4711);
            assert_false(reader.failed);
            assert_int_equal(reader.size, 0);
            assert_same_encoding(&encoded.encoding, &loaded, 0);
            float *x = apply(&encoded.context, &loaded, &mixed->table.table);
            assert_memory_equal(x, encoded.x, MIXED_ROWS * loaded.width * sizeof *x);
            bytes_init(&again, &memory);
            encoding_save(&loaded, &again);
            assert_int_equal(again.size, bytes.size - 4);
            assert_memory_equal(again.data, bytes.data, again.size);
            free(x);
            test_context_close(&memory);
            encoded_free(&encoded);
        }
    free(mixed);
}

/* ---- images ---- */

enum { IMAGE_ROWS = 700, IMAGE_PIXELS = 35 };

/* Pixels of different brightness; the first is constant. */
static void image_make(struct test_table *table, double pixel[IMAGE_PIXELS][IMAGE_ROWS],
                       double weight[IMAGE_ROWS])
{
    static char names[IMAGE_PIXELS][NUMBER_SIZE];
    struct rng rng;
    rng_init(&rng, 8, 1);
    table_init(table, IMAGE_ROWS);
    table->table.image = (struct image_shape){5, 7, 1};
    for (size_t i = 0; i < IMAGE_ROWS; i++)
        weight[i] = rng_below(&rng, 3);
    for (size_t c = 0; c < IMAGE_PIXELS; c++) {
        for (size_t i = 0; i < IMAGE_ROWS; i++)
            pixel[c][i] = c == 0 ? 0 : rng_below(&rng, 40 * (uint32_t)c);
        (void)format_double(names[c], (double)(c + 1));
        add_numbers(table, names[c], pixel[c]);
    }
}

/* Saves and loads, and encodes the table once more. */
static void check_image_loaded(struct encoded *encoded, const struct table *table)
{
    struct encoding loaded;
    struct bytes bytes;
    bytes_init(&bytes, &encoded->memory);
    encoding_save(&encoded->encoding, &bytes);
    struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
    assert_ok(encoding_load(&encoded->memory, &reader, encoded->memory.arena, &loaded), &test_error);
    assert_false(reader.failed);
    float *x = apply(&encoded->context, &loaded, table);
    assert_memory_equal(x, encoded->x, sizeof *x * IMAGE_ROWS * IMAGE_PIXELS);
    free(x);
}

/* One scale for all pixels, by its definition; none is dropped. */
static void test_images(void **state)
{
    static double pixel[IMAGE_PIXELS][IMAGE_ROWS], weight[IMAGE_ROWS];
    struct test_table table;
    (void)state;
    image_make(&table, pixel, weight);
    for (int weighted = 0; weighted < 2; weighted++)
        for (int scale = SCALE_RANK; scale <= SCALE_NONE; scale++) {
            struct encoded encoded;
            long double total = 0, sum = 0, squares = 0;
            table.table.weight = weighted ? weight : NULL;
            for (size_t i = 0; i < IMAGE_ROWS; i++)
                for (size_t c = 0; c < IMAGE_PIXELS; c++) {
                    total += weighted ? weight[i] : 1;
                    sum += (weighted ? weight[i] : 1) * pixel[c][i];
                }
            for (size_t i = 0; i < IMAGE_ROWS; i++)
                for (size_t c = 0; c < IMAGE_PIXELS; c++)
                    squares += (weighted ? weight[i] : 1) * powl(pixel[c][i] - sum / total, 2);
            const double mean = (double)(sum / total), deviation = (double)sqrtl(squares / total);
            encode_by(&encoded, &table.table, ENCODE_ONEHOT, (enum number_scale)scale, 1);
            assert_int_equal(encoded.encoding.width, IMAGE_PIXELS);
            assert_int_equal(encoded.context.warnings->n, 0);
            for (size_t c = 0; c < IMAGE_PIXELS; c++) {
                double expected[IMAGE_ROWS];
                assert_use(&encoded, c, USE_NUMBER, 1);
                for (size_t i = 0; i < IMAGE_ROWS; i++)
                    expected[i] = scale == SCALE_NONE ? pixel[c][i] : (pixel[c][i] - mean) / deviation;
                assert_feature(&encoded, IMAGE_ROWS, c, expected);
            }
            check_image_loaded(&encoded, &table.table);
            encoded_free(&encoded);
        }
}

static void test_equal_images(void **state)
{
    static double pixel[IMAGE_PIXELS][IMAGE_ROWS], weight[IMAGE_ROWS];
    struct test_table table;
    struct context context;
    struct encoding encoding;
    (void)state;
    image_make(&table, pixel, weight);
    for (size_t c = 0; c < IMAGE_PIXELS; c++)
        for (size_t i = 0; i < IMAGE_ROWS; i++)
            pixel[c][i] = 0.1;
    test_context_init(&context);
    assert_int_equal(encoding_learn(&context, &table.table, 0, &ranked, context.arena, &encoding),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "all pixels of all images are 0.1");
    test_context_close(&context);
}

/* ---- damaged bytes ---- */

/* How much was asked for in all. */
static void *counting_resize(void *context, void *block, size_t size)
{
    *(size_t *)context += size;
    if (size > 0)
        return realloc(block, size);
    free(block);
    return NULL;
}

/* Loads, and applies where that is possible; whether it was. */
static bool load_damaged(const unsigned char *data, size_t size, const struct table *table)
{
    size_t asked = 0;
    const dedpul_allocator allocator = {&asked, counting_resize};
    struct context memory;
    struct encoding encoding;
    struct bytes_reader reader = {.data = data, .size = size};
    test_context_open(&memory, &allocator, &test_error);
    assert_ok(encoding_load(&memory, &reader, memory.arena, &encoding), &test_error);
    assert_true(asked < 40 * size + 1000);
    if (!reader.failed && table != NULL) {
        bool same_kinds = encoding.n_columns == table->n_columns;
        for (size_t c = 0; same_kinds && c < table->n_columns; c++)
            same_kinds = encoding.column[c].schema.kind == table->column[c].schema.kind;
        if (same_kinds)
            free(apply(&memory, &encoding, table));
    }
    test_context_close(&memory);
    return !reader.failed;
}

/* A small table, so that there are few bytes. */
struct small {
    struct test_table table;
    double number[24], few[24];
    uint32_t color[24];
    struct encoded encoded;
    struct bytes bytes; /* of the encoding */
};

static void small_make(struct small *small)
{
    for (size_t i = 0; i < 24; i++) {
        small->number[i] = i == 5 ? NAN : (double)(i * i);
        small->few[i] = (double)(i % 4);
        small->color[i] = (uint32_t)(i % 4);
    }
    table_init(&small->table, 24);
    add_numbers(&small->table, "number", small->number);
    add_texts(&small->table, "color", 4, colors, small->color);
    add_numbers(&small->table, "few", small->few);
    encode(&small->encoded, &small->table);
    bytes_init(&small->bytes, &small->encoded.memory);
    encoding_save(&small->encoded.encoding, &small->bytes);
}

static void test_damaged_bytes(void **state)
{
    struct small small;
    struct rng rng;
    (void)state;
    small_make(&small);
    const struct bytes *bytes = &small.bytes;
    const struct table *table = &small.table.table;
    unsigned char *data = malloc(bytes->size);
    assert_true(load_damaged(bytes->data, bytes->size, table));
    for (size_t size = 0; size < bytes->size; size++) {
        memcpy(data, bytes->data, size);
        unsigned char *exact = malloc(size + 1); /* so that a sanitizer sees each step beyond */
        memcpy(exact, data, size);
        assert_false(load_damaged(exact, size, NULL));
        free(exact);
    }
    rng_init(&rng, 6, 1);
    for (size_t i = 0; i < bytes->size; i++)
        for (int kind = 0; kind < 4; kind++) {
            memcpy(data, bytes->data, bytes->size);
            data[i] = (unsigned char)(kind == 0   ? 0xff
                                      : kind == 1 ? 0
                                      : kind == 2 ? data[i] ^ 1
                                                  : rng_below(&rng, 256));
            (void)load_damaged(data, bytes->size, table);
        }
    for (int round = 0; round < 2000; round++) {
        memcpy(data, bytes->data, bytes->size);
        for (uint32_t k = 1 + rng_below(&rng, 8); k > 0; k--)
            data[rng_below(&rng, (uint32_t)bytes->size)] = (unsigned char)rng_below(&rng, 256);
        (void)load_damaged(data, bytes->size, table);
    }
    memset(data, 0xff, bytes->size);
    assert_false(load_damaged(data, bytes->size, NULL));
    memset(data, 0, bytes->size);
    assert_false(load_damaged(data, bytes->size, NULL));
    free(data);
    encoded_free(&small.encoded);
}

/* What no encoding says. */
static void test_senseless_encodings(void **state)
{
    struct small small;
    (void)state;
    small_make(&small);
    struct encoding *encoding = &small.encoded.encoding;
    struct feature *number = &encoding->column[0], *color = &encoding->column[1], *few = &encoding->column[2];
    struct bytes bytes;
#define CHECK(place, value)                                       \
    do {                                                          \
        const double kept = (double)(place);                      \
        (place) = (value);                                        \
        bytes_init(&bytes, &small.encoded.memory);                \
        encoding_save(encoding, &bytes);                          \
        assert_false(load_damaged(bytes.data, bytes.size, NULL)); \
        (place) = (__typeof__(place))kept;                        \
    } while (0)
    CHECK(number->use, USE_CODE);   /* of texts */
    CHECK(number->use, USE_NUMBER); /* has no knots */
    CHECK(number->use, N_USES);
    CHECK(color->use, USE_NUMBER);
    CHECK(color->use, USE_RANK);
    CHECK(few->use, USE_RANK); /* without knots */
    CHECK(few->use, USE_ONE_HOT);
    CHECK(few->schema.kind, (enum column_kind)2);
    CHECK(few->schema.kind, COLUMN_TEXT);
    CHECK(number->knot_value[3], number->knot_value[2]); /* not ascending */
    CHECK(number->knot_value[3], NAN);
    CHECK(number->knot_normal[3], INFINITY);
    CHECK(encoding->center[1], NAN);
    CHECK(encoding->spread[1], INFINITY);
    CHECK(encoding->spread[1], -1);
    CHECK(color->schema.level[1][0], 'a'); /* not in order */
    CHECK(color->schema.level[1][0], 'z');
    CHECK(encoding->n_columns, 0);
#undef CHECK
    char *const green = color->schema.level[1];
    color->schema.level[1] = color->schema.level[0]; /* the same twice */
    bytes_init(&bytes, &small.encoded.memory);
    encoding_save(encoding, &bytes);
    assert_false(load_damaged(bytes.data, bytes.size, NULL));
    color->schema.level[1] = green;
    bytes_init(&bytes, &small.encoded.memory);
    encoding_save(encoding, &bytes);
    assert_true(load_damaged(bytes.data, bytes.size, NULL)); /* all was put back */
    encoded_free(&small.encoded);
}

/* ---- memory ---- */

/* All steps, with memory of one allocator. */
static dedpul_status all_steps(const struct table *table, const dedpul_allocator *allocator, float *x)
{
    struct context context, memory;
    struct encoding encoding;
    struct bytes bytes;
    test_context_open(&context, allocator, &test_error);
    test_context_open(&memory, allocator, &test_error);
    dedpul_status status = encoding_learn(&context, table, 0, &ranked, memory.arena, &encoding);
    if (status == DEDPUL_OK)
        status = encoding_apply(&context, &encoding, table, x);
    if (status == DEDPUL_OK) {
        bytes_init(&bytes, &context);
        encoding_save(&encoding, &bytes);
        status = bytes.failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
    }
    if (status == DEDPUL_OK) {
        struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
        status = encoding_load(&memory, &reader, memory.arena, &encoding);
        assert_false(reader.failed);
    }
    test_context_close(&context);
    test_context_close(&memory);
    return status;
}

static void test_allocation_failures(void **state)
{
    struct mixed *mixed = mixed_make();
    float *x = malloc((size_t)MIXED_ROWS * 20 * sizeof *x);
    size_t failures = 0;
    (void)state;
    mixed->table.table.n_rows = 200;
    for (;; failures++) {
        struct failing failing = {.fails_at = failures};
        const dedpul_allocator allocator = {&failing, failing_resize};
        test_error = (dedpul_error){DEDPUL_OK, ""};
        const dedpul_status status = all_steps(&mixed->table.table, &allocator, x);
        assert_int_equal(failing.blocks, 0);
        if (failing.calls <= failing.fails_at) {
            assert_ok(status, &test_error);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
    }
    assert_true(failures > 50);
    free(x);
    free(mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_rank_between_knots),
        cmocka_unit_test(test_rank_many_values),
        cmocka_unit_test(test_ten_distinct_values),
        cmocka_unit_test(test_standard_and_none),
        cmocka_unit_test(test_largest_numbers),
        cmocka_unit_test(test_one_hot),
        cmocka_unit_test(test_two_levels),
        cmocka_unit_test(test_three_levels),
        cmocka_unit_test(test_ordinal),
        cmocka_unit_test(test_dropped_columns),
        cmocka_unit_test(test_many_dropped_columns),
        cmocka_unit_test(test_no_column_left),
        cmocka_unit_test(test_weights_as_repeated),
        cmocka_unit_test(test_extreme_weights),
        cmocka_unit_test(test_pieces_and_rows),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_saved_and_loaded),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_equal_images),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_senseless_encodings),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
