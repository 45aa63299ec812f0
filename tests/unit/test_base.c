#include "bytes.h"
#include "crew.h"
#include "number.h"
#include "output_file.h"
#include "parallel.h"
#include "reading.h"
#include "suggest.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_status_names(void **state)
{
    (void)state;
    assert_string_equal(dedpul_status_name(DEDPUL_OK), "OK");
    assert_string_equal(dedpul_status_name(DEDPUL_INVALID_DATA), "INVALID_DATA");
    assert_string_equal(dedpul_status_text(DEDPUL_NO_MEMORY), "out of memory");
    assert_string_equal(dedpul_status_name((dedpul_status)99), "UNKNOWN");
    assert_string_equal(dedpul_status_text((dedpul_status)99), "unknown status");
    assert_string_equal(dedpul_rule_name((dedpul_rule)99), "unknown");
}

static void test_quote_text(void **state)
{
    char buffer[QUOTE_SIZE], text[1000];
    (void)state;
    assert_string_equal(quote_text(buffer, "abc", 3), "'abc'");
    assert_string_equal(quote_text(buffer, "a\tb\xff", 4), "'a\\x09b\\xff'");
    assert_string_equal(quote_text(buffer, "a\xc2\x9b", 3), "'a\\xc2\\x9b'"); /* C1: a terminal's CSI */
    assert_string_equal(quote_text(buffer, "\x1b[2J\x7f", 5), "'\\x1b[2J\\x7f'");
    memset(text, 'x', sizeof text);
    (void)quote_text(buffer, text, sizeof text);
    assert_true(strlen(buffer) < QUOTE_SIZE);
    assert_string_equal(buffer + strlen(buffer) - 4, "...'");
    memset(text, 1, sizeof text); /* the longest pieces */
    assert_true(strlen(quote_text(buffer, text, sizeof text)) < QUOTE_SIZE);
}

static void assert_escapes(const char *text, const char *expected)
{
    char buffer[NAME_TEXT_SIZE];
    assert_string_equal(escape_text(buffer, sizeof buffer, text, strlen(text)), expected);
}

static void test_escape_text(void **state)
{
    static const char right_to_left[] = {'a', '\xe2', '\x80', '\xae', 'b', '\0'};
    char buffer[12];
    (void)state;
    assert_escapes("", "");
    assert_escapes("data/wine 1.csv", "data/wine 1.csv");
    assert_escapes("gr\xc3\xb6\xc3\x9f"
                   "e \xe2\x82\xac \xf0\x9f\x8d\xb7",
                   "gr\xc3\xb6\xc3\x9f"
                   "e \xe2\x82\xac \xf0\x9f\x8d\xb7");
    assert_escapes("\x1b[2J\n\x7f", "\\x1b[2J\\x0a\\x7f");
    assert_escapes("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f\xc2\xa0");
    assert_escapes(right_to_left, "a\\xe2\\x80\\xae"
                                  "b");
    assert_escapes("\x9b\xff\xc3", "\\x9b\\xff\\xc3");
    assert_escapes("\xc0\x9b", "\\xc0\\x9b");                   /* longer than needed */
    assert_escapes("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* half of a pair */
    assert_escapes("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond the last one */
    assert_string_equal(escape_text(buffer, sizeof buffer, "12345678", 8), "12345678");
    assert_string_equal(escape_text(buffer, sizeof buffer, "123456789", 9), "12345678...");
    assert_string_equal(escape_text(buffer, sizeof buffer, "1234567\xc3\xb6xyz", 12), "1234567...");
    assert_string_equal(escape_text(buffer, sizeof buffer, "\1\2\3", 3), "\\x01\\x02...");
}

static void test_error_message_is_cut(void **state)
{
    dedpul_error error;
    char text[2000];
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(error_set(&error, DEDPUL_IO, "%s", text), DEDPUL_IO);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(error_set(NULL, DEDPUL_IO, "nobody listens"), DEDPUL_IO);
}

static void test_context_stack(void **state)
{
    struct context context;
    (void)state;
    test_context_init(&context);
    double *kept = context_allocate(&context, 100, sizeof *kept);
    struct block *mark = context_mark(&context);
    for (size_t i = 0; i < 100; i++)
        kept[i] = (double)i;
    void *large = context_allocate(&context, 1, 3 << 20);
    assert_non_null(large);
    assert_non_null(context_allocate(&context, 0, 8)); /* never NULL */
    context_release(&context, mark);
    void *again = context_allocate(&context, 1, (3 << 20) - 100); /* the same block, where reused */
    assert_non_null(again);
    for (size_t i = 0; i < 100; i++)
        assert_near(kept[i], (double)i, 0);
    struct context other;
    test_context_init(&other);
    arena_give(context.arena, kept, other.arena);
    context_release(&context, NULL);
    arena_move_spare(context.arena, other.arena);
    assert_near(kept[99], 99, 0);
    arena_free_spare(other.arena);
    test_context_close(&other);
    test_context_close(&context);
}

static void test_context_refuses_overflow(void **state)
{
    struct context context;
    (void)state;
    test_context_init(&context);
    assert_null(context_allocate(&context, SIZE_MAX / 4, 8));
    assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
    assert_contains(test_error.message, "out of memory");
    test_context_close(&context);
}

static void test_warnings_once(void **state)
{
    struct context context;
    (void)state;
    test_context_init(&context);
    context_warn(&context, DEDPUL_WARNING_TRIVIAL_ROOT, "first %d", 1);
    context_warn(&context, DEDPUL_WARNING_TRIVIAL_ROOT, "second");
    assert_int_equal(context.warnings->n, 1);
    assert_string_equal(context.warnings->item[0].message, "first 1");
    assert_string_equal(warning_name(context.warnings->item[0].code), "trivial_root");
    assert_string_equal(warning_name((dedpul_warning_code)99), "unknown");
    test_context_close(&context);
}

/* Known answers of the reference implementation (Random123, kat_vectors). */
static void test_philox(void **state)
{
    static const uint32_t zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    struct rng rng;
    (void)state;
    rng_init(&rng, 0, 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(rng_next(&rng), zeros[i]);
    rng_init(&rng, 1, 5);
    const uint32_t first = rng_next(&rng);
    rng_init(&rng, 1, 6);
    assert_int_not_equal(first, rng_next(&rng));
}

static void test_rng_ranges(void **state)
{
    struct rng rng;
    unsigned count[5] = {0};
    double sum = 0;
    (void)state;
    rng_init(&rng, 3, 1);
    for (int i = 0; i < 100000; i++) {
        count[rng_below(&rng, 5)]++;
        const double uniform = rng_uniform(&rng);
        assert_true(uniform >= 0 && uniform < 1);
        sum += uniform;
    }
    for (int i = 0; i < 5; i++)
        assert_near(count[i], 20000, 600);
    assert_near(sum / 100000, 0.5, 0.005);
    rng.counter[0] = UINT32_MAX; /* the counter carries */
    rng.used = 4;
    (void)rng_next(&rng);
    assert_int_equal(rng.counter[0], 0);
    assert_int_equal(rng.counter[1], 1);
}

struct tally {
    atomic_int done[1000];
    size_t fails_at;
};

static dedpul_status tally_task(struct context *context, void *argument, size_t index)
{
    struct tally *tally = argument;
    assert_non_null(context_allocate(context, 10, 8)); /* the caller of the task frees it */
    atomic_fetch_add(&tally->done[index], 1);
    if (index >= tally->fails_at)
        return error_set(context->error, DEDPUL_INVALID_DATA, "task failed");
    return DEDPUL_OK;
}

static void test_parallel(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 300; threads += 13) {
        struct context context;
        struct tally tally = {.fails_at = SIZE_MAX};
        test_context_init(&context);
        context.threads = threads;
        assert_ok(parallel_for(&context, LENGTH(tally.done), tally_task, &tally), &test_error);
        for (size_t i = 0; i < LENGTH(tally.done); i++)
            assert_int_equal(tally.done[i], 1);
        tally.fails_at = 500;
        assert_int_equal(parallel_for(&context, LENGTH(tally.done), tally_task, &tally), DEDPUL_INVALID_DATA);
        assert_string_equal(test_error.message, "task failed");
        assert_ok(parallel_for(&context, 0, tally_task, &tally), &test_error);
        test_context_close(&context);
    }
    assert_true(threads_or_default(0) >= 1);
    assert_int_equal(threads_or_default(7), 7);
}

/* Purposes and indices together name a stream, and none is one of the small numbers of densities. */
static void test_streams(void **state)
{
    static const uint32_t purposes[] = {STREAM_PARTITION, STREAM_WATCHED, STREAM_NETWORK, STREAM_PLUGIN};
    uint64_t seen[LENGTH(purposes) * 20];
    size_t n = 0;
    (void)state;
    for (size_t p = 0; p < LENGTH(purposes); p++)
        for (size_t index = 0; index < 20; index++) {
            const uint64_t stream = rng_stream(purposes[p], index < 19 ? index : UINT32_MAX);
            assert_true(stream > UINT32_MAX);
            for (size_t i = 0; i < n; i++)
                assert_true(seen[i] != stream);
            seen[n++] = stream;
        }
}

/* ---- crews ---- */

enum { CREW_TASKS = 23 };

struct crew_log {
    pthread_t thread[CREW_TASKS];
    unsigned done[CREW_TASKS];
    size_t fails_from, fails_to; /* tasks that fail */
};

static dedpul_status crew_task(struct context *context, void *argument, size_t index)
{
    struct crew_log *log = argument;
    assert_non_null(context_allocate(context, 10, 8)); /* freed after the task */
    assert_int_equal(context->seed, 42);
    assert_int_equal(context->threads, 1);
    log->thread[index] = pthread_self();
    log->done[index]++;
    if (index >= log->fails_from && index < log->fails_to)
        return error_set(context->error, index % 2 == 0 ? DEDPUL_IO : DEDPUL_INVALID_DATA, "task %zu", index);
    return DEDPUL_OK;
}

static void test_crew(void **state)
{
    static const unsigned thread_counts[] = {1, 2, 3, 23, 30};
    (void)state;
    for (size_t t = 0; t < LENGTH(thread_counts); t++) {
        struct context context;
        struct crew_log log = {.fails_from = CREW_TASKS}, first;
        test_context_init(&context);
        context.threads = thread_counts[t];
        context.seed = 42;
        struct crew *crew = crew_start(&context, CREW_TASKS);
        assert_non_null(crew);
        for (unsigned run = 1; run <= 20; run++) {
            assert_ok(crew_run(crew, &context, crew_task, &log), &test_error);
            if (run == 1)
                first = log;
            for (size_t i = 0; i < CREW_TASKS; i++) {
                assert_int_equal(log.done[i], run); /* each once */
                assert_true(pthread_equal(log.thread[i], first.thread[i]));
                assert_true(thread_counts[t] > 1 || pthread_equal(log.thread[i], pthread_self()));
            }
        }
        size_t n_distinct = 0; /* the threads are all at work, the calling one too */
        bool is_caller_there = false;
        for (size_t i = 0; i < CREW_TASKS; i++) {
            size_t k = 0;
            while (k < i && !pthread_equal(first.thread[k], first.thread[i]))
                k++;
            n_distinct += k == i;
            is_caller_there = is_caller_there || pthread_equal(first.thread[i], pthread_self());
        }
        assert_true(is_caller_there);
        assert_int_equal(n_distinct, thread_counts[t] < CREW_TASKS ? thread_counts[t] : CREW_TASKS);

        log.fails_from = 5; /* 5 to 19 fail, and the first of them is heard */
        log.fails_to = 20;
        assert_int_equal(crew_run(crew, &context, crew_task, &log), DEDPUL_INVALID_DATA);
        assert_string_equal(test_error.message, "task 5");
        for (size_t i = 0; i < CREW_TASKS; i++)
            assert_int_equal(log.done[i], 21); /* the others run all the same */
        log.fails_from = 18;
        assert_int_equal(crew_run(crew, &context, crew_task, &log), DEDPUL_IO);
        assert_string_equal(test_error.message, "task 18");
        log.fails_from = CREW_TASKS; /* a failure is forgotten */
        assert_ok(crew_run(crew, &context, crew_task, &log), &test_error);
        crew_stop(crew);
        test_context_close(&context);
    }
    crew_stop(NULL);
}

static void test_crew_ends(void **state)
{
    struct context context;
    struct crew_log log = {.fails_from = CREW_TASKS};
    (void)state;
    test_context_init(&context);
    context.threads = 4;
    struct crew *crew = crew_start(&context, CREW_TASKS); /* without a run */
    assert_non_null(crew);
    crew_stop(crew);
    crew = crew_start(&context, 0); /* without tasks */
    assert_non_null(crew);
    assert_ok(crew_run(crew, &context, crew_task, &log), &test_error);
    crew_stop(crew);
    test_context_close(&context);
}

static dedpul_status large_task(struct context *context, void *argument, size_t index)
{
    (void)argument;
    return index == 3 && context_allocate(context, SIZE_MAX / 4, 8) == NULL ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

static void test_crew_memory(void **state)
{
    (void)state;
    for (size_t fails_at = 0; fails_at < 2; fails_at++) {
        struct failing failing = {.fails_at = fails_at};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct context context;
        test_error = (dedpul_error){DEDPUL_OK, ""};
        test_context_open(&context, &allocator, &test_error);
        context.threads = 3;
        struct crew *crew = crew_start(&context, 3);
        assert_null(crew);
        assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
        test_context_close(&context);
        assert_int_equal(failing.blocks, 0);
    }
    struct context context;
    test_context_init(&context);
    context.threads = 2;
    struct crew *crew = crew_start(&context, 5); /* memory that runs out in a task */
    assert_non_null(crew);
    assert_int_equal(crew_run(crew, &context, large_task, NULL), DEDPUL_NO_MEMORY);
    assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
    assert_contains(test_error.message, "out of memory");
    crew_stop(crew);
    test_context_close(&context);
}

/* ---- bytes ---- */

static void test_bytes_layout(void **state)
{
    static const float floats[] = {1, -2.5F};
    static const unsigned char expected[] = {
        0x04, 0x03, 0x02, 0x01,                                   /* u32 */
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,           /* u64 */
        0,    0,    0,    0,    0,    0,    0xf8, 0xbf,           /* f64 -1.5 */
        0,    0,    0x80, 0x3f, 0,    0,    0x20, 0xc0,           /* f32s */
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
    float floats[2] = {7, 7};
    assert_null(bytes_get(&reader, 1)); /* though there are some left */
    assert_int_equal(bytes_get_u64(&reader), 0);
    assert_near(bytes_get_f64(&reader), 0, 0);
    bytes_get_f32s(&reader, 2, floats);
    assert_true(floats[0] == 0 && floats[1] == 0);
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

static void test_nearest_name(void **state)
{
    static const char *const names[] = {"dedpul", "bbe", "en_e1"};
    char text[200];
    (void)state;
    assert_string_equal(dedpul_nearest_name("dedpool", 3, names), "dedpul");
    assert_string_equal(dedpul_nearest_name("en-e1", 3, names), "en_e1");
    assert_null(dedpul_nearest_name("zzzzzz", 3, names));
    assert_null(dedpul_nearest_name("", 3, names));
    memset(text, 'd', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_null(dedpul_nearest_name(text, 3, names));
}

static const char *many_name(const void *list, size_t index)
{
    static char name[64];
    (void)list;
    (void)snprintf(name, sizeof name, "a_rather_long_column_name_%zu", index);
    return name;
}

static void test_hint_fits(void **state)
{
    char buffer[NAME_HINT_SIZE];
    (void)state;
    assert_contains(name_hint(buffer, many_name, NULL, 3, "a_rather_long_column_name"),
                    "did you mean 'a_rather_long_column_name_0'?");
    (void)name_hint(buffer, many_name, NULL, 1000, "x");
    assert_true(strlen(buffer) < NAME_HINT_SIZE);
    assert_string_equal(buffer + strlen(buffer) - 4, " ...");
}

/* ---- output files ---- */

static char directory[] = "/tmp/dedpul-test-XXXXXX";
static char path[256];

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(directory); /* fails where a temporary file was left behind */
}

static void write_text(const char *target, const char *text)
{
    struct output_file file;
    assert_ok(output_file_open(&file, target, &test_error), &test_error);
    (void)fputs(text, file.stream);
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_ok(output_file_commit(&file, &test_error), &test_error);
    output_file_discard(&file); /* nothing is left to do */
}

static void assert_content(const char *target, const char *text)
{
    char buffer[100] = "";
    FILE *file = fopen(target, "r");
    assert_non_null(file);
    (void)fgets(buffer, sizeof buffer, file);
    (void)fclose(file);
    assert_string_equal(buffer, text);
}

static void test_output_file(void **state)
{
    char link_path[300];
    struct output_file file;
    struct stat status;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)snprintf(link_path, sizeof link_path, "%s/link", directory);
    write_text(path, "one");
    assert_content(path, "one");
    assert_int_equal(symlink(path, link_path), 0);
    write_text(link_path, "two"); /* through the link, which stays one */
    assert_content(path, "two");
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(chmod(path, 0600), 0);
    assert_ok(output_file_open(&file, path, &test_error), &test_error);
    assert_content(path, "two"); /* until the commit */
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_content(path, "two");
    output_file_discard(&file);
    assert_content(path, "two");
    write_text(path, "three");
    assert_content(path, "three");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600); /* as it was */
    write_text("/dev/null", "into the void");
}

static void test_output_file_fails(void **state)
{
    struct output_file file;
    char long_path[PATH_MAX + 10];
    (void)state;
    assert_int_equal(output_file_open(&file, "/nonexistent/x", &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cannot write /nonexistent/x: No such file");
    assert_int_equal(output_file_open(&file, directory, &test_error), DEDPUL_IO);
    memset(long_path, 'x', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(output_file_open(&file, long_path, &test_error), DEDPUL_IO);
    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    (void)fputs("text", file.stream);
    assert_int_equal(output_file_close(&file, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/dev/full");
    output_file_discard(&file);
    assert_ok(output_file_open(&file, path, &test_error), &test_error); /* its place is taken away */
    (void)unlink(file.temporary);
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_int_equal(output_file_commit(&file, &test_error), DEDPUL_IO);
    output_file_discard(&file);
}

/* More than stdio's buffer, so that a write fails long before the close. */
static void write_much(FILE *stream)
{
    for (int i = 0; i < 20000; i++)
        (void)fprintf(stream, "line %d\n", i);
}

static void test_full_disk(void **state)
{
    struct output_file file;
    (void)state;
    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    write_much(file.stream);
    errno = EINVAL; /* what is told is the reason of the write, not the latest one */
    assert_int_equal(output_file_close(&file, &test_error), DEDPUL_IO);
    assert_string_equal(test_error.message, "cannot write /dev/full: No space left on device");
    output_file_discard(&file);

    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    assert_ok(output_file_check(&file, &test_error), &test_error); /* nothing was written yet */
    (void)fputs("text", file.stream);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(output_file_check(&file, &test_error), DEDPUL_IO);
        assert_contains(test_error.message, "No space left on device");
    }
    output_file_discard(&file);
}

static void test_file_too_large(void **state)
{
    struct rlimit before;
    struct output_file file;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)unlink(path);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {10000, before.rlim_max};
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_ok(output_file_open(&file, path, &test_error), &test_error);
    (void)fputs("few", file.stream);
    const dedpul_status few = output_file_check(&file, &test_error);
    write_much(file.stream);
    const dedpul_status much = output_file_check(&file, &test_error);
    const dedpul_status closed = output_file_close(&file, &test_error);
    output_file_discard(&file);
    (void)setrlimit(RLIMIT_FSIZE, &before); /* before any assertion, whose report is a file, too */
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(few, DEDPUL_OK);
    assert_int_equal(much, DEDPUL_IO);
    assert_int_equal(closed, DEDPUL_IO);
    assert_contains(test_error.message, path);
    assert_contains(test_error.message, "File too large");
    assert_int_equal(access(path, F_OK), -1);
}

/* Writes to standard output, which is this descriptor meanwhile. */
static dedpul_status write_standard(int descriptor, const char *before)
{
    struct output_file file;
    (void)fflush(stdout);
    const int standard = dup(STDOUT_FILENO);
    (void)dup2(descriptor, STDOUT_FILENO);
    (void)close(descriptor);
    (void)fputs(before, stdout);
    dedpul_status status = output_file_open_standard(&file, &test_error);
    if (status == DEDPUL_OK) {
        (void)fputs("in,", file.stream);
        status = output_file_check(&file, &test_error);
    }
    if (status == DEDPUL_OK)
        status = output_file_close(&file, &test_error);
    if (status == DEDPUL_OK)
        status = output_file_commit(&file, &test_error);
    output_file_discard(&file);
    (void)fputs("after", stdout);
    (void)fflush(stdout);
    clearerr(stdout);
    (void)dup2(standard, STDOUT_FILENO);
    (void)close(standard);
    return status;
}

static void test_standard_output(void **state)
{
    static const char *const before[] = {"", "before,"};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    assert_ok(write_standard(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), "before,"), &test_error);
    assert_content(path, "before,in,after");
    void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < LENGTH(before); i++) {
        int ends[2];
        assert_int_equal(write_standard(open("/dev/full", O_WRONLY), before[i]), DEDPUL_IO);
        assert_contains(test_error.message, "standard output: No space left on device");
        assert_int_equal(pipe(ends), 0);
        (void)close(ends[0]);
        assert_int_equal(write_standard(ends[1], before[i]), DEDPUL_IO);
        assert_contains(test_error.message, "standard output: Broken pipe");
    }
    (void)signal(SIGPIPE, handler);
}

/* A link to a file that does not exist yet: that file is created, and the link stays. */
static void test_dangling_link(void **state)
{
    char first[300], second[300];
    struct output_file file;
    struct stat status;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)snprintf(first, sizeof first, "%s/first", directory);
    (void)snprintf(second, sizeof second, "%s/second", directory);
    assert_int_equal(symlink("second", first), 0);
    for (int is_relative = 0; is_relative < 2; is_relative++) {
        (void)unlink(path);
        assert_int_equal(symlink(is_relative ? "out" : path, second), 0);
        assert_ok(output_file_open(&file, first, &test_error), &test_error);
        output_file_discard(&file);
        assert_int_equal(access(path, F_OK), -1); /* not before the commit */
        write_text(first, "through");
        assert_content(path, "through");
        assert_int_equal(lstat(path, &status), 0);
        assert_true(S_ISREG(status.st_mode));
        assert_int_equal(lstat(first, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        assert_int_equal(unlink(second), 0);
    }
    assert_int_equal(symlink("nowhere/out", second), 0);
    assert_int_equal(output_file_open(&file, first, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, first);
    assert_contains(test_error.message, "nowhere/out, whose directory does not exist");
    output_file_discard(&file);
    assert_int_equal(unlink(second), 0);
    assert_int_equal(symlink("first", second), 0); /* a circle */
    assert_int_equal(output_file_open(&file, first, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "symbolic links");
    output_file_discard(&file);
    assert_int_equal(lstat(first, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(unlink(first) + unlink(second), 0);
}

/* Names are made fit for a terminal. */
static void test_output_file_names(void **state)
{
    struct output_file file;
    (void)state;
    assert_int_equal(output_file_open(&file, "/nonexistent/\x1b]0;x\x07", &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cannot write /nonexistent/\\x1b]0;x\\x07: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_names),
        cmocka_unit_test(test_quote_text),
        cmocka_unit_test(test_escape_text),
        cmocka_unit_test(test_error_message_is_cut),
        cmocka_unit_test(test_context_stack),
        cmocka_unit_test(test_context_refuses_overflow),
        cmocka_unit_test(test_warnings_once),
        cmocka_unit_test(test_philox),
        cmocka_unit_test(test_rng_ranges),
        cmocka_unit_test(test_parallel),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_crew),
        cmocka_unit_test(test_crew_ends),
        cmocka_unit_test(test_crew_memory),
        cmocka_unit_test(test_bytes_layout),
        cmocka_unit_test(test_bytes_round_trip),
        cmocka_unit_test(test_bytes_end),
        cmocka_unit_test(test_bytes_counts),
        cmocka_unit_test(test_bytes_memory),
        cmocka_unit_test(test_parse_double),
        cmocka_unit_test(test_parse_double_random),
        cmocka_unit_test(test_parse_whole),
        cmocka_unit_test(test_nearest_name),
        cmocka_unit_test(test_hint_fits),
        cmocka_unit_test(test_output_file),
        cmocka_unit_test(test_output_file_fails),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_file_too_large),
        cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_dangling_link),
        cmocka_unit_test(test_output_file_names),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
