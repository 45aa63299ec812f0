/* Columns of texts as features; weights, pieces and threads with columns of every kind. */
#include "encoding.h"
#include "feature_tables.h"
#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_hot),
        cmocka_unit_test(test_two_levels),
        cmocka_unit_test(test_three_levels),
        cmocka_unit_test(test_ordinal),
        cmocka_unit_test(test_weights_as_repeated),
        cmocka_unit_test(test_extreme_weights),
        cmocka_unit_test(test_pieces_and_rows),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
