/* Tasks shared out to threads: parallel loops and crews. */
#include "crew.h"
#include "parallel.h"
#include "reading.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

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

struct beside_log {
    struct tally *tally;
    pthread_t caller;
    unsigned calls;
    bool waits;
};

/* If it waits, tasks must get done meanwhile, else it does not return. */
static void work_beside(void *argument)
{
    struct beside_log *log = argument;
    assert_true(pthread_equal(pthread_self(), log->caller));
    for (size_t i = 0; log->waits && i < LENGTH(log->tally->done); i++)
        while (log->tally->done[i] == 0)
            (void)usleep(100);
    for (size_t i = 0; !log->waits && i < LENGTH(log->tally->done); i++)
        assert_int_equal(log->tally->done[i], 0);
    log->calls++;
}

/* Once, first, in the calling thread; the tasks meanwhile in the others, if there are any. */
static void test_beside(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct context context;
        struct tally tally = {.fails_at = SIZE_MAX};
        struct beside_log log = {&tally, pthread_self(), 0, threads > 1};
        const struct beside beside = {work_beside, &log};
        test_context_init(&context);
        context.threads = threads;
        assert_ok(parallel_for_beside(&context, LENGTH(tally.done), tally_task, &tally, &beside),
                  &test_error);
        for (size_t i = 0; i < LENGTH(tally.done); i++)
            assert_int_equal(tally.done[i], 1);
        assert_int_equal(log.calls, 1);
        tally = (struct tally){.fails_at = 0};
        log.waits = false;
        log.tally = &(struct tally){.fails_at = 0}; /* nothing to look at: it may run before or after */
        assert_int_equal(parallel_for_beside(&context, 5, tally_task, &tally, &beside), DEDPUL_INVALID_DATA);
        assert_ok(parallel_for_beside(&context, 0, tally_task, &tally, &beside), &test_error);
        assert_int_equal(log.calls, 3);
        test_context_close(&context);
    }
}

/* A single task beside the work has a thread of its own. */
static void test_beside_one(void **state)
{
    struct context context;
    struct tally tally = {.fails_at = SIZE_MAX};
    struct beside_log log = {&tally, pthread_self(), 0, true};
    const struct beside beside = {work_beside, &log};
    (void)state;
    for (size_t i = 1; i < LENGTH(tally.done); i++)
        tally.done[i] = 1;
    test_context_init(&context);
    context.threads = 2;
    assert_ok(parallel_for_beside(&context, 1, tally_task, &tally, &beside), &test_error);
    assert_int_equal(tally.done[0], 1);
    test_context_close(&context);
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

/* ---- warnings of tasks ---- */

enum { WARNING_TASKS = 40, FIRST_SEVERAL = 3, FIRST_ALONE = 11 };

/* Each of several tasks warns of the same, the first ones last if there are threads to overtake them. */
static dedpul_status warning_task(struct context *context, void *argument, size_t index)
{
    (void)argument;
    (void)usleep(index < 16 ? (useconds_t)(300 * (16 - index)) : 0);
    if (index >= FIRST_SEVERAL)
        context_warn(context, DEDPUL_WARNING_EPOCH_LIMIT, "several: task %zu", index);
    if (index == FIRST_ALONE || index == WARNING_TASKS - 1) {
        context_warn(context, DEDPUL_WARNING_TRIVIAL_ROOT, "alone: task %zu", index);
        context_warn(context, DEDPUL_WARNING_DISCRETE_SCORES, "after it: task %zu", index);
    }
    context_warn(context, DEDPUL_WARNING_REPEATED_ROWS, "task %zu", index);
    return DEDPUL_OK;
}

/* Those of the lowest index, by index; what the caller has warned of stays. */
static void assert_task_warnings(const struct warnings *warnings)
{
    static const struct warning expected[] = {
        {DEDPUL_WARNING_REPEATED_ROWS, "before"},
        {DEDPUL_WARNING_EPOCH_LIMIT, "several: task 3"},
        {DEDPUL_WARNING_TRIVIAL_ROOT, "alone: task 11"},
        {DEDPUL_WARNING_DISCRETE_SCORES, "after it: task 11"},
    };
    assert_int_equal(warnings->n, LENGTH(expected));
    for (size_t i = 0; i < LENGTH(expected); i++) {
        assert_int_equal(warnings->item[i].code, expected[i].code);
        assert_string_equal(warnings->item[i].message, expected[i].message);
    }
}

static void test_warnings(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        for (int by_crew = 0; by_crew < 2; by_crew++) {
            struct context context;
            test_context_init(&context);
            context.threads = threads;
            context_warn(&context, DEDPUL_WARNING_REPEATED_ROWS, "before");
            struct crew *crew = by_crew ? crew_start(&context, WARNING_TASKS) : NULL;
            if (by_crew)
                assert_ok(crew_run(crew, &context, warning_task, NULL), &test_error);
            else
                assert_ok(parallel_for(&context, WARNING_TASKS, warning_task, NULL), &test_error);
            assert_task_warnings(context.warnings);
            context.warnings = NULL; /* nobody listens */
            assert_ok(parallel_for(&context, WARNING_TASKS, warning_task, NULL), &test_error);
            crew_stop(crew);
            test_context_close(&context);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel), cmocka_unit_test(test_beside),    cmocka_unit_test(test_beside_one),
        cmocka_unit_test(test_crew),     cmocka_unit_test(test_crew_ends), cmocka_unit_test(test_crew_memory),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
