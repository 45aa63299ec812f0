/* Kinds of labeled rows, from a table: which rows have which, which are joined, and what is refused. */
#include "kinds.h"

#include "support.h"

enum { MOST = 400 };

struct example {
    struct table table;
    unsigned char label[MOST];
    double weight[MOST];
    uint32_t kind[MOST];
    char *name[26];
    char letters[26][2];
};

/* A row for each letter, which is its kind; dots are unlabeled rows, and a question mark has no kind. */
static struct example *make(const char *rows)
{
    struct example *example = calloc(1, sizeof *example);
    struct table *table = &example->table;
    for (size_t k = 0; k < 26; k++) {
        example->letters[k][0] = (char)('a' + k);
        example->name[k] = example->letters[k];
    }
    table->n_rows = strlen(rows);
    assert_true(table->n_rows <= MOST);
    for (size_t i = 0; i < table->n_rows; i++) {
        example->label[i] = rows[i] != '.';
        example->weight[i] = 1;
        example->kind[i] = rows[i] >= 'a' ? (uint32_t)(rows[i] - 'a') : KIND_NONE;
    }
    table->label = example->label;
    table->kind = example->kind;
    table->kind_name = example->name;
    table->n_kinds = 26;
    return example;
}

static void check_failure(const char *rows, const char *message)
{
    struct context context;
    struct kinds kinds;
    struct example *example = make(rows);
    test_context_init(&context);
    assert_int_equal(kinds_read(&context, &example->table, &kinds), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    free(example);
    test_context_close(&context);
}

#define TEN(letter) letter letter letter letter letter letter letter letter letter letter

static void rows_have_their_kinds(void **state)
{
    struct context context;
    struct kinds kinds;
    struct example *example = make("..." TEN("b") TEN("a") "aa..");
    (void)state;
    test_context_init(&context);
    example->table.weight = example->weight;
    example->weight[3] = 0.5;
    assert_ok(kinds_read(&context, &example->table, &kinds), &test_error);
    assert_int_equal(kinds.n, 2);
    assert_string_equal(kinds.name[0], "a");
    assert_string_equal(kinds.name[1], "b");
    assert_int_equal(kinds.rows[0], 12);
    assert_int_equal(kinds.rows[1], 10);
    assert_near(kinds.weight[1], 9.5, 1e-12);
    for (size_t i = 0; i < example->table.n_rows; i++)
        assert_int_equal(kinds.of_row[i], i < 3 || i >= 25 ? 2 : i < 13 ? 1 : 0);
    assert_int_equal(context.warnings->n, 0);
    free(example);
    test_context_close(&context);
}

static void rare_kinds_are_joined(void **state)
{
    struct context context;
    struct kinds kinds;
    (void)state;
    /* c and d are rare, and together enough. */
    struct example *example = make(TEN("a") TEN("b") "a" TEN("c") "ddd"
                                                                  "...");
    for (size_t i = 21; i < 25; i++)
        example->kind[i] = 3; /* 6 of c, 7 of d */
    test_context_init(&context);
    assert_ok(kinds_read(&context, &example->table, &kinds), &test_error);
    assert_int_equal(kinds.n, 3);
    assert_string_equal(kinds.name[2], "c+d");
    assert_int_equal(kinds.rows[2], 13);
    assert_int_equal(context.warnings->n, 1);
    assert_int_equal(context.warnings->item[0].code, DEDPUL_WARNING_RARE_KINDS);
    assert_contains(context.warnings->item[0].message, "'c+d'");
    free(example);
    test_context_close(&context);
    /* d alone is too rare: the smallest other kind joins it. */
    example = make(TEN("a") TEN("b") "a" TEN("c") "cc"
                                                  "ddd");
    test_context_init(&context);
    assert_ok(kinds_read(&context, &example->table, &kinds), &test_error);
    assert_int_equal(kinds.n, 3);
    assert_string_equal(kinds.name[2], "b+d");
    assert_int_equal(kinds.rows[2], 13);
    free(example);
    test_context_close(&context);
}

static void what_is_no_kind_is_refused(void **state)
{
    (void)state;
    check_failure(TEN("a") TEN("b") "..?", "row 23 is labeled, but has no kind");
    check_failure(TEN("a") "..", "all labeled rows are of the kind 'a'");
    check_failure("abcdefghijklmn..", "each of the 14 labeled rows has a kind of its own");
    check_failure(TEN("a") "bb..", "of 2 kinds, 1 have at least 10 labeled rows");
    struct example *example = make(TEN("a") TEN("b") "..");
    struct context context;
    struct kinds kinds;
    test_context_init(&context);
    example->kind[20] = 1;
    assert_int_equal(kinds_read(&context, &example->table, &kinds), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "row 21 is unlabeled, but has the kind 'b'");
    free(example);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_their_kinds),
        cmocka_unit_test(rare_kinds_are_joined),
        cmocka_unit_test(what_is_no_kind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
