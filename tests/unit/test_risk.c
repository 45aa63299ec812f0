/* Risks against their formulas, and their slopes against finite differences. */
#include "risk.h"
#include "support.h"

enum { N_1 = 5, N_0 = 8, N = N_1 + N_0 };

static const enum risk_kind kinds[] = {RISK_CLASSES, RISK_UPU, RISK_NNPU, RISK_CVIR};
static const enum loss losses[] = {LOSS_SIGMOID, LOSS_BRIER, LOSS_LOGISTIC};

/* ---- the formulas ---- */

static double loss_of(enum loss loss, bool positive, double logit)
{
    const double y = 1 / (1 + exp(-logit)), wrong = positive ? 1 - y : y;
    return loss == LOSS_SIGMOID ? wrong : loss == LOSS_BRIER ? wrong * wrong : -log(positive ? y : 1 - y);
}

/* Means over class 1 as positives, over class 0 and over class 1 as negatives. */
struct parts {
    double positive, unlabeled, subtracted;
};

static struct parts parts_of(enum loss loss, const double *logit, const double *weight)
{
    struct parts parts = {0, 0, 0};
    double total[2] = {0, 0};
    for (size_t i = 0; i < N; i++)
        total[i < N_1] += weight[i];
    for (size_t i = 0; i < N; i++) {
        const double share = weight[i] / total[i < N_1];
        parts.positive += i < N_1 ? share * loss_of(loss, true, logit[i]) : 0;
        parts.subtracted += i < N_1 ? share * loss_of(loss, false, logit[i]) : 0;
        parts.unlabeled += i < N_1 ? 0 : share * loss_of(loss, false, logit[i]);
    }
    return parts;
}

static double negative_part(const struct risk *risk, const struct parts *parts)
{
    return parts->unlabeled - risk->alpha * parts->subtracted;
}

/* What a step goes down on. */
static double objective(const struct risk *risk, const double *logit)
{
    static const double ones[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const bool of_classes = risk->kind == RISK_CLASSES || risk->kind == RISK_CVIR;
    const struct parts parts = parts_of(of_classes ? LOSS_LOGISTIC : risk->loss, logit, ones);
    const double negative = negative_part(risk, &parts);
    if (of_classes)
        return (parts.positive + parts.unlabeled) / 2;
    if (risk->kind == RISK_NNPU && negative < -risk->beta)
        return -risk->gamma * negative;
    return risk->alpha * parts.positive + negative;
}

/* Positives at 1, others at `others`, and some noise. */
static void fill_logits(uint64_t seed, double others, float *logit)
{
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t i = 0; i < N; i++)
        logit[i] = (float)((i < N_1 ? 1 : others) + random_normal(&rng));
}

static double check_slopes(const struct risk *risk, const float *logit)
{
    const double h = 1e-6;
    float slope[N];
    double moved[N];
    risk_slope(risk, N_1, N_0, logit, slope);
    for (size_t i = 0; i < N; i++)
        moved[i] = (double)logit[i];
    for (size_t i = 0; i < N; i++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            moved[i] = (double)logit[i] + (side ? h : -h);
            value[side] = objective(risk, moved);
        }
        moved[i] = (double)logit[i];
        assert_near((double)slope[i], (value[1] - value[0]) / (2 * h), 1e-7);
    }
    return objective(risk, moved);
}

static void test_slopes(void **state)
{
    unsigned back = 0;
    (void)state;
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (size_t l = 0; l < LENGTH(losses); l++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                const struct risk risk = {.kind = kinds[k],
                                          .loss = losses[l],
                                          .alpha = 0.05 + 0.04 * (double)seed,
                                          .beta = 0.02 * (double)(seed % 3),
                                          .gamma = seed % 2 ? 0.7 : 1};
                float logit[N];
                fill_logits(seed, seed % 4 ? -3 : 1, logit);
                back += check_slopes(&risk, logit) > 0 && kinds[k] == RISK_NNPU && seed % 4;
            }
    assert_true(back > 0);
}

/* nnpu is upu until its negative part is below -beta, and then goes the other way, without positives. */
static void test_step_back(void **state)
{
    (void)state;
    for (size_t l = 0; l < LENGTH(losses); l++) {
        static const double ones[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        struct risk risk = {.kind = RISK_UPU, .loss = losses[l], .alpha = 0.6, .gamma = 0.25};
        float logit[N], by_upu[N], by_nnpu[N];
        double precise[N];
        fill_logits(1, -5, logit);
        for (size_t i = 0; i < N; i++)
            precise[i] = (double)logit[i];
        const struct parts parts = parts_of(losses[l], precise, ones);
        const double negative = negative_part(&risk, &parts);
        assert_true(negative < -0.05);
        risk_slope(&risk, N_1, N_0, logit, by_upu);
        risk.kind = RISK_NNPU;
        risk.beta = -negative + 1e-6;
        risk_slope(&risk, N_1, N_0, logit, by_nnpu);
        assert_memory_equal(by_upu, by_nnpu, sizeof by_upu);
        risk.beta = -negative - 1e-6;
        risk_slope(&risk, N_1, N_0, logit, by_nnpu);
        for (size_t i = N_1; i < N; i++)
            assert_near((double)by_nnpu[i], -0.25 * (double)by_upu[i], 1e-8);
        for (size_t i = 0; i < N_1; i++)
            assert_true(by_nnpu[i] > 0); /* down with the logits of positives */
    }
}

/* ---- held-out examples ---- */

static double value_of(const struct risk *risk, const double *logit, const double *weight)
{
    struct risk_sums sums = no_risk;
    for (size_t i = 0; i < N; i++)
        risk_add(risk, i < N_1, weight[i], logit[i], &sums);
    return risk_value(risk, &sums);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (size_t l = 0; l < LENGTH(losses); l++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                const struct risk risk = {
                    .kind = kinds[k], .loss = losses[l], .alpha = 0.05 * (double)seed, .beta = 0.5};
                const bool of_classes = kinds[k] == RISK_CLASSES || kinds[k] == RISK_CVIR;
                float rough[N];
                double logit[N], weight[N], many[N];
                fill_logits(seed, seed % 2 ? -3 : 0, rough);
                for (size_t i = 0; i < N; i++) {
                    logit[i] = (double)rough[i];
                    weight[i] = seed < 10 ? 1 : 0.01 * (double)((3 * i + seed) % 7);
                    many[i] = 1000 * weight[i];
                }
                const struct parts parts = parts_of(of_classes ? LOSS_LOGISTIC : losses[l], logit, weight);
                const double negative = negative_part(&risk, &parts);
                const double expected = of_classes
                                            ? (parts.positive + parts.unlabeled) / 2
                                            : risk.alpha * parts.positive +
                                                  (kinds[k] == RISK_NNPU && negative < 0 ? 0 : negative);
                assert_near(value_of(&risk, logit, weight), expected, 1e-12);
                assert_near(value_of(&risk, logit, many), expected, 1e-12);
            }
}

/* A weight is a count. */
static void test_counts(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (size_t l = 0; l < LENGTH(losses); l++) {
            const struct risk risk = {.kind = kinds[k], .loss = losses[l], .alpha = 0.3};
            struct risk_sums once = no_risk, often = no_risk;
            for (int i = 0; i < 40; i++) {
                const double logit = 0.3 * i - 7;
                risk_add(&risk, i % 3 == 0, i % 4, logit, &once);
                for (int copy = 0; copy < i % 4; copy++)
                    risk_add(&risk, i % 3 == 0, 1, logit, &often);
            }
            assert_near(risk_value(&risk, &once), risk_value(&risk, &often), 1e-12);
        }
}

/* Logits far off, and classes without examples. */
static void test_extremes(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (size_t l = 0; l < LENGTH(losses); l++) {
            const struct risk risk = {.kind = kinds[k], .loss = losses[l], .alpha = 0.3, .gamma = 1};
            const float logit[4] = {1e4F, -1e4F, 1e4F, -1e4F};
            float slope[4];
            struct risk_sums sums = no_risk;
            assert_true(isfinite(risk_value(&risk, &sums)));
            risk_slope(&risk, 2, 2, logit, slope);
            for (size_t i = 0; i < 4; i++) {
                assert_true(isfinite(slope[i]));
                risk_add(&risk, i < 2, 1, (double)logit[i], &sums);
            }
            assert_true(isfinite(risk_value(&risk, &sums)));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes), cmocka_unit_test(test_step_back), cmocka_unit_test(test_values),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
