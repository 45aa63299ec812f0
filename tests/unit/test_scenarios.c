/* The shares of positives that an evaluation reckons with. */
#include "support.h"

#include "logistic.h"
#include "scenarios.h"

enum { GROUPS = 10 };

/* Groups of 100 unlabeled rows; the upper half has this posterior, and the lower half the rest to 1. */
static struct scenarios make(struct context *context, double posterior, const struct alpha_belief *belief)
{
    double score[GROUPS], labeled[GROUPS], unlabeled[GROUPS], ratio[GROUPS], own[GROUPS], none[GROUPS] = {0};
    struct scenarios scenarios;
    for (size_t g = 0; g < GROUPS; g++) {
        score[g] = (double)(GROUPS - g);
        labeled[g] = g < GROUPS / 2 ? 20 : 0;
        unlabeled[g] = 100;
        own[g] = g < GROUPS / 2 ? posterior : 1 - posterior;
        ratio[g] = own[g] / belief->alpha;
    }
    const struct score_groups groups = {GROUPS, 100, 1000, score, labeled, unlabeled, ratio, own, none, none};
    assert_ok(scenarios_make(context, &groups, belief, &scenarios), &test_error);
    return scenarios;
}

/* How far the lowest and the highest share are from alpha, in logits. */
static void measure(const struct scenarios *scenarios, double alpha, double *below, double *above)
{
    double total = 0;
    *below = *above = 0;
    for (size_t s = 0; s < scenarios->n; s++) {
        const double distance = logit_of(scenarios->item[s].alpha) - logit_of(alpha);
        *below = fmax(*below, -distance);
        *above = fmax(*above, distance);
        total += scenarios->item[s].weight;
    }
    assert_near(total, 1, 1e-12);
}

/* Below alpha they reach farther if posteriors explain less of the classes. */
static void test_lower_shares(void **state)
{
    struct context context;
    struct alpha_quantiles quantiles;
    const struct alpha_belief belief = {0.5, &quantiles, one_scale(1)};
    double below[3], above[3];
    (void)state;
    for (size_t k = 0; k < N_QUANTILES; k++)
        quantiles.logit[k] = 0.1 * ((double)k - (N_QUANTILES - 1) / 2.0);
    test_context_init(&context);
    const double posterior[] = {1, 0.5 + sqrt(0.125), 0.5};
    for (size_t k = 0; k < LENGTH(posterior); k++) {
        const struct scenarios scenarios = make(&context, posterior[k], &belief);
        measure(&scenarios, 0.5, &below[k], &above[k]);
        assert_near(above[k], above[0], 1e-9);
        assert_near(below[k], above[0] * (1 + 0.375 * (double)k), 1e-9);
    }
    test_context_close(&context);
}

/* The more are positive, the less farther. An alpha that is certain is the only one. */
static void test_alphas(void **state)
{
    struct context context;
    struct alpha_quantiles quantiles;
    double below, above;
    (void)state;
    test_context_init(&context);
    for (double alpha = 0.1; alpha < 1; alpha += 0.2) {
        const struct alpha_belief belief = {alpha, &quantiles, one_scale(alpha)},
                                  certain = {alpha, NULL, one_scale(alpha)};
        for (size_t k = 0; k < N_QUANTILES; k++)
            quantiles.logit[k] = logit_of(alpha) + 0.1 * ((double)k - (N_QUANTILES - 1) / 2.0);
        struct scenarios scenarios = make(&context, 0.5, &belief);
        measure(&scenarios, alpha, &below, &above);
        assert_near(below, above * (1 + 1.5 * (1 - alpha)), 1e-9);
        scenarios = make(&context, 0.5, &certain);
        measure(&scenarios, alpha, &below, &above);
        assert_near(below + above, 0, 1e-12);
    }
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower_shares),
        cmocka_unit_test(test_alphas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
