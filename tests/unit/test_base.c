/* Errors, memory, warnings, random numbers and names. */
#include "suggest.h"
#include "support.h"
#include "warning_rules.h"

#include <stdio.h>

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

/* Warns with these codes in turn. */
static void warn_in_order(struct context *context, size_t n, const dedpul_warning_code *code)
{
    for (size_t i = 0; i < n; i++)
        context_warn(context, code[i], "%s", warning_name(code[i]));
}

/* What silences a warning keeps it out and drives it out, also if it comes in a list. Others stay. */
static void test_warnings_settled(void **state)
{
    (void)state;
    for (size_t r = 0; r < n_warning_rules; r++)
        for (int kind = 0; kind < 3; kind++) {
            const dedpul_warning_code stays = warning_rules[r].stays, goes = warning_rules[r].goes;
            const dedpul_warning_code codes[2][3] = {{goes, DEDPUL_WARNING_REPEATED_ROWS, stays},
                                                     {stays, DEDPUL_WARNING_REPEATED_ROWS, goes}};
            struct context context;
            struct warnings list = {.n = 0};
            test_context_init(&context);
            struct context apart = context;
            apart.warnings = &list;
            warn_in_order(kind == 2 ? &apart : &context, kind == 2 ? 1 : 3, codes[kind % 2]);
            if (kind == 2) {
                warn_in_order(&context, 2, codes[1]);
                warnings_add_all(context.warnings, &list);
            }
            assert_int_equal(context.warnings->n, 2);
            assert_true(warnings_have(context.warnings, stays));
            assert_true(warnings_have(context.warnings, DEDPUL_WARNING_REPEATED_ROWS));
            for (size_t i = 0; i < 2; i++)
                assert_string_equal(context.warnings->item[i].message,
                                    warning_name(context.warnings->item[i].code));
            test_context_close(&context);
        }
}

/* No warning silences itself or what silences it, and whatever silences it silences what it does. */
static void test_warning_rules(void **state)
{
    (void)state;
    for (size_t a = 0; a < n_warning_rules; a++) {
        assert_false(warning_silences(warning_rules[a].goes, warning_rules[a].stays));
        assert_int_not_equal(warning_rules[a].stays, warning_rules[a].goes);
        for (size_t b = 0; b < n_warning_rules; b++)
            if (warning_rules[a].goes == warning_rules[b].stays)
                assert_true(warning_silences(warning_rules[a].stays, warning_rules[b].goes));
    }
    assert_true(warning_silences(DEDPUL_WARNING_LEAKING_COLUMN, DEDPUL_WARNING_WEAKLY_IDENTIFIED));
    assert_true(warning_silences(DEDPUL_WARNING_SELECTED_LABELS, DEDPUL_WARNING_ABOVE_BOUND));
    assert_false(warning_silences(DEDPUL_WARNING_REPEATED_ROWS, DEDPUL_WARNING_WEAKLY_IDENTIFIED));
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

static void test_nearest_name(void **state)
{
    static const char *const names[] = {"dedpul", "bbe", "en_e1"};
    char text[200];
    (void)state;
    assert_string_equal(dedpul_nearest_name("dedpool", 3, names), "dedpul");
    assert_string_equal(dedpul_nearest_name("en-e1", 3, names), "en_e1");
    assert_string_equal(dedpul_nearest_name("beb", 3, names), "bbe"); /* letters that are swapped */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_names),  cmocka_unit_test(test_quote_text),
        cmocka_unit_test(test_escape_text),   cmocka_unit_test(test_error_message_is_cut),
        cmocka_unit_test(test_context_stack), cmocka_unit_test(test_context_refuses_overflow),
        cmocka_unit_test(test_warnings_once), cmocka_unit_test(test_warnings_settled),
        cmocka_unit_test(test_warning_rules), cmocka_unit_test(test_philox),
        cmocka_unit_test(test_rng_ranges),    cmocka_unit_test(test_streams),
        cmocka_unit_test(test_nearest_name),  cmocka_unit_test(test_hint_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
