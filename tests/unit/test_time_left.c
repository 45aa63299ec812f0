/* The time left as it is shown. */
#include "support.h"

#include "time_left.h"

#include <math.h>

/* Nothing is shown before there is an estimate; the first one is shown as it is. */
static void test_first(void **state)
{
    struct time_left time = {.end = 0};
    (void)state;
    assert_true(time_left_follow(&time, 100, 0) == 0);
    assert_true(time_left_follow(&time, 101, 0) == 0);
    assert_near(time_left_follow(&time, 102, 60), 60, 1e-9);
}

/* If estimates are right, it counts down; if there are none for a while, too, and never below 0. */
static void test_countdown(void **state)
{
    struct time_left time = {.end = 0};
    (void)state;
    for (int t = 0; t < 30; t++)
        assert_near(time_left_follow(&time, 100 + t, 30 - t), 30 - t, 1e-9);
    (void)time_left_follow(&time, 200, 10);
    for (int t = 0; t < 20; t++) {
        const double before = time.end - (200 + t);
        assert_near(time_left_follow(&time, 200 + t, 0), fmax(before, 0), 1e-9);
    }
}

/* An estimate that turns out to be wrong changes what is shown step by step, and in the end wholly. */
static void test_no_jumps(void **state)
{
    static const double factor[] = {0.2, 0.5, 2, 5};
    (void)state;
    for (size_t i = 0; i < LENGTH(factor); i++) {
        struct time_left time = {.end = 0};
        double last = time_left_follow(&time, 100, 60);
        const double truth = 60 * factor[i];
        for (double t = 0.1; t < truth - 1; t += 0.1) {
            const double shown = time_left_follow(&time, 100 + t, truth - t);
            assert_true(fabs(shown - last) <= 0.1 + 0.05 * fmax(last, truth));
            assert_true(factor[i] > 1 || shown < last);
            last = shown;
        }
        assert_true(fabs(last - 1) < fmax(0.5 * fabs(60 - truth) / 60, 2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_countdown),
        cmocka_unit_test(test_no_jumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
