/* The check of labels: simulated rows whose rates of labels are known. */
#include "label_check.h"

#include "support.h"

enum { KINDS = 3, N_LABELED = 300, N_POSITIVE = 900, N_NEGATIVE = 3000 };
enum { N_UNLABELED = N_POSITIVE + N_NEGATIVE, N = N_LABELED + N_UNLABELED, DRAWS = 200 };

struct problem {
    uint32_t kind[N], likeliest[N];
    double logit[N], weight[N];
    struct kind_rows rows;
};

/*
 * Rows have the logits 4 + noise if they are positive, and 0 + noise if they are negative. Negatives are as
 * often like one kind as like another. `overlap` of those that are like kind 0 are as positives are.
 */
static struct problem *make(const double labeled[KINDS], double overlap, uint64_t seed)
{
    struct problem *problem = calloc(1, sizeof *problem);
    struct rng rng;
    rng_init(&rng, seed, 0);
    for (size_t i = 0; i < N; i++) {
        double u = rng_uniform(&rng);
        uint32_t kind = rng_below(&rng, KINDS);
        const bool is_positive = i < N_LABELED + N_POSITIVE;
        if (i < N_LABELED)
            for (kind = 0; kind + 1 < KINDS && u >= labeled[kind]; kind++)
                u -= labeled[kind];
        problem->kind[i] = i < N_LABELED ? kind : KINDS;
        problem->likeliest[i] = kind;
        problem->weight[i] = 1;
        problem->logit[i] = random_normal(&rng) + (is_positive ? 4 : 0);
        if (!is_positive && kind == 0 && rng_uniform(&rng) < overlap)
            problem->logit[i] = 4 - 3 * fabs(random_normal(&rng));
    }
    problem->rows = (struct kind_rows){.n = N,
                                       .n_kinds = KINDS,
                                       .kind = problem->kind,
                                       .likeliest = problem->likeliest,
                                       .logit = problem->logit};
    return problem;
}

static struct label_check check(struct context *context, const struct problem *problem)
{
    struct label_check found;
    assert_ok(label_check(context, &problem->rows, context->arena, &found), &test_error);
    return found;
}

/* The share of draws that are alarms. */
static double alarms(const double labeled[KINDS], double overlap)
{
    double n = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct context context;
        test_context_init(&context);
        struct problem *problem = make(labeled, overlap, seed);
        n += check(&context, problem).p_value < LABEL_CHECK_LEVEL;
        free(problem);
        test_context_close(&context);
    }
    return n / DRAWS;
}

/* A random draw rarely is an alarm, also if negatives overlap with a kind; picked labels nearly always are.
 */
static void picked_labels_are_found(void **state)
{
    static const double random[KINDS] = {1. / 3, 1. / 3, 1. / 3}, picked[KINDS] = {0.6, 0.3, 0.1};
    (void)state;
    assert_true(alarms(random, 0) <= 0.05);
    assert_true(alarms(random, 0.5) <= 0.05);
    assert_true(alarms(picked, 0) >= 0.95);
}

/* It says which kinds are labeled too often and too rarely, and how often. */
static void kinds_are_judged(void **state)
{
    static const double picked[KINDS] = {0.6, 0.3, 0.1};
    struct context context;
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(picked, 0, 1);
    const struct label_check found = check(&context, problem);
    size_t rows = 0;
    assert_int_equal(found.n_kinds, KINDS);
    assert_true(found.kind[0].deviation > 0 && found.kind[2].deviation < -1);
    for (size_t k = 0; k < KINDS; k++) {
        const double rate = N_LABELED * picked[k] / (N_LABELED * picked[k] + N_POSITIVE / 3.);
        assert_near(found.kind[k].low, rate, 0.08);
        assert_true(found.kind[k].low <= found.kind[k].high);
        rows += found.kind[k].rows;
    }
    assert_int_equal(rows, N_LABELED);
    assert_true(found.rate > found.kind[2].low && found.rate < found.kind[0].high);
    free(problem);
    test_context_close(&context);
}

/* A row of weight 0 takes no part; equal rows that are one with a weight tell as much about rates. */
static void weights_count(void **state)
{
    static const double picked[KINDS] = {0.5, 0.3, 0.2};
    struct context context;
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(picked, 0, 3);
    const struct label_check plain = check(&context, problem);
    problem->rows.weight = problem->weight;
    assert_true(check(&context, problem).p_value == plain.p_value);
    for (size_t i = 0; i < N; i++)
        problem->weight[i] = 7;
    assert_near(check(&context, problem).p_value, plain.p_value, 1e-9);
    for (size_t i = 0; i < N; i++)
        problem->weight[i] = i % 10 > 0 ? 1 : 0;
    const struct label_check without = check(&context, problem);
    for (size_t i = 0; i < N; i += 10)
        problem->logit[i] = 100;
    assert_true(check(&context, problem).p_value == without.p_value);
    free(problem);
    test_context_close(&context);
}

/* Kinds with few rows take no part. With fewer than two others, there is nothing to check. */
static void few_rows_are_not_checked(void **state)
{
    static const double two[KINDS] = {0.6, 0.4, 0}, one[KINDS] = {1, 0, 0};
    struct context context;
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(two, 0, 5);
    struct label_check found = check(&context, problem);
    assert_true(found.p_value <= 1);
    assert_true(isnan(found.kind[2].low) && found.kind[2].deviation == 0);
    assert_true(found.kind[2].rows == 0);
    free(problem);
    problem = make(one, 0, 5);
    found = check(&context, problem);
    assert_true(isnan(found.p_value) && isnan(found.rate));
    free(problem);
    test_context_close(&context);
}

/* If all scores are equal, nothing tells positives, so that all unlabeled rows of a kind may be. */
static void ties_are_one(void **state)
{
    static const double random[KINDS] = {1. / 3, 1. / 3, 1. / 3};
    struct context context;
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(random, 0, 7);
    for (size_t i = 0; i < N; i++)
        problem->logit[i] = 0;
    const struct label_check found = check(&context, problem);
    assert_true(found.p_value > 0.5);
    assert_near(found.rate, (double)N_LABELED / N, 0.01);
    free(problem);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picked_labels_are_found),
        cmocka_unit_test(kinds_are_judged),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(few_rows_are_not_checked),
        cmocka_unit_test(ties_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
