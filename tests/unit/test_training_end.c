/* When training is likely to end. */
#include "support.h"

#include "training_end.h"

#include <math.h>

static const struct schedule schedule = {.fewest = 8, .most = 250, .patience = 15, .partitions = 1};
static const struct training_time time_of = {.epochs = 50, .by_fall = 1.25};

/* Notes a loss that falls from 1 to 0.5 by a half every so many epochs. */
static struct training_end fall(double half_life)
{
    struct training_end end = training_end_init(schedule, time_of);
    for (unsigned epoch = 1; epoch <= TRAINING_WARM_UP; epoch++) {
        assert_true(training_end_guess(&end, epoch - 1, 0) == 0);
        training_end_note(&end, epoch, 0.5 + 0.5 * pow(0.5, (epoch - 1) / half_life));
    }
    return end;
}

/* Nothing is said during the warm-up; a loss that falls slowly means a longer training. */
static void test_fall(void **state)
{
    (void)state;
    double last = 0;
    for (double half_life = 0.5; half_life < 100; half_life *= 2) {
        const struct training_end end = fall(half_life);
        const double guess = training_end_guess(&end, TRAINING_WARM_UP, TRAINING_WARM_UP);
        assert_true(guess > last && guess > 25 && guess < 125);
        last = guess;
    }
}

/* A loss that does not fall, or is not a number, does no harm. */
static void test_odd_losses(void **state)
{
    static const double odd[][2] = {{1, 1}, {1, 2}, {NAN, NAN}, {INFINITY, 1}, {1, INFINITY}};
    (void)state;
    for (size_t i = 0; i < LENGTH(odd); i++) {
        struct training_end end = training_end_init(schedule, time_of);
        for (unsigned epoch = 1; epoch <= TRAINING_WARM_UP; epoch++)
            training_end_note(&end, epoch, odd[i][epoch > 1]);
        const double guess = training_end_guess(&end, TRAINING_WARM_UP, 1);
        assert_true(guess >= 16 && guess <= schedule.most);
    }
}

/*
 * While each epoch is the best, the end is at least `patience` away and moves by about an epoch. Once none is
 * better, it draws near, and training is seen to end when it does.
 */
static void test_course(void **state)
{
    const struct training_end end = fall(2);
    const unsigned last_best = 90;
    double last = training_end_guess(&end, TRAINING_WARM_UP, TRAINING_WARM_UP);
    (void)state;
    for (unsigned epoch = TRAINING_WARM_UP; epoch <= last_best + schedule.patience; epoch++) {
        const unsigned best = epoch < last_best ? epoch : last_best;
        const double guess = training_end_guess(&end, epoch, best);
        assert_true(guess >= best + schedule.patience && guess >= epoch && guess <= schedule.most);
        assert_true(fabs(guess - last) < 2);
        last = guess;
    }
    assert_near(last, last_best + schedule.patience, 1e-9);
}

/* Training never goes beyond its limit, and ends early if its patience is 0. */
static void test_limits(void **state)
{
    struct schedule limited = schedule;
    (void)state;
    limited.most = 20;
    struct training_end end = training_end_init(limited, time_of);
    assert_near(training_end_guess(&end, 10, 10), 20, 0);
    assert_near(training_end_guess(&end, 20, 20), 20, 0);
    limited.patience = 0;
    end = training_end_init(limited, (struct training_time){.epochs = 0}); /* nothing is known */
    assert_near(training_end_guess(&end, 10, 10), 10, 0);
    assert_near(training_end_guess(&end, 10, 0), 10, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fall),
        cmocka_unit_test(test_odd_losses),
        cmocka_unit_test(test_course),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
