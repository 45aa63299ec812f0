/* Bytes of models, and numbers from text. */
#include "bytes.h"
#include "half.h"
#include "number.h"
#include "reading.h"
#include "support.h"

#include <stdio.h>

/* ---- bytes ---- */

static void test_bytes_layout(void **state)
{
    static const float floats[] = {1, -2.5F}, thirds[] = {1 / 3.F, -65504};
    static const unsigned char expected[] = {
        0x04, 0x03, 0x02, 0x01,                                   /* u32 */
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,           /* u64 */
        0,    0,    0,    0,    0,    0,    0xf8, 0xbf,           /* f64 -1.5 */
        0,    0,    0x80, 0x3f, 0,    0,    0x20, 0xc0,           /* f32s */
        0x55, 0x35, 0xff, 0xfb,                                   /* f16s */
        2,    0,    0,    0,    0,    0,    0,    0,    'h', 'i', /* text */
        0xff, 0x00, 0x7f,                                         /* as they are */
    };
    struct context context;
    struct bytes bytes;
    (void)state;
    test_context_init(&context);
    bytes_init(&bytes, &context);
    bytes_put_u32(&bytes, 0x01020304);
    bytes_put_u64(&bytes, 0x0102030405060708);
    bytes_put_f64(&bytes, -1.5);
    bytes_put_f32s(&bytes, 2, floats);
    bytes_put_f16s(&bytes, 2, thirds);
    bytes_put_text(&bytes, "hi");
    bytes_put(&bytes, 3, "\xff\x00\x7f");
    bytes_put(&bytes, 0, NULL);
    assert_false(bytes.failed);
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
    test_context_close(&context);
}

static void test_bytes_round_trip(void **state)
{
    static const double doubles[] = {0.0,      -0.0,      0.1,    -1.5,
                                     INFINITY, -INFINITY, 5e-324, 1.7976931348623157e308};
    static const char *const texts[] = {"", "a", "caf\xc3\xa9", "a longer one, with spaces\n"};
    enum { ROUNDS = 300 }; /* so that the bytes grow several times */
    struct context context;
    struct bytes bytes;
    (void)state;
    test_context_init(&context);
    bytes_init(&bytes, &context);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const float floats[] = {(float)round, NAN, -0.0F};
        bytes_put_u32(&bytes, UINT32_MAX - round);
        bytes_put_u64(&bytes, UINT64_MAX - round);
        bytes_put_f64(&bytes, doubles[round % LENGTH(doubles)]);
        bytes_put_f64(&bytes, NAN);
        bytes_put_text(&bytes, texts[round % LENGTH(texts)]);
        bytes_put_f32s(&bytes, LENGTH(floats), floats);
        bytes_put_f16s(&bytes, LENGTH(floats), floats);
    }
    struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        float floats[3];
        assert_int_equal(bytes_get_u32(&reader), UINT32_MAX - round);
        assert_true(bytes_get_u64(&reader) == UINT64_MAX - round);
        const double value = bytes_get_f64(&reader);
        assert_memory_equal(&value, &doubles[round % LENGTH(doubles)], sizeof value);
        assert_true(isnan(bytes_get_f64(&reader)));
        assert_string_equal(bytes_get_text(&context, &reader, context.arena), texts[round % LENGTH(texts)]);
        bytes_get_f32s(&reader, 3, floats);
        assert_true(floats[0] == (float)round && isnan(floats[1]) && signbit(floats[2]));
        bytes_get_f16s(&reader, 3, floats); /* there is no NaN among them */
        assert_true(floats[0] == (float)round && isinf(floats[1]) && signbit(floats[2]));
    }
    assert_false(reader.failed);
    assert_int_equal(reader.size, 0);
    assert_non_null(bytes_get(&reader, 0)); /* nothing is left, and that is no failure */
    assert_false(reader.failed);
    test_context_close(&context);
}

/* Once past the end, all is 0. */
static void test_bytes_end(void **state)
{
    static const unsigned char data[] = {1, 2, 3, 4, 5, 6, 7};
    struct context context;
    (void)state;
    test_context_init(&context);
    struct bytes_reader reader = {.data = data, .size = sizeof data};
    assert_int_equal(bytes_get_u32(&reader), 0x04030201);
    assert_int_equal(bytes_get_u32(&reader), 0);
    assert_true(reader.failed);
    float floats[2] = {7, 7}, halves[2] = {7, 7};
    assert_null(bytes_get(&reader, 1)); /* though there are some left */
    assert_int_equal(bytes_get_u64(&reader), 0);
    assert_near(bytes_get_f64(&reader), 0, 0);
    bytes_get_f32s(&reader, 2, floats);
    bytes_get_f16s(&reader, 2, halves);
    assert_true(floats[0] == 0 && floats[1] == 0 && halves[0] == 0 && halves[1] == 0);
    assert_int_equal(bytes_get_count(&reader, 1), 0);
    assert_string_equal(bytes_get_text(&context, &reader, context.arena), "");
    assert_true(reader.failed);
    test_context_close(&context);
}

static void test_bytes_counts(void **state)
{
    static const uint64_t counts[] = {0, 2, 3, 4, UINT64_MAX, (uint64_t)1 << 61};
    struct context context;
    (void)state;
    test_context_init(&context);
    for (size_t i = 0; i < LENGTH(counts); i++) { /* 24 bytes hold 3 things of 8 bytes, 2 of 9 */
        struct bytes bytes;
        bytes_init(&bytes, &context);
        bytes_put_u64(&bytes, counts[i]);
        bytes_put(&bytes, 24, "abcdefghijklmnopqrstuvwx");
        for (size_t size = 8; size <= 9; size++) {
            const size_t most = size == 8 ? 3 : 2;
            struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
            assert_int_equal(bytes_get_count(&reader, size), counts[i] <= most ? counts[i] : 0);
            assert_int_equal(reader.failed, counts[i] > most);
        }
        struct bytes_reader reader = {.data = bytes.data, .size = bytes.size};
        const char *const text = bytes_get_text(&context, &reader, context.arena);
        assert_int_equal(reader.failed, counts[i] > 24);
        assert_int_equal(strlen(text), counts[i] <= 24 ? counts[i] : 0);
        assert_true(strncmp(text, "abcd", strlen(text)) == 0);
    }
    test_context_close(&context);
}

static void test_bytes_memory(void **state)
{
    static const unsigned char data[] = {1, 0, 0, 0, 0, 0, 0, 0, 'x'};
    (void)state;
    for (size_t fails_at = 0; fails_at < 3; fails_at++) {
        struct failing failing = {.fails_at = fails_at};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct context context;
        struct bytes bytes;
        test_error = (dedpul_error){DEDPUL_OK, ""};
        test_context_open(&context, &allocator, &test_error);
        bytes_init(&bytes, &context);
        for (uint64_t i = 0; i < 1000; i++)
            bytes_put_u64(&bytes, i);
        assert_true(bytes.failed);
        assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
        const size_t size = bytes.size;
        bytes_put_u32(&bytes, 1); /* nothing more is written */
        assert_int_equal(bytes.size, size);
        test_context_close(&context);
        assert_int_equal(failing.blocks, 0);
    }
    struct failing failing = {.fails_at = 0};
    const dedpul_allocator allocator = {&failing, failing_resize};
    struct context context;
    struct bytes_reader reader = {.data = data, .size = sizeof data};
    test_context_open(&context, &allocator, &test_error);
    assert_null(bytes_get_text(&context, &reader, context.arena));
    test_context_close(&context);
}

/* ---- half precision ---- */

/* Halves of one sign are in the order of their bits; 2^16 would follow the last finite one. */
static double value_of(unsigned bits)
{
    const int exponent = (int)(bits >> 10), fraction = (int)(bits & 1023);
    return exponent == 0 ? fraction * 0x1p-24 : (1 + fraction / 1024.) * pow(2, exponent - 15);
}

/* Each half is itself. What is between two goes to the nearer one, and from the middle to the even one. */
static void test_halves(void **state)
{
    const unsigned infinite = 0x7c00, sign = 0x8000;
    (void)state;
    for (unsigned bits = 0; bits < infinite; bits++) {
        const float value = (float)value_of(bits),
                    middle = (float)((value_of(bits) + value_of(bits + 1)) / 2);
        const unsigned even = bits + bits % 2;
        assert_true(float_of_half((uint16_t)bits) == value);
        assert_true(float_of_half((uint16_t)(sign | bits)) == -value);
        assert_true(signbit(float_of_half((uint16_t)(sign | bits))));
        assert_int_equal(half_of_float(value), bits);
        assert_int_equal(half_of_float(-value), sign | bits);
        assert_int_equal(half_of_float(middle), even);
        assert_int_equal(half_of_float(-middle), sign | even);
        assert_int_equal(half_of_float(nextafterf(middle, 0)), bits);
        assert_int_equal(half_of_float(nextafterf(middle, INFINITY)), bits + 1);
    }
    for (unsigned bits = infinite; bits < sign; bits++) {
        assert_int_equal(isnan(float_of_half((uint16_t)bits)), bits > infinite);
        assert_true(!isfinite(float_of_half((uint16_t)(sign | bits))));
    }
    assert_true(float_of_half((uint16_t)infinite) == INFINITY &&
                float_of_half((uint16_t)(sign | infinite)) == -INFINITY);
}

/* Numbers that are too large for a half, and NaN. */
static void test_halves_out_of_range(void **state)
{
    static const float values[] = {65520, 65536, 1e6F, 3e38F, INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < LENGTH(values); i++) {
        assert_true(!isfinite(float_of_half(half_of_float(values[i]))));
        assert_true(!isfinite(float_of_half(half_of_float(-values[i]))));
    }
    assert_true(float_of_half(half_of_float(65519)) == 65504);
    assert_int_equal(half_of_float(1e-40F), 0);
    assert_int_equal(half_of_float(-1e-40F), 0x8000);
}

/* ---- numbers as text ---- */

static void assert_formats(double value)
{
    char expected[NUMBER_SIZE], found[NUMBER_SIZE];
    (void)snprintf(expected, sizeof expected, "%.9g", value);
    assert_string_equal(format_share(found, value), expected);
}

static void test_format_share(void **state)
{
    static const double values[] = {0,    1,      -0.25,  0.5,        0.1, 0.01, 0.001, 0.0001,
                                    1e-5, 1e-300, 0.9999, 0.99999995, 2,   1e10, NAN,   INFINITY};
    struct rng rng;
    (void)state;
    rng_init(&rng, 4, 4);
    for (size_t i = 0; i < LENGTH(values); i++)
        for (int step = -1; step <= 1; step++) /* and the numbers next to it */
            assert_formats(nextafter(values[i], values[i] + step));
    for (int i = 0; i < 200000; i++)
        assert_formats(pow(10, -6 * rng_uniform(&rng)));
    for (int i = 0; i < 20000; i++) { /* few digits, and the middle between two numbers of nine */
        assert_formats(rng_below(&rng, 100000) / 100000.);
        assert_formats((rng_below(&rng, 1000000000) + 0.5) / 1e9);
        assert_formats((rng_below(&rng, 1 << 20) + 0.5) / (1 << 20));
    }
}

static void assert_parses(const char *text)
{
    double value = -12345;
    if (!parse_double(text, strlen(text), &value) || value != strtod(text, NULL)) {
        print_error("%s was read as %.17g\n", text, value);
        fail();
    }
}

static void test_parse_double(void **state)
{
    static const char *const good[] = {
        "0",
        "1",
        "-1",
        "+1.5",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "1e+3",
        "123456789012345678901234567890",
        "0.1",
        "0.3",
        "9007199254740993",
        "1.7976931348623157e308",
        "4.9e-324",
        "1e400",
        "1e-400",
        "2.2250738585072014e-308",
        "0.000000000000000000000000000000000001",
        "1e22",
        "1e23",
        "1000000000000000000000000000000000000000000000000000000000000000000000000000000000",
        "0.5000000000000000555111512312578270211815834045410156250000000000000000001",
        "1e99999999999"};
    static const char *const bad[] = {"",    " ", "abc", "1x",   "1e", "1e+", "--1",  "0x10",
                                      "1 2", ".", "+",   "1..2", "e5", "1,5", "nanx", "infi"};
    double value;
    (void)state;
    for (size_t i = 0; i < LENGTH(good); i++)
        assert_parses(good[i]);
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_false(parse_double(bad[i], strlen(bad[i]), &value));
    assert_true(parse_double(" 2.5\t", 5, &value));
    assert_near(value, 2.5, 0);
    assert_true(parse_double("NaN", 3, &value) && isnan(value));
    assert_true(parse_double("-inf", 4, &value) && value == -INFINITY);
    assert_true(parse_double("Infinity", 8, &value) && value == INFINITY);
}

/* Any double survives printing with 17 digits; shorter prints round like the C library. */
static void test_parse_double_random(void **state)
{
    struct rng rng;
    char text[64];
    (void)state;
    rng_init(&rng, 1, 1);
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = (uint64_t)rng_next(&rng) << 32 | rng_next(&rng);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (i % 2 == 0)
            number = rng_uniform(&rng);
        if (!isfinite(number))
            continue;
        (void)snprintf(text, sizeof text, "%.*g", 1 + i % 20, number);
        assert_parses(text);
    }
}

static void test_parse_whole(void **state)
{
    uint64_t value;
    (void)state;
    assert_true(parse_whole("18446744073709551615", &value) && value == UINT64_MAX);
    assert_false(parse_whole("18446744073709551616", &value));
    assert_false(parse_whole("", &value));
    assert_false(parse_whole("-1", &value));
    assert_false(parse_whole("1.0", &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_layout),        cmocka_unit_test(test_bytes_round_trip),
        cmocka_unit_test(test_bytes_end),           cmocka_unit_test(test_bytes_counts),
        cmocka_unit_test(test_bytes_memory),        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_halves_out_of_range), cmocka_unit_test(test_format_share),
        cmocka_unit_test(test_parse_double),        cmocka_unit_test(test_parse_double_random),
        cmocka_unit_test(test_parse_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
