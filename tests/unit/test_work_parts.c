/* Progress of work that has several parts. */
#include "support.h"

#include "work_parts.h"

#include <time.h>

static int note(void *context, const dedpul_progress *progress)
{
    *(dedpul_progress *)context = *progress;
    return progress->step == 99;
}

static void wait_for(double seconds)
{
    const struct timespec time = {0, (long)(1e9 * seconds)};
    assert_int_equal(nanosleep(&time, NULL), 0);
}

/* A report of a stage, after some time; `left` is that of the part. */
static dedpul_status report(struct context *context, const char *stage, size_t step, double seconds,
                            double left)
{
    const dedpul_progress progress = {
        .stage = stage, .step = step, .steps = 4, .loss = 0.5, .best_step = 1, .left = left};
    wait_for(seconds);
    return context_report(context, &progress);
}

/* Two parts that train and two that do not, after work that trains. Times are at least what we waited. */
static void test_parts(void **state)
{
    struct context context;
    struct work_parts work;
    dedpul_progress seen = {.stage = NULL};
    (void)state;
    test_context_init(&context);
    context.progress = note;
    context.progress_context = &seen;
    work_parts_begin(&context, "things", &work);
    work_parts_add(&work, PART_QUICK);
    work_parts_add(&work, PART_QUICK);
    work_parts_add(&work, PART_TRAINS);
    work_parts_add(&work, PART_TRAINS);

    /* What is left is not known before the part says so. */
    work_parts_prepare(&work, PART_TRAINS);
    assert_int_equal(report(&context, "mlp", 0, 0, 0), DEDPUL_OK);
    assert_true(seen.left == 0);

    /* A quarter took 0.02 s, the rest takes 0.06 s, so each of the two others takes 0.08 s. */
    work_parts_prepare(&work, PART_TRAINS);
    assert_int_equal(report(&context, "mlp", 1, 0.02, 0.06), DEDPUL_OK);
    assert_string_equal(seen.stage, "mlp");
    assert_true(seen.step == 1 && seen.steps == 4 && seen.loss == 0.5 && seen.best_step == 1);
    assert_true(seen.part == 0 && seen.parts == 4);
    assert_true(seen.left >= 0.06 + 2 * 0.08 && seen.left < 100 * 0.22);

    /* A second stage belongs to the same part. */
    assert_int_equal(report(&context, "gbdt", 2, 0.01, 0.01), DEDPUL_OK);
    assert_true(seen.left >= 0.01 + 2 * 0.04 && seen.left < 100 * 0.09);

    /* Both parts that train will take as long: 0.03 s. The quick ones are not known yet. */
    assert_int_equal(work_parts_next(&context, &work, PART_QUICK), DEDPUL_OK);
    assert_string_equal(seen.stage, "things");
    assert_true(seen.part == 0 && seen.step == 0 && seen.steps == 4 && isnan(seen.loss));
    assert_true(seen.left >= 2 * 0.03 && seen.left < 100 * 0.06);
    wait_for(0.005);
    assert_int_equal(work_parts_next(&context, &work, PART_QUICK), DEDPUL_OK);
    assert_true(seen.step == 1 && seen.left >= 2 * 0.03 + 0.005);

    /* In the last part, only what is left of it counts; before its first step that is not known. */
    assert_int_equal(work_parts_next(&context, &work, PART_TRAINS), DEDPUL_OK);
    assert_int_equal(work_parts_next(&context, &work, PART_TRAINS), DEDPUL_OK);
    assert_true(seen.step == 3 && seen.left > 0 && seen.left < 100 * 0.03);
    assert_int_equal(report(&context, "nnpu", 0, 0, 0), DEDPUL_OK);
    assert_true(seen.part == 4 && seen.parts == 4 && seen.left == 0);
    assert_int_equal(report(&context, "nnpu", 2, 0.01, 0.01), DEDPUL_OK);
    assert_true(seen.left >= 0.01 && seen.left < 100 * 0.01);

    assert_int_equal(report(&context, "nnpu", 99, 0, 0), DEDPUL_CANCELLED);
    test_context_close(&context);
}

static void test_without_listener(void **state)
{
    struct context context;
    struct work_parts work;
    (void)state;
    test_context_init(&context);
    work_parts_begin(&context, "things", &work);
    work_parts_add(&work, PART_TRAINS);
    assert_int_equal(work_parts_next(&context, &work, PART_TRAINS), DEDPUL_OK);
    assert_int_equal(report(&context, "mlp", 1, 0, 0), DEDPUL_OK);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_without_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
