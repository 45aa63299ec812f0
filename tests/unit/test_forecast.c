/* How long a fit may still take. */
#include "support.h"

#include "forecast.h"

#include <math.h>

enum { N = 40000, WIDTH = 20 };

static int note(void *context, const dedpul_progress *progress)
{
    *(dedpul_progress *)context = *progress;
    return 0;
}

/* A fit of N rows with the defaults, as far as its time depends on them. */
struct course {
    struct context context;
    struct table table;
    struct fit_rows rows;
    struct fit_plan plan;
    struct forecast forecast;
    size_t n_kinds;
    dedpul_progress seen;
    unsigned char label[N];
};

static struct course *course_make(enum classifier_choice choice)
{
    static struct course course;
    course = (struct course){
        .table = {.n_rows = N, .label = course.label},
        .rows = {.table = &course.table, .width = WIDTH},
        .plan = {.choice = choice,
                 .estimate = {.method = estimator_at(0)},
                 .training = {.effort = EFFORT_NORMAL,
                              .folds = 5,
                              .network = {.layers = {.is_standard = true},
                                          .batch = 32,
                                          .epoch_steps = 12,
                                          .epochs = 250,
                                          .min_epochs = 8,
                                          .patience = 15},
                              .trees = {.depth = 4, .rate = NAN, .rounds = 500, .patience = 20}}}};
    for (size_t i = 0; i < N; i++)
        course.label[i] = i % 4 == 0;
    test_context_init(&course.context);
    course.context.threads = 2;
    course.context.progress = note;
    course.context.progress_context = &course.seen;
    return &course;
}

static void course_begin(struct course *course, bool is_whole)
{
    forecast_begin(&course->context, &course->rows, &course->plan, course->n_kinds, is_whole,
                   &course->forecast);
}

/* A report of a training whose epochs take so long; it is likely to have 50. */
static double report(struct course *course, const char *stage, size_t step, double epoch_seconds)
{
    const dedpul_progress progress = {.stage = stage,
                                      .step = step,
                                      .steps = 250,
                                      .likely = 50,
                                      .left = (double)(50 - step) * epoch_seconds};
    assert_int_equal(context_report(&course->context, &progress), DEDPUL_OK);
    return course->seen.left;
}

/* The trees that follow the networks count, in proportion to the speed that was measured. */
static void test_later_trainings(void **state)
{
    (void)state;
    struct course *course = course_make(CHOOSE_BLEND);
    course_begin(course, true);
    assert_true(report(course, "mlp", 4, 0) == 0); /* not known yet */
    const double trees = report(course, "mlp", 10, 0.5) - 40 * 0.5;
    assert_true(trees > 0.05 * 50 * 0.5 && trees < 50 * 0.5);
    assert_near(report(course, "mlp", 10, 1), 40 * 1 + 2 * trees, 1e-6);
    assert_true(report(course, "mlp", 49, 0.5) > trees);
    /* At first, the trees themselves say nothing; what was told goes on. */
    assert_near(report(course, "gbdt", 1, 0), trees, 0.1 * trees);
    assert_near(report(course, "gbdt", 20, 0.1), 3, 1e-6);
    assert_true(report(course, "other", 20, 0.1) == 0); /* a training that was not foreseen */
    test_context_close(&course->context);
}

/* Trainings of positives against negatives are as long again; a method has its own. */
static void test_whole_fit(void **state)
{
    (void)state;
    double plain = 0;
    for (int trainings = 0; trainings < 3; trainings++) {
        struct course *course = course_make(CHOOSE_BLEND);
        course->plan.pn = trainings == 1;
        for (size_t i = 0; trainings == 2 && i < estimator_count(); i++)
            if (estimator_trains(estimator_at(i)))
                course->plan.estimate.method = estimator_at(i);
        course_begin(course, true);
        const double left = report(course, "mlp", 10, 0.5);
        if (trainings == 0)
            plain = left;
        assert_true(trainings == 0 || left > plain + 40 * 0.5);
        test_context_close(&course->context);
    }
}

/* Kinds have a training each, of labeled rows; these have the same stage, and begin anew. */
static void test_kinds(void **state)
{
    (void)state;
    struct course *course = course_make(CHOOSE_GIVEN);
    course->plan.classifier = &classifier_mlp;
    course_begin(course, true);
    const double without = report(course, "mlp", 10, 0.5);
    test_context_close(&course->context);
    course = course_make(CHOOSE_GIVEN);
    course->plan.classifier = &classifier_mlp;
    course->n_kinds = 3;
    course_begin(course, true);
    const double kind = (report(course, "mlp", 10, 0.5) - without) / 3;
    assert_true(kind > 0 && kind < without);
    (void)report(course, "kind", 1, 0.5);
    const double first = report(course, "kind", 20, 0.1);
    assert_true(first > 30 * 0.1);
    (void)report(course, "kind", 1, 0.1);
    const double second = report(course, "kind", 20, 0.1);
    assert_near(first - 30 * 0.1, 2 * (second - 30 * 0.1), 1e-6);
    (void)report(course, "kind", 1, 0.1);
    assert_near(report(course, "kind", 20, 0.1), 30 * 0.1, 1e-6);
    test_context_close(&course->context);
}

/* Advice comes once, with the first time that is told, if the fit is long and something is much faster. */
static void test_advice(void **state)
{
    (void)state;
    struct course *course = course_make(CHOOSE_STANDARD);
    course_begin(course, true);
    (void)report(course, "mlp", 4, 0);
    assert_null(course->seen.faster);
    const double left = report(course, "mlp", 10, 0.5);
    assert_non_null(course->seen.faster);
    assert_true(left >= 10 && course->seen.faster_seconds > 0 && course->seen.faster_seconds <= left / 3);
    (void)report(course, "mlp", 11, 0.5);
    assert_null(course->seen.faster);
    test_context_close(&course->context);

    static const struct {
        enum classifier_choice choice;
        double epoch_seconds;
        enum effort effort;
        size_t width;
    } silent[] = {{CHOOSE_STANDARD, 0.1, EFFORT_NORMAL, WIDTH}, /* the fit is short */
                  {CHOOSE_GIVEN, 1, EFFORT_NORMAL, WIDTH},      /* the user has chosen */
                  {CHOOSE_STANDARD, 1, EFFORT_LOW, 500}};       /* trees take half of the time */
    for (size_t i = 0; i < LENGTH(silent); i++) {
        course = course_make(silent[i].choice);
        course->plan.classifier = silent[i].choice == CHOOSE_GIVEN ? &classifier_mlp : NULL;
        course->plan.training.effort = silent[i].effort;
        course->rows.width = silent[i].width;
        course_begin(course, true);
        assert_true(report(course, "mlp", 10, silent[i].epoch_seconds) > 0);
        assert_null(course->seen.faster);
        test_context_close(&course->context);
    }
}

static void test_without_listener(void **state)
{
    (void)state;
    struct course *course = course_make(CHOOSE_BEST);
    course->context.progress = NULL;
    course_begin(course, true);
    assert_null(course->context.progress);
    test_context_close(&course->context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later_trainings),
        cmocka_unit_test(test_whole_fit),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_advice),
        cmocka_unit_test(test_without_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
