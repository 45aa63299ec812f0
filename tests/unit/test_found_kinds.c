/* Kinds that are found among the labeled rows of a table. */
#include "found_kinds.h"

#include "feature_tables.h"
#include "resolve.h"

enum { N_LABELED = 300, N = 1500 };

/* Labeled rows of kind a are at (4, 0), of which there are 8 in 10, and those of kind b at (0, 4). */
struct rows {
    struct test_table table;
    double x[N], y[N], noise[N], weight[N], logit[N];
    unsigned char label[N];
};

static struct rows *make_rows(void)
{
    struct rows *rows = calloc(1, sizeof *rows);
    struct rng rng;
    rng_init(&rng, 1, 0);
    table_init(&rows->table, N);
    add_numbers(&rows->table, (char *)"x", rows->x);
    add_numbers(&rows->table, (char *)"y", rows->y);
    add_numbers(&rows->table, (char *)"noise", rows->noise);
    for (size_t i = 0; i < N; i++) {
        const bool is_a = i < N_LABELED ? i % 10 < 8 : i % 10 == 0;
        const bool is_b = i < N_LABELED ? !is_a : i % 10 == 1;
        rows->x[i] = random_normal(&rng) + (is_a ? 4 : 0);
        rows->y[i] = random_normal(&rng) + (is_b ? 4 : 0);
        rows->noise[i] = random_normal(&rng);
        rows->weight[i] = 1;
        rows->label[i] = i < N_LABELED;
    }
    rows->table.table.label = rows->label;
    return rows;
}

/* Everything lives in the context until it is closed. */
static const uint32_t *find(struct context *context, const struct rows *rows, size_t n_kinds,
                            struct kinds *kinds)
{
    const uint32_t *likeliest;
    struct model model = {.version = NULL};
    struct fit_rows encoded;
    struct resolved resolved;
    dedpul_options options;
    dedpul_options_init(&options);
    assert_ok(options_resolve(&options, &resolved, &test_error), &test_error);
    arena_init(&model.memory, NULL);
    assert_ok(fit_rows_encode(context, &rows->table.table, 0, &resolved.plan, &model, &encoded), &test_error);
    for (size_t i = 0; i < N; i++)
        encoded.logit[i] = rows->logit[i];
    assert_ok(found_kinds_find(context, &encoded, n_kinds, kinds, &likeliest), &test_error);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(rows->label[i] == 1 ? likeliest[i] : kinds->n, kinds->of_row[i]);
    arena_free(&model.memory);
    return likeliest;
}

static void kinds_are_those_of_the_rows(void **state)
{
    struct rows *rows = make_rows();
    struct context context;
    struct kinds kinds;
    size_t right = 0;
    (void)state;
    test_context_init(&context);
    const uint32_t *likeliest = find(&context, rows, 2, &kinds);
    assert_int_equal(kinds.n, 2);
    assert_string_equal(kinds.name[0], "kind 1");
    assert_string_equal(kinds.name[1], "kind 2");
    assert_int_equal(kinds.rows[0] + kinds.rows[1], N_LABELED);
    assert_true(kinds.weight[0] > kinds.weight[1]);
    for (size_t i = 0; i < N_LABELED; i++)
        right += kinds.of_row[i] == (i % 10 < 8 ? 0 : 1);
    assert_true(right > 0.95 * N_LABELED);
    right = 0;
    for (size_t i = N_LABELED; i < N; i++)
        right += i % 10 < 2 && likeliest[i] == i % 10;
    assert_true(right > 0.95 * (N - N_LABELED) / 5);
    test_context_close(&context);
    free(rows);
}

static void threads_do_not_matter(void **state)
{
    struct rows *rows = make_rows();
    struct context context[2];
    struct kinds kinds[2];
    (void)state;
    for (unsigned t = 0; t < 2; t++) {
        test_context_init(&context[t]);
        context[t].threads = 1 + 3 * t;
        (void)find(&context[t], rows, 5, &kinds[t]);
    }
    assert_int_equal(kinds[0].n, kinds[1].n);
    assert_memory_equal(kinds[0].of_row, kinds[1].of_row, N * sizeof *kinds[0].of_row);
    test_context_close(&context[0]);
    test_context_close(&context[1]);
    free(rows);
}

/* Rows without a weight are in a kind, but do not count; each kind has enough that do. */
static void kinds_have_enough_rows(void **state)
{
    struct rows *rows = make_rows();
    struct context context;
    struct kinds kinds;
    (void)state;
    rows->table.table.weight = rows->weight;
    for (size_t i = 0; i < N_LABELED; i++)
        rows->weight[i] = i % 5 == 0 ? 2 : 0;
    test_context_init(&context);
    (void)find(&context, rows, 20, &kinds);
    size_t n = 0;
    for (size_t k = 0; k < kinds.n; k++) {
        assert_true(kinds.rows[k] >= FEWEST_FOUND);
        assert_near(kinds.weight[k], 2 * (double)kinds.rows[k], 1e-12);
        n += kinds.rows[k];
    }
    assert_int_equal(n, N_LABELED / 5);
    test_context_close(&context);
    free(rows);
}

/* Rows that look like negatives are no kind of their own, but belong to one. */
static void rows_of_low_logits_are_no_kind(void **state)
{
    struct rows *rows = make_rows();
    (void)state;
    for (int is_low = 0; is_low < 2; is_low++) {
        struct context context;
        struct kinds kinds;
        for (size_t i = 0; i < 60; i++) {
            rows->x[i] = rows->y[i] = -9;
            rows->logit[i] = is_low ? -5 : 0;
        }
        test_context_init(&context);
        (void)find(&context, rows, 3, &kinds);
        size_t n[3] = {0, 0, 0};
        for (size_t i = 0; i < 60; i++)
            n[kinds.of_row[i]]++;
        bool is_kind = false;
        for (size_t k = 0; k < kinds.n; k++)
            is_kind = is_kind || (n[k] == 60 && kinds.rows[k] == 60);
        assert_int_equal(is_kind, !is_low);
        test_context_close(&context);
    }
    free(rows);
}

/* Rows of 2 points are 2 kinds, and those of one are one, however many are looked for. */
static void rows_that_are_alike_are_of_a_kind(void **state)
{
    struct rows *rows = make_rows();
    (void)state;
    for (size_t points = 2; points > 0; points--) {
        struct context context;
        struct kinds kinds;
        for (size_t i = 0; i < N_LABELED; i++)
            rows->x[i] = rows->y[i] = rows->noise[i] = (double)(i % points);
        test_context_init(&context);
        (void)find(&context, rows, 4, &kinds);
        assert_int_equal(kinds.n, points);
        test_context_close(&context);
    }
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_those_of_the_rows),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(kinds_have_enough_rows),
        cmocka_unit_test(rows_of_low_logits_are_no_kind),
        cmocka_unit_test(rows_that_are_alike_are_of_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
