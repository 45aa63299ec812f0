/* Folds that keep groups together. */
#include "group_folds.h"
#include "support.h"

enum { MOST = 4000 };

struct rows {
    struct context context;
    size_t n, n_groups;
    unsigned char stratum[MOST], fold[MOST];
    uint32_t group[MOST];
};

static struct rows *rows_make(size_t n)
{
    struct rows *rows = calloc(1, sizeof *rows);
    test_context_init(&rows->context);
    rows->n = n;
    return rows;
}

static void rows_free(struct rows *rows)
{
    assert_null(context_mark(&rows->context));
    test_context_close(&rows->context);
    free(rows);
}

static dedpul_status deal(struct rows *rows, unsigned n_folds, uint64_t stream)
{
    const struct row_groups groups = {rows->n_groups, rows->group};
    return group_folds_deal(&rows->context, rows->n, rows->stratum, &groups, n_folds, stream, rows->fold);
}

/*
 * Groups of sizes that differ by up to `spread` powers of two, scattered over the rows; some groups have rows
 * of one label alone, some of both.
 */
static void draw_groups(struct rows *rows, size_t n_groups, unsigned spread, struct rng *rng)
{
    double heap[MOST], total = 0;
    rows->n_groups = n_groups;
    for (size_t g = 0; g < n_groups; g++)
        heap[g] = total += pow(2, spread * rng_uniform(rng));
    for (size_t i = 0; i < rows->n; i++) {
        const double at = total * rng_uniform(rng);
        uint32_t g = 0;
        while (heap[g] < at)
            g++;
        rows->group[i] = g;
        const unsigned kind = g % 3; /* unlabeled, labeled, mixed */
        rows->stratum[i] = (unsigned char)(kind < 2 ? kind : rng_below(rng, N_STRATA));
    }
}

static void check_whole(const struct rows *rows, unsigned n_folds)
{
    unsigned char of_group[MOST];
    memset(of_group, 255, sizeof of_group);
    for (size_t i = 0; i < rows->n; i++) {
        unsigned char *fold = &of_group[rows->group[i]];
        assert_true(rows->fold[i] < n_folds);
        assert_true(*fold == 255 || *fold == rows->fold[i]);
        *fold = rows->fold[i];
    }
}

/* The largest share that a fold, or a group, has of a label. */
static double largest_share(const struct rows *rows, unsigned label, bool of_group, double *smallest)
{
    double count[MOST] = {0}, total = 0, most = 0, least = 1;
    size_t last = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const size_t at = of_group ? rows->group[i] : rows->fold[i];
        count[at] += rows->stratum[i] == label;
        total += rows->stratum[i] == label;
        last = at > last ? at : last;
    }
    for (size_t k = 0; k <= last; k++) {
        most = fmax(most, count[k] / total);
        least = fmin(least, count[k] / total);
    }
    *smallest = least;
    return most;
}

/* Whatever the groups are, none is split, and no fold has more than an even share and one group too much. */
static void test_random_groups(void **state)
{
    enum { RUNS = 300 };
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (uint64_t run = 0; run < RUNS; run++) {
        const unsigned n_folds = 2 + rng_below(&rng, 9);
        struct rows *rows = rows_make(200 + rng_below(&rng, MOST - 200));
        draw_groups(rows, 40 + rng_below(&rng, (uint32_t)rows->n), rng_below(&rng, 8), &rng);
        assert_ok(deal(rows, n_folds, run), &test_error);
        check_whole(rows, n_folds);
        for (unsigned label = 0; label < 2; label++) {
            double least, ignored;
            const double most = largest_share(rows, label, false, &least);
            const double group = largest_share(rows, label, true, &ignored);
            assert_true(most <= 1.0 / n_folds + group + 0.01);
            assert_true(least > 0);
        }
        rows_free(rows);
    }
}

/* A hundred groups of very different sizes: folds are nearly even in both labels. */
static void test_balance(void **state)
{
    enum { FOLDS = 5, GROUPS = 100 };
    struct rows *rows = rows_make(MOST);
    (void)state;
    rows->n_groups = GROUPS;
    for (size_t i = 0; i < MOST; i++) { /* group g has a share of about 2 g / GROUPS^2 */
        rows->group[i] = (uint32_t)(GROUPS * sqrt(((double)i + 0.5) / MOST));
        rows->stratum[i] = i * 7 % 10 < 3;
    }
    for (uint64_t stream = 0; stream < 20; stream++) {
        assert_ok(deal(rows, FOLDS, stream), &test_error);
        check_whole(rows, FOLDS);
        for (unsigned label = 0; label < 2; label++) {
            double least;
            assert_true(largest_share(rows, label, false, &least) < 0.21);
            assert_true(least > 0.19);
        }
    }
    rows_free(rows);
}

/* Groups of a single row are dealt as evenly as rows. */
static void test_single_rows(void **state)
{
    enum { FOLDS = 7 };
    struct rows *rows = rows_make(1003);
    size_t count[FOLDS][2] = {{0}}, total[2] = {0};
    (void)state;
    rows->n_groups = rows->n;
    for (size_t i = 0; i < rows->n; i++) {
        rows->group[i] = (uint32_t)(i * 10 % rows->n);
        rows->stratum[i] = i % 4 == 0;
    }
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    for (size_t i = 0; i < rows->n; i++) {
        count[rows->fold[i]][rows->stratum[i]]++;
        total[rows->stratum[i]]++;
    }
    for (size_t f = 0; f < FOLDS; f++)
        for (size_t label = 0; label < 2; label++)
            assert_in_range(count[f][label], total[label] / FOLDS, total[label] / FOLDS + 1);
    rows_free(rows);
}

/* The same for the same seed and stream, others for others, whatever the groups are called. */
static void test_streams(void **state)
{
    enum { N = 2000, FOLDS = 4, GROUPS = 300 };
    struct rows *rows = rows_make(N);
    unsigned char first[N], other[N];
    size_t equal = 0;
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 2);
    draw_groups(rows, GROUPS, 3, &rng);
    assert_ok(deal(rows, FOLDS, 2), &test_error);
    memcpy(other, rows->fold, N);
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    memcpy(first, rows->fold, N);
    for (size_t i = 0; i < N; i++)
        equal += first[i] == other[i];
    assert_in_range(equal, 350, 650);    /* a quarter by chance */
    rows->n_groups = (size_t)2 * GROUPS; /* some codes do not occur */
    for (size_t i = 0; i < N; i++)
        rows->group[i] = 2 * (GROUPS - 1 - rows->group[i]);
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    assert_memory_equal(rows->fold, first, N);
    rows->context.seed++;
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    assert_memory_not_equal(rows->fold, first, N);
    rows_free(rows);
}

/* Rows without weight go with their group, and change nothing for others. */
static void test_weightless(void **state)
{
    enum { FOLDS = 3 };
    struct rows *rows = rows_make(1000);
    unsigned char of_group[MOST];
    struct rng rng;
    size_t kept = 0;
    (void)state;
    rng_init(&rng, 3, 3);
    draw_groups(rows, 200, 2, &rng);
    for (size_t i = 0; i < rows->n; i += 5) /* all rows of some groups */
        if (rows->group[i] < 20)
            for (size_t k = 0; k < rows->n; k++)
                if (rows->group[k] == rows->group[i])
                    rows->stratum[k] = STRATUM_WEIGHTLESS;
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    check_whole(rows, FOLDS);
    for (size_t i = 0; i < rows->n; i++)
        of_group[rows->group[i]] = rows->fold[i];
    for (size_t i = 0; i < rows->n; i++)
        if (rows->stratum[i] != STRATUM_WEIGHTLESS) {
            rows->group[kept] = rows->group[i];
            rows->stratum[kept++] = rows->stratum[i];
        }
    assert_true(kept < rows->n);
    rows->n = kept;
    assert_ok(deal(rows, FOLDS, 1), &test_error);
    for (size_t i = 0; i < rows->n; i++)
        assert_int_equal(rows->fold[i], of_group[rows->group[i]]);
    rows_free(rows);
}

/* Nothing would be left to learn from. */
static void test_one_group(void **state)
{
    (void)state;
    for (unsigned label = 0; label < 2; label++) {
        struct rows *rows = rows_make(100);
        rows->n_groups = 50;
        for (size_t i = 0; i < rows->n; i++) {
            rows->stratum[i] = (unsigned char)(i < 40 ? label : 1 - label);
            rows->group[i] = (uint32_t)(i < 40 ? 7 : i / 2);
        }
        assert_int_equal(deal(rows, 5, 1), DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, label == 1 ? "all 40 labeled rows would be in one of 5 folds"
                                                       : "all 40 unlabeled rows would be in one of 5 folds");
        test_context_close(&rows->context);
        free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_groups), cmocka_unit_test(test_balance),
        cmocka_unit_test(test_single_rows),   cmocka_unit_test(test_streams),
        cmocka_unit_test(test_weightless),    cmocka_unit_test(test_one_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
