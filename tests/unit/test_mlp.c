/* Networks and logistic regression by the interface that the fit uses: how they learn. */
#include "blobs.h"
#include "logistic.h"

static const struct classifier *const both[2] = {&classifier_mlp, &classifier_logistic};

/* ---- learning ---- */

static double auc_after(const struct classifier *classifier, struct blobs *blobs, unsigned epochs)
{
    struct context context;
    void *model[MEMBERS];
    double logit[MOST_ROWS] = {0};
    test_context_init(&context);
    train_models(&context, classifier, blobs, epochs, epochs, model);
    logits_by_row(blobs, logit);
    close_all(classifier, NULL, model);
    test_context_close(&context);
    return auc_of(blobs, logit);
}

static void test_schedule(void **state)
{
    struct blobs *blobs = blobs_make(1, 1);
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        const struct schedule schedule = both[k]->schedule(&blobs->examples, &blobs->settings);
        assert_int_equal(schedule.fewest, 3);
        assert_int_equal(schedule.most, 40);
        assert_int_equal(schedule.patience, 6);
        assert_int_equal(schedule.partitions, 2);
    }
    free(blobs);
}

static void test_learns(void **state)
{
    struct blobs *blobs = whole_blobs(200, 300);
    (void)state;
    blobs->settings.network.rate = 0.02;
    for (size_t k = 0; k < 2; k++) {
        const double auc = auc_after(both[k], blobs, 15);
        assert_true(auc > 0.79); /* the ideal one: 0.84 */
        assert_true(auc < 0.88);
    }
    free(blobs);
}

/* The classes differ in the sign of a product: no line tells them apart. */
static void test_learns_xor(void **state)
{
    struct blobs *blobs = whole_blobs(250, 250);
    (void)state;
    for (size_t i = 0; i < blobs->n; i++) {
        float *x = blobs->x + i * WIDTH;
        x[1] -= blobs->label[i] ? 1.5F : 0;
        x[1] = (x[0] > 0) == (blobs->label[i] == 1) ? fabsf(x[1]) : -fabsf(x[1]);
    }
    blobs->settings.network.layers = (struct hidden_layers){.n = 1, .width = {16}};
    blobs->settings.network.dropout = 0;
    blobs->settings.network.rate = 0.03;
    assert_true(auc_after(&classifier_mlp, blobs, 40) > 0.9);
    assert_near(auc_after(&classifier_logistic, blobs, 40), 0.5, 0.1);
    free(blobs);
}

/* ---- each step of training ---- */

/*
 * Adam on the loss of logistic regression, in doubles. All rows of a class are the same, so that it does not
 * matter which are drawn: +1 and -2 in each column, times the number of the column.
 */
static double class_value(int label, size_t column)
{
    return (double)(column + 1) * (label ? 1 : -2);
}

static void refer(uint64_t seed, size_t member, double rate, double decay, unsigned steps,
                  double logit[2] /* by class */)
{
    double parameter[WIDTH + 1], m1[WIDTH + 1] = {0}, m2[WIDTH + 1] = {0};
    struct rng rng;
    rng_init(&rng, seed, rng_stream(STREAM_NETWORK, member));
    for (size_t i = 0; i <= WIDTH; i++)
        parameter[i] = (2 * rng_uniform(&rng) - 1) / 2;
    for (unsigned step = 1;; step++) {
        for (int label = 0; label < 2; label++) {
            logit[label] = parameter[WIDTH];
            for (size_t i = 0; i < WIDTH; i++)
                logit[label] += parameter[i] * class_value(label, i);
        }
        if (step > steps)
            break;
        for (size_t i = 0; i <= WIDTH; i++) {
            double gradient = decay * parameter[i];
            for (int label = 0; label < 2; label++)
                gradient +=
                    0.5 * (1 / (1 + exp(-logit[label])) - label) * (i < WIDTH ? class_value(label, i) : 1);
            m1[i] = 0.9 * m1[i] + 0.1 * gradient;
            m2[i] = 0.999 * m2[i] + 0.001 * gradient * gradient;
            parameter[i] -=
                rate * (m1[i] / (1 - pow(0.9, step))) / (sqrt(m2[i] / (1 - pow(0.999, step))) + 1e-8);
        }
    }
}

struct step_case {
    double rate, used_rate, decay;
    unsigned batch, epoch_steps, steps; /* of the last, what an epoch has */
    bool is_mlp;
    double weight; /* of each row; 0: none */
};

/* There are n rows of class 1 and half as many again of class 0. A member learns from two thirds of them. */
static void check_steps(size_t n, enum stopping stopping, const struct step_case *expected)
{
    const struct classifier *classifier = expected->is_mlp ? &classifier_mlp : &classifier_logistic;
    struct blobs *blobs = blobs_make(n, n + n / 2);
    struct context context;
    void *model[MEMBERS];
    for (size_t i = 0; i < blobs->n * WIDTH; i++)
        blobs->x[i] = (float)class_value(blobs->label[i / WIDTH], i % WIDTH);
    for (size_t i = 0; i < blobs->n; i++)
        blobs->weight[i] = expected->weight;
    blobs->examples.weight = expected->weight > 0 ? blobs->weight : NULL;
    blobs->settings.stopping = stopping;
    blobs->settings.network.layers = (struct hidden_layers){.n = 0};
    blobs->settings.network.rate = expected->rate;
    blobs->settings.network.decay = expected->decay;
    blobs->settings.network.batch = expected->batch;
    blobs->settings.network.epoch_steps = expected->epoch_steps;
    test_context_init(&context);
    context.seed = 11;
    train_models(&context, classifier, blobs, 4, 3, model);
    for (size_t m = 0; m < MEMBERS; m++) {
        double logit[2], found[2];
        refer(11, m, expected->used_rate, expected->decay, 3 * expected->steps, logit);
        assert_ok(classifier->score(&context, model[m], 1, blobs->x, &found[1]), &test_error);
        assert_ok(classifier->score(&context, model[m], 1, &blobs->x[n * WIDTH], &found[0]), &test_error);
        assert_near(sigmoid(found[0]), sigmoid(logit[0]), 1e-3); /* its weights are halves */
        assert_near(sigmoid(found[1]), sigmoid(logit[1]), 1e-3);
        for (size_t i = 0; i < blobs->member[m].n_watched; i++)
            assert_near(blobs->logit[m][i], logit[blobs->label[blobs->watched[m][i]]], 1e-4);
    }
    close_all(classifier, NULL, model);
    test_context_close(&context);
    free(blobs);
}

static void test_steps(void **state)
{
    static const struct step_case cases[] = {
        {NAN, 1e-2, 0, 10, 1, 6, false, 0},      {NAN, 1e-2, 0.1, 10, 6, 6, false, 0},
        {NAN, 2e-3, 0.01, 10, 7, 7, true, 0},    {0.03, 0.03, 1, 7, 0, 8, true, 0},
        {0.05, 0.05, 0.3, 60, 0, 1, false, 0},   {0.05, 0.05, 0.3, 1000, 0, 1, false, 0},
        {0.05, 0.05, 0.3, 1000, 5, 5, false, 0}, {0.02, 0.02, 0.2, 10, 0, 6, false, 3},
        {0.02, 0.02, 0.2, 10, 0, 3, false, 0.5}, {0.02, 0.02, 0.2, 1, 0, 15, true, 0.25},
    };
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++)
        for (enum stopping stopping = STOPPING_COMMON; stopping <= STOPPING_EACH; stopping++)
            check_steps(90, stopping, &cases[c]);
}

/* With common stopping an epoch of a large table ends before each row was drawn, unless the user asks. */
static void test_steps_of_large_table(void **state)
{
    static const struct step_case common = {1e-3, 1e-3, 0, 1, 1, 200, false, 0},
                                  asked = {1e-3, 1e-3, 0, 1, 250, 250, false, 0},
                                  each = {1e-3, 1e-3, 0, 1, 1, 300, false, 0};
    (void)state;
    check_steps(450, STOPPING_COMMON, &common);
    check_steps(450, STOPPING_COMMON, &asked);
    check_steps(450, STOPPING_EACH, &each);
}

/* Rows of the own fold have no influence, nor those of weight 0: here they would be of overwhelming size. */
static void test_learns_from(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct blobs *blobs[2] = {whole_blobs(60, 60), whole_blobs(60, 60)};
        struct context context;
        test_context_init(&context);
        for (size_t b = 0; b < 2; b++) {
            void *model[MEMBERS];
            blobs[b]->examples.weight = blobs[b]->weight;
            for (size_t i = 0; i < blobs[b]->n; i++) {
                blobs[b]->weight[i] = (double)(i % 4);
                for (size_t j = 0; b == 1 && j < WIDTH && (i % 4 == 0 || i % MEMBERS == 0); j++)
                    blobs[b]->x[i * WIDTH + j] = 1e6F;
            }
            train_models(&context, both[k], blobs[b], 3, 3, model);
            assert_ok(both[k]->score(&context, model[0], 120, blobs[0]->x, blobs[b]->logit[0]), &test_error);
        }
        assert_memory_equal(blobs[0]->logit[0], blobs[1]->logit[0], 120 * sizeof(double));
        test_context_close(&context);
        free(blobs[0]);
        free(blobs[1]);
    }
}

static bool is_same(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Members that are not active stay as they are, and those that are not kept again end as they were kept. */
static void test_active(void **state)
{
    static const bool all[MEMBERS] = {true, true, true}, some[MEMBERS] = {true, false, true},
                      last[MEMBERS] = {false, false, true};
    enum { N = 40 };
    struct blobs *blobs = whole_blobs(60, 60);
    double before[MEMBERS][N], logit[MOST_ROWS];
    struct context context;
    void *set = NULL, *model;
    (void)state;
    test_context_init(&context);
    blobs->settings.network.rate = 0.01;
    assert_ok(classifier_mlp.create(&context, &blobs->training, &set), &test_error);
    assert_ok(classifier_mlp.advance(&context, set, all), &test_error);
    assert_ok(classifier_mlp.watch(&context, set, all), &test_error);
    assert_ok(classifier_mlp.keep(&context, set, all), &test_error);
    for (size_t m = 0; m < MEMBERS; m++)
        memcpy(before[m], blobs->logit[m], sizeof before[m]);
    assert_ok(classifier_mlp.advance(&context, set, some), &test_error);
    for (size_t i = 0; i < N; i++)
        blobs->logit[1][i] = 5;
    assert_ok(classifier_mlp.watch(&context, set, some), &test_error);
    for (size_t i = 0; i < N; i++)
        assert_true(blobs->logit[1][i] == 5);
    assert_ok(classifier_mlp.watch(&context, set, all), &test_error);
    for (size_t m = 0; m < MEMBERS; m++)
        assert_int_equal(is_same(N, before[m], blobs->logit[m]), m == 1);
    assert_ok(classifier_mlp.keep(&context, set, last), &test_error);
    for (size_t m = 0; m < MEMBERS; m++) {
        const double *const kept = m == 2 ? blobs->logit[m] : before[m];
        assert_ok(classifier_mlp.finish(&context, set, m, context.arena, &model), &test_error);
        assert_ok(classifier_mlp.score(&context, model, blobs->n, blobs->x, logit), &test_error);
        for (size_t i = 0; i < N; i++)
            assert_near(sigmoid(logit[blobs->watched[m][i]]), sigmoid(kept[i]), 1e-3);
        classifier_mlp.close(model);
    }
    classifier_mlp.destroy(set);
    test_context_close(&context);
    free(blobs);
}

/* ---- without what looks positive ---- */

/*
 * A fifth of class 0 looks like class 1, and an epoch later even more so. Gives the logits of all rows after
 * a second epoch that leaves out the share; `far` is how far these rows have moved by then.
 */
static void leave_out(double share, float far, double logit[MOST_ROWS])
{
    static const bool all[MEMBERS] = {true, true, true};
    struct blobs *blobs = whole_blobs(200, 400);
    struct risk risk = {.kind = RISK_CVIR};
    struct context context;
    void *set = NULL, *model;
    test_context_init(&context);
    blobs->settings.network.rate = 0.1;
    blobs->training.risk = &risk;
    for (size_t i = 0; i < blobs->n; i++)
        blobs->x[i * WIDTH + 1] = blobs->label[i] == 1 || i % 5 == 0 ? 3 : -3;
    assert_ok(classifier_logistic.create(&context, &blobs->training, &set), &test_error);
    assert_ok(classifier_logistic.advance(&context, set, all), &test_error);
    assert_ok(classifier_logistic.watch(&context, set, all), &test_error);
    for (size_t i = 0; i < blobs->n; i++)
        blobs->x[i * WIDTH + 1] += blobs->label[i] == 0 && i % 5 == 0 ? far : 0;
    risk.alpha = share;
    assert_ok(classifier_logistic.advance(&context, set, all), &test_error);
    assert_ok(classifier_logistic.watch(&context, set, all), &test_error);
    assert_ok(classifier_logistic.keep(&context, set, all), &test_error);
    assert_ok(classifier_logistic.finish(&context, set, 1, context.arena, &model), &test_error);
    assert_ok(classifier_logistic.score(&context, model, 200, blobs->x, logit), &test_error);
    classifier_logistic.close(model);
    classifier_logistic.destroy(set);
    test_context_close(&context);
    free(blobs);
}

/* What is left out has no influence. */
static void test_leaves_out(void **state)
{
    static const double shares[] = {0, 0.1, 0.4, 0.6, 1};
    (void)state;
    for (size_t s = 0; s < LENGTH(shares); s++) {
        double near[MOST_ROWS], far[MOST_ROWS];
        leave_out(shares[s], 0, near);
        leave_out(shares[s], 100, far);
        assert_int_equal(is_same(200, near, far), shares[s] > 0.3);
        for (size_t i = 0; i < 200; i++)
            assert_true(isfinite(near[i]));
    }
}

static void test_missing_class(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++)
        for (int weighted = 0; weighted < 2; weighted++) {
            struct blobs *blobs = whole_blobs(4, 50);
            struct context context;
            void *set = NULL, *model[MEMBERS];
            test_context_init(&context);
            blobs->fold[0] = blobs->fold[1] = blobs->fold[2] = 2;
            blobs->fold[3] = weighted ? 0 : 2;
            blobs->weight[3] = 0;
            blobs->examples.weight = weighted ? blobs->weight : NULL;
            assert_int_equal(train(&context, both[k], &blobs->training, 1, 1, &set, model),
                             DEDPUL_INVALID_DATA);
            assert_contains(test_error.message, "outside fold 3 no row of class 1");
            both[k]->destroy(set);
            test_context_close(&context);
            free(blobs);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_learns_xor),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_steps_of_large_table),
        cmocka_unit_test(test_learns_from),
        cmocka_unit_test(test_active),
        cmocka_unit_test(test_leaves_out),
        cmocka_unit_test(test_missing_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
