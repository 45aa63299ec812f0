/* Encodings that are saved and loaded, those of images, damaged ones, and memory that runs out. */
#include "encoding.h"
#include "feature_tables.h"
#include "number.h"
#include "reading.h"
#include "support.h"

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
        cmocka_unit_test(test_saved_and_loaded),    cmocka_unit_test(test_images),
        cmocka_unit_test(test_equal_images),        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_senseless_encodings), cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
