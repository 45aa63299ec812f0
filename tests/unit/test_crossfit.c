/* Cross-fitting: when training stops, and by which loss. */
#include "best_bin.h"
#include "scripted.h"
#include "sort.h"
#include "weighted.h"

/* ---- when to stop ---- */

static double digit_loss(size_t member, unsigned epoch)
{
    return log1p(exp(-digit_logit(member, epoch)));
}

static void test_common(void **state)
{
    static const struct {
        const char *loss;
        unsigned fewest, most, patience, epochs, best;
    } cases[] = {
        {"54321234567", 1, 11, 3, 8, 5},
        {"54321234567", 1, 11, 1, 6, 5},
        {"1999999", 1, 7, 3, 4, 1},
        {"3222222", 1, 7, 3, 5, 2},  /* of equal ones the first */
        {"12345678", 4, 8, 2, 6, 4}, /* not before the fewest */
        {"12345678", 4, 8, 5, 8, 4},
        {"0954444", 3, 7, 2, 6, 4},
        {"9876543210", 1, 5, 2, 5, 5}, /* the most */
        {"98789", 9, 5, 1, 5, 5},
        {"98789", 5, 5, 1, 5, 5},
        {"5555", 1, 4, 9, 4, 1},
        {"54645464", 1, 8, 2, 4, 2},
        {"54643666", 1, 8, 3, 8, 5}, /* patience begins anew */
        {"7", 1, 1, 1, 1, 1},
    };
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++) {
        struct run *run =
            run_digits(3, (struct schedule){cases[c].fewest, cases[c].most, cases[c].patience, 2});
        for (size_t m = 0; m < 6; m++)
            losses[m] = cases[c].loss;
        assert_ok(run_crossfit(run), &test_error);
        for (size_t m = 0; m < 6; m++) {
            assert_int_equal(script.epochs[m], cases[c].epochs);
            assert_int_equal(script.kept[m], cases[c].best);
        }
        assert_int_equal(run->reports.n, cases[c].epochs);
        size_t best = 0;
        for (unsigned e = 1; e <= run->reports.n; e++) {
            const dedpul_progress *progress = &run->reports.progress[e - 1];
            assert_string_equal(progress->stage, "stage");
            assert_int_equal(progress->step, e);
            assert_int_equal(progress->steps, cases[c].most);
            assert_near(progress->loss, digit_loss(0, e), 1e-12);
            assert_true(progress->best_step == best || progress->best_step == e);
            best = progress->best_step;
            assert_int_equal(best > 0, e >= cases[c].fewest || e == cases[c].most);
        }
        assert_int_equal(best, cases[c].best);
        run_free(run);
    }
}

/* Losses that fall by less than the least gain do not count, until they add up to it. */
static void test_least_gain(void **state)
{
    static const struct {
        double gain;
        unsigned epochs, best;
    } cases[] = {{0, 8, 8}, {0.2, 8, 7}, {0.4, 4, 1}}; /* each digit is 13% to 18% lower than the last */
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++) {
        struct run *run = run_digits(2, (struct schedule){1, 8, 3, 1});
        run->settings.least_gain = cases[c].gain;
        losses[0] = losses[1] = "98765432";
        assert_ok(run_crossfit(run), &test_error);
        assert_int_equal(run->reports.n, cases[c].epochs);
        assert_int_equal(script.kept[0], cases[c].best);
        run_free(run);
    }
}

/* The loss is that of logits averaged over partitions; the losses' own average would choose epoch 2. */
static void test_common_mean(void **state)
{
    struct run *run = run_digits(2, (struct schedule){1, 3, 9, 2});
    (void)state;
    losses[0] = losses[1] = "919";
    losses[2] = losses[3] = "082";
    assert_ok(run_crossfit(run), &test_error);
    for (unsigned e = 1; e <= 3; e++)
        assert_near(run->reports.progress[e - 1].loss,
                    log1p(exp(-(digit_logit(0, e) + digit_logit(2, e)) / 2)), 1e-12);
    assert_int_equal(run->reports.progress[2].best_step, 1);
    run_free(run);
}

static void test_each(void **state)
{
    static const struct {
        const char *loss[4];
        unsigned patience, most, epochs[4];
    } cases[] = {
        {{"54321111", "59489999", "51987654", "31999999"}, 2, 8, {7, 5, 4, 4}},
        {{"39999999", "54354999", "98765432", "55555555"}, 3, 8, {4, 6, 8, 4}},
        {{"39999999", "54354999", "98765432", "55555555"}, 1, 8, {2, 4, 8, 2}},
        {{"98765432", "98765432", "98765433", "98765432"}, 1, 5, {5, 5, 5, 5}},
        {{"99999", "98765", "19999", "12345"}, 5, 5, {5, 5, 5, 5}},
        {{"99999", "98765", "19999", "12345"}, 4, 5, {5, 5, 5, 5}},
        {{"999999", "959999", "129999", "123450"}, 4, 6, {5, 6, 5, 5}},
    };
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++) {
        struct run *run = run_digits(2, (struct schedule){1, cases[c].most, cases[c].patience, 2});
        unsigned longest = 0;
        run->settings.stopping = STOPPING_EACH;
        for (size_t m = 0; m < 4; m++)
            losses[m] = cases[c].loss[m];
        assert_ok(run_crossfit(run), &test_error);
        for (size_t m = 0; m < 4; m++) {
            assert_int_equal(script.epochs[m], cases[c].epochs[m]);
            assert_int_equal(script.kept[m], cases[c].epochs[m]); /* the last state, not the best */
            longest = cases[c].epochs[m] > longest ? cases[c].epochs[m] : longest;
        }
        assert_int_equal(run->reports.n, longest);
        for (unsigned e = 1; e <= longest; e++) {
            double mean = 0;
            for (size_t m = 0; m < 4; m++)
                mean += digit_loss(m, e < cases[c].epochs[m] ? e : cases[c].epochs[m]) / 4;
            assert_near(run->reports.progress[e - 1].loss, mean, 1e-12);
            assert_int_equal(run->reports.progress[e - 1].step, e);
            assert_int_equal(run->reports.progress[e - 1].steps, cases[c].most);
            assert_int_equal(run->reports.progress[e - 1].best_step, 0);
        }
        run_free(run);
    }
}

/* ---- the loss ---- */

static void check_losses(struct run *run)
{
    script.logit = by_row;
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(run->reports.n, 4);
    for (unsigned e = 1; e <= 4; e++) {
        double expected = 0;
        if (run->settings.stopping == STOPPING_COMMON)
            expected = expected_loss(&run->examples, e, script.n_members);
        for (size_t m = 0; run->settings.stopping == STOPPING_EACH && m < script.n_members; m++)
            expected += expected_loss(&run->examples, e, m) / (double)script.n_members;
        assert_near(run->reports.progress[e - 1].loss, expected, 1e-12);
    }
    run_free(run);
}

static void test_losses(void **state)
{
    static const enum stopping rules[] = {STOPPING_COMMON, STOPPING_EACH};
    enum { N_1 = 20, N_0 = 31, TWICE = 2 * (N_1 + N_0) };
    double weight[TWICE];
    uint32_t row[TWICE];
    unsigned char label[TWICE];
    (void)state;
    for (size_t i = 0; i < TWICE; i++) {
        /* A row is both of class 1 and of class 0, in part. */
        const double share = (double)(i / 2 % 5) / 4;
        row[i] = (uint32_t)(i / 2);
        label[i] = i % 2;
        weight[i] = i % 2 == 1 ? share : 1 - share;
    }
    for (size_t r = 0; r < LENGTH(rules); r++)
        for (int kind = 0; kind < 4; kind++) {
            struct run *run = run_make(N_1, N_0, 3, (struct schedule){1, 4, 9, 2});
            run->settings.stopping = rules[r];
            if (kind == 1 || kind == 2)
                run->examples.weight = weight;
            if (kind >= 2) {
                run->examples.n = TWICE;
                run->examples.row = row;
                run->examples.label = label;
            }
            check_losses(run);
        }
}

/* With very wrong and very right logits it stays finite. */
static double far_off(size_t member, unsigned epoch, size_t row)
{
    (void)member;
    return (row < n_positive) == (epoch > 1) ? 5000 : -5000;
}

/* ---- a share that is left out ---- */

/* Three tenths of class 0 look like class 1, more so with each epoch. */
static double by_likeness(size_t member, unsigned epoch, size_t row)
{
    const double noise = 2 * sin((double)(row * row));
    (void)member;
    return (row < n_positive || row % 10 < 3 ? 1 : -1) * (1 + 0.2 * epoch) + noise;
}

/* Shares and losses of each epoch follow from its logits; the first half of the epochs is the warm-up. */
static void check_shares(double given, bool weighted)
{
    enum { N_1 = 150, N_0 = 400, WARM_UP = 6, EPOCHS = 12 };
    struct run *run = run_make(N_1, N_0, 2, (struct schedule){1, WARM_UP, 99, 2});
    double weight[N_1 + N_0], logit[2][N_0], of_class[2][N_0];
    n_positive = N_1;
    script.logit = by_likeness;
    for (size_t i = 0; i < N_1 + N_0; i++)
        weight[i] = (double)(1 + i % 3);
    run->settings.stopping = STOPPING_EACH; /* which is for all at once in any case */
    run->examples.weight = weighted ? weight : NULL;
    run->risk = (struct risk){.kind = RISK_CVIR, .given = given};
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(run->reports.n, EPOCHS);
    for (unsigned epoch = 1; epoch <= EPOCHS; epoch++) {
        struct risk_sums sums = no_risk;
        double alpha = 0, highest = INFINITY;
        for (int label = 0; label < 2; label++) {
            uint32_t row[N_0];
            const size_t begin = label ? 0 : N_1, n = label ? N_1 : N_0;
            for (size_t i = 0; i < n; i++) {
                logit[label][i] = by_likeness(0, epoch, begin + i);
                row[i] = (uint32_t)(begin + i);
            }
            assert_ok(sort_numbers(&run->context, n, logit[label], row), &test_error);
            for (size_t i = 0; i < n; i++)
                of_class[label][i] = weight_at(run->examples.weight, row[i]);
        }
        if (epoch >= WARM_UP)
            alpha = !isnan(given) ? given
                                  : best_bin_share(N_1, logit[1], of_class[1], N_0, logit[0], of_class[0]);
        if (epoch > WARM_UP)
            highest = weighted_quantile(N_0, logit[0], of_class[0], 1 - alpha);
        for (size_t i = 0; i < N_1; i++)
            risk_add(&risk_of_classes, 1, of_class[1][i], logit[1][i], &sums);
        for (size_t i = 0; i < N_0 && logit[0][i] <= highest; i++)
            risk_add(&risk_of_classes, 0, of_class[0][i], logit[0][i], &sums);
        assert_near(run->reports.progress[epoch - 1].loss, risk_value(&risk_of_classes, &sums), 1e-12);
        assert_int_equal(run->reports.progress[epoch - 1].best_step > 0, epoch <= WARM_UP);
        if (epoch < EPOCHS)
            assert_near(script.alpha[epoch + 1], alpha, 1e-12);
    }
    assert_near(script.alpha[1], 0, 0);
    assert_true(isnan(given) ? script.alpha[EPOCHS] > 0.2 && script.alpha[EPOCHS] < 0.5
                             : script.alpha[EPOCHS] == given);
    for (size_t m = 0; m < script.n_members; m++)
        assert_int_equal(script.kept[m], EPOCHS);
    run_free(run);
}

static void test_shares(void **state)
{
    (void)state;
    check_shares(NAN, false);
    check_shares(NAN, true);
    check_shares(0.25, true);
    check_shares(0, false);
    check_shares(1, false);
}

static void test_far_off(void **state)
{
    struct run *run = run_digits(2, (struct schedule){1, 2, 1, 1});
    (void)state;
    script.logit = far_off;
    assert_ok(run_crossfit(run), &test_error);
    assert_near(run->reports.progress[0].loss, 5000, 1e-9);
    assert_near(run->reports.progress[1].loss, 0, 1e-9);
    assert_int_equal(script.kept[0], 2);
    run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common),  cmocka_unit_test(test_least_gain), cmocka_unit_test(test_common_mean),
        cmocka_unit_test(test_each),    cmocka_unit_test(test_losses),     cmocka_unit_test(test_shares),
        cmocka_unit_test(test_far_off),
    };
    return cmocka_run_group_tests(tests, NULL, script_end);
}
