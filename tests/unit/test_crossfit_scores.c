/* Cross-fitting: who scores whom, what is watched, and how it ends early. */
#include "folds.h"
#include "reading.h"
#include "scripted.h"

/* ---- who scores whom ---- */

static void test_scores(void **state)
{
    enum { N_1 = 700, N_0 = 5001, FOLDS = 4, PARTITIONS = 3 };
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        struct run *run = run_make(N_1, N_0, FOLDS, (struct schedule){1, 2, 1, PARTITIONS});
        script.logit = by_row;
        run->context.threads = threads;
        assert_ok(run_crossfit(run), &test_error);
        assert_int_equal(run->ensemble.n_members, FOLDS * PARTITIONS);
        assert_int_equal(run->ensemble.width, FEATURES);
        assert_ptr_equal(run->ensemble.classifier, &fake);
        assert_null(context_mark(&run->context));
        assert_int_equal(script.scores, PARTITIONS * (N_1 + N_0));
        for (size_t row = 0; row < N_1 + N_0; row++) {
            double sum = 0;
            unsigned n = 0;
            for (size_t m = 0; m < script.n_members; m++)
                if (script.fold[m][row] == script.held_out[m]) {
                    sum += answer(m, script.kept[m], row, false);
                    n++;
                }
            assert_int_equal(n, PARTITIONS);
            assert_near(run->logit[row], sum / PARTITIONS, 1e-9);
        }
        for (size_t m = 0; m < script.n_members; m++) { /* all rows of class 1 or all of class 0 in each */
            size_t count[2] = {0, 0};
            for (size_t row = 0; row < N_1 + N_0; row++)
                count[row < N_1] += script.fold[m][row] == script.held_out[m];
            assert_int_equal(count[1], N_1 / FOLDS);
            assert_in_range(count[0], N_0 / FOLDS, N_0 / FOLDS + 1);
            assert_int_equal(script.n_watched[m], count[0] + count[1]);
        }
        assert_memory_not_equal(script.fold[0], script.fold[FOLDS], N_1 + N_0);
        assert_memory_not_equal(script.fold[0], script.fold[FOLDS + FOLDS], N_1 + N_0);
        assert_memory_not_equal(script.fold[FOLDS], script.fold[FOLDS + FOLDS], N_1 + N_0);
        run_free(run);
    }
}

/* Rows that are no examples are scored, too, and rows in both classes are hidden from their fold in both. */
static void test_scores_of_others(void **state)
{
    enum { N = 60 };
    struct run *run = run_make(20, N - 20, 3, (struct schedule){1, 2, 1, 2});
    uint32_t row[2 * N];
    unsigned char label[2 * N];
    size_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        run->stratum[i] = i % 6 == 0 ? STRATUM_WEIGHTLESS : run->stratum[i];
        for (unsigned char k = 0; k < 2 && i % 6 != 0; k++) {
            row[n] = i;
            label[n++] = k;
        }
    }
    run->examples.n = n;
    run->examples.row = row;
    run->examples.label = label;
    script.logit = by_row;
    assert_ok(run_crossfit(run), &test_error);
    for (size_t i = 0; i < N; i++)
        assert_true(run->logit[i] < 1e6);
    for (unsigned e = 1; e <= 2; e++)
        assert_near(run->reports.progress[e - 1].loss, expected_loss(&run->examples, e, script.n_members),
                    1e-12);
    run_free(run);
}

/* A row's logits are of members that have seen no row of its group; watched rows are of such groups, too. */
static void test_groups(void **state)
{
    enum { N_1 = 300, N = 1000, GROUP = 7, FOLDS = 4, PARTITIONS = 3 };
    struct run *run = run_make(N_1, N - N_1, FOLDS, (struct schedule){1, 2, 1, PARTITIONS});
    uint32_t group[N];
    const struct row_groups groups = {N / GROUP + 1, group};
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        group[i] = i * 501 % N / GROUP;
    run->groups = &groups;
    script.logit = by_row;
    assert_ok(run_crossfit(run), &test_error);
    for (size_t m = 0; m < script.n_members; m++) {
        size_t in_fold = 0;
        for (size_t i = 0; i < N; i++) {
            in_fold += script.fold[m][i] == script.held_out[m];
            for (size_t k = 0; k < i; k++)
                assert_true(group[i] != group[k] || script.fold[m][i] == script.fold[m][k]);
        }
        assert_int_equal(script.n_watched[m], in_fold);
    }
    for (size_t i = 0; i < N; i++)
        assert_true(run->logit[i] < 1e6);
    run_free(run);
}

/* Without groups, each row is dealt by itself. */
static void test_no_groups(void **state)
{
    enum { N = 500, FOLDS = 3, PARTITIONS = 2 };
    struct run *run = run_make(100, N - 100, FOLDS, (struct schedule){1, 1, 1, PARTITIONS});
    unsigned char fold[N];
    (void)state;
    script.logit = by_row;
    assert_ok(run_crossfit(run), &test_error);
    for (size_t m = 0; m < script.n_members; m++) {
        assert_ok(
            folds_deal(&run->context, N, run->stratum, FOLDS, rng_stream(STREAM_PARTITION, m / FOLDS), fold),
            &test_error);
        assert_memory_equal(script.fold[m], fold, N);
    }
    run_free(run);
}

static double constant(size_t member, unsigned epoch, size_t row)
{
    (void)member, (void)epoch, (void)row;
    return 0.5;
}

/* Of each class some rows only. */
static void test_most_watched(void **state)
{
    struct run *run = run_make(100, MOST_WATCHED + 10000, 2, (struct schedule){1, 1, 1, 2});
    (void)state;
    script.logit = constant;
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(script.n_watched[0] + script.n_watched[1], MOST_WATCHED + 100);
    assert_int_equal(script.n_watched[2] + script.n_watched[3], MOST_WATCHED + 100);
    assert_near(run->reports.progress[0].loss, (log1p(exp(-0.5)) + log1p(exp(0.5))) / 2, 1e-9);
    run_free(run);
}

/* ---- ends before the end ---- */

static void test_cancel(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 3; at++)
        for (int each = 0; each < 2; each++) {
            struct run *run = run_digits(2, (struct schedule){1, 9, 9, 2});
            for (size_t m = 0; m < 4; m++)
                losses[m] = "987654321";
            run->settings.stopping = each ? STOPPING_EACH : STOPPING_COMMON;
            run->reports.cancel_at = at;
            assert_int_equal(run_crossfit(run), DEDPUL_CANCELLED);
            assert_int_equal(test_error.status, DEDPUL_CANCELLED);
            assert_int_equal(script.epochs[0], at);
            assert_int_equal(script.creates, 1);
            assert_int_equal(script.finishes, 0);
            run_free(run);
        }
}

static void test_no_progress(void **state)
{
    struct run *run = run_digits(2, (struct schedule){1, 3, 1, 1});
    (void)state;
    losses[0] = losses[1] = "789";
    run->context.progress = NULL;
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(script.kept[0], 1);
    assert_int_equal(run->reports.n, 0);
    run_free(run);
}

static void test_errors(void **state)
{
    (void)state;
    for (int step = CREATE; step <= SCORE; step++)
        for (int each = 0; each < 2; each++)
            for (unsigned after = 0; after < (step <= CREATE_NULL ? 1 : 3); after++) {
                struct run *run = run_digits(2, (struct schedule){1, 5, 9, 2});
                for (size_t m = 0; m < 4; m++)
                    losses[m] = "98765";
                run->settings.stopping = each ? STOPPING_EACH : STOPPING_COMMON;
                script.fails = (enum step)step;
                script.after = after;
                assert_int_equal(run_crossfit(run), DEDPUL_INVALID_DATA);
                assert_contains(test_error.message, "failed");
                assert_int_equal(test_error.message[5], '0' + step);
                assert_int_equal(script.calls[step], after + 1);
                assert_int_equal(script.creates, step != CREATE_NULL);
                assert_int_equal(script.finishes, step == FINISH ? after : step == SCORE ? 4 : 0);
                run_free(run);
            }
}

static void test_allocations(void **state)
{
    dedpul_status status = DEDPUL_NO_MEMORY;
    (void)state;
    for (size_t n = 0; status != DEDPUL_OK; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct run *run = run_digits(2, (struct schedule){1, 3, 9, 2});
        for (size_t m = 0; m < 4; m++)
            losses[m] = "987";
        run->settings.stopping = n % 2 == 1 ? STOPPING_EACH : STOPPING_COMMON;
        test_context_close(&run->context);
        test_context_close(&run->memory);
        test_context_open(&run->context, &allocator, &test_error);
        test_context_open(&run->memory, &allocator, &test_error);
        status = run_crossfit(run);
        if (status != DEDPUL_OK) {
            assert_int_equal(status, DEDPUL_NO_MEMORY);
            assert_contains(test_error.message, "out of memory");
        } else {
            assert_true(n > 10);
        }
        run_free(run);
        assert_int_equal(failing.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),       cmocka_unit_test(test_scores_of_others),
        cmocka_unit_test(test_groups),       cmocka_unit_test(test_no_groups),
        cmocka_unit_test(test_most_watched), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_progress),  cmocka_unit_test(test_errors),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, script_end);
}
