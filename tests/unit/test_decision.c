/* Other shares of positives than at the fit, and thresholds of new rows. */
#include "fitting.h"

#include "decision.h"
#include "logistic.h"
#include "model_evaluation.h"
#include "models.h"
#include "resolve.h"

static struct crowd crowd;
static struct fitted fitted;
static struct resolved defaults;

static int fit_once(void **state)
{
    const dedpul_options options = cheap_options("logistic");
    (void)state;
    crowd = crowd_make(1000, 4000, 2, 0.3, 2.5, 5);
    fitted = fit_crowd(&crowd, NULL, &options);
    return options_resolve(NULL, &defaults, &test_error);
}

static int free_all(void **state)
{
    fitted_free(&fitted);
    crowd_free(&crowd);
    return remove_test_files(state);
}

static struct model *model(void)
{
    return &fitted.model->model;
}

/* Logits of new rows with this share of positives, and their classes. */
static void new_rows(size_t n, double share, double *logit)
{
    struct crowd other = crowd_make(2, n, 2, share, 2.5, 77);
    const dedpul_matrix all = crowd_matrix(&other);
    const dedpul_matrix rows = {n, 2, all.f64 + 2 * other.n_positive, NULL};
    double *score = malloc(n * sizeof *score);
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, NULL, &test_error), &test_error);
    for (size_t i = 0; i < n; i++)
        logit[i] = logit_of(score[i]);
    free(score);
    crowd_free(&other);
}

/* ---- shares ---- */

static void test_posterior_at_share(void **state)
{
    (void)state;
    for (double posterior = 0; posterior <= 1; posterior += 0.125)
        assert_near(posterior_at_share(posterior, 0.3, 0.3), posterior, 1e-15);
    assert_near(posterior_at_share(0.5, 0.5, 0.2), 0.2, 1e-15);
    assert_near(posterior_at_share(0.2, 0.1, 0.4), 0.6, 1e-15); /* odds 1/4 * (2/3) / (1/9) = 3/2 */
    assert_near(posterior_at_share(0, 0.3, 0.9), 0, 0);
    assert_near(posterior_at_share(1, 0.3, 0.1), 1, 0);
    assert_near(posterior_at_share(0.4, 0.3, 0), 0, 0);
    assert_near(posterior_at_share(0.4, 0.3, 1), 1, 0);
    assert_near(posterior_at_share(1, 0.3, 0), 0, 0); /* no row is positive */
}

/* The share of new rows is found from their scores alone, with an interval that holds it. */
static void test_share_of_new_rows(void **state)
{
    enum { N = 3000 };
    static const double shares[] = {0.1, 0.3, 0.6, 0.9};
    double *logit = malloc(N * sizeof *logit);
    (void)state;
    for (size_t k = 0; k < LENGTH(shares); k++) {
        struct share_estimate found;
        struct context context;
        double *count = calloc(model()->kept.n, sizeof *count);
        new_rows(N, shares[k], logit);
        test_context_init(&context);
        fit_scores_count(&model()->kept, N, logit, count);
        assert_ok(share_of_new_rows(&context, model(), &defaults.plan.estimate, count, &found), &test_error);
        assert_near(found.alpha, shares[k], 0.05);
        assert_true(found.low < shares[k] && shares[k] < found.high && found.high - found.low < 0.4);
        memset(count, 0, model()->kept.n * sizeof *count);
        fit_scores_count(&model()->kept, FEWEST_NEW_ROWS - 1, logit, count);
        assert_ok(share_of_new_rows(&context, model(), &defaults.plan.estimate, count, &found), &test_error);
        assert_true(isnan(found.alpha));
        free(count);
        test_context_close(&context);
    }
    free(logit);
}

/* ---- decisions ---- */

static const struct share_estimate unknown = {NAN, NAN, NAN};

static struct predict_plan plan_of(enum cut_rule rule, double value)
{
    return (struct predict_plan){
        .estimate = &defaults.plan.estimate, .has_request = true, .request = {rule, value}};
}

static struct decision decide_by(const struct predict_plan *plan, size_t n, const double *logit,
                                 const struct share_estimate *share)
{
    struct context context;
    struct decision decision;
    test_context_init(&context);
    assert_ok(decide(&context, model(), plan, n, logit, share, &decision), &test_error);
    test_context_close(&context);
    return decision;
}

static void refuse(const struct predict_plan *plan, size_t n, const double *logit, const char *message)
{
    struct context context;
    struct decision decision;
    test_context_init(&context);
    assert_int_not_equal(decide(&context, model(), plan, n, logit, &unknown, &decision), DEDPUL_OK);
    assert_contains(test_error.message, message);
    test_context_close(&context);
}

static size_t count_flagged(const struct decision *decision, size_t n, const double *logit)
{
    size_t flagged = 0;
    for (size_t i = 0; i < n; i++)
        flagged += sigmoid(logit[i]) >= decision->threshold;
    return flagged;
}

/* So many rows are flagged, but none that ties with one that is not. */
static void test_top(void **state)
{
    static const double logit[] = {3, -1, 2, 2, 2, 0, 5, -4};
    static const struct {
        enum cut_rule rule;
        double value;
        size_t flagged;
    } cases[] = {{CUT_TOP, 1, 1},   {CUT_TOP, 2, 2},      {CUT_TOP, 3, 2},     {CUT_TOP, 4, 2},
                 {CUT_TOP, 5, 5},   {CUT_TOP, 8, 8},      {CUT_SHARE, 0.5, 2}, {CUT_SHARE, 0.7, 5},
                 {CUT_SHARE, 1, 8}, {CUT_SHARE, 0.01, 0}, {CUT_TOP, 0.5, 0}};
    struct predict_plan plan;
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        plan = plan_of(cases[i].rule, cases[i].value);
        assert_true(decision_needs_all(&plan));
        const struct decision decision = decide_by(&plan, LENGTH(logit), logit, &unknown);
        assert_true(decision.has_threshold);
        assert_int_equal(count_flagged(&decision, LENGTH(logit), logit), cases[i].flagged);
    }
    double many[100];
    for (size_t i = 0; i < LENGTH(many); i++)
        many[i] = (double)i / 10;
    plan = plan_of(CUT_SHARE, 0.29); /* 0.29 * 100 is less than 29 */
    const struct decision rounded = decide_by(&plan, LENGTH(many), many, &unknown);
    assert_int_equal(count_flagged(&rounded, LENGTH(many), many), 29);
    plan = plan_of(CUT_TOP, 9);
    refuse(&plan, LENGTH(logit), logit, "9 rows cannot be flagged: there are 8 rows");
}

/* A threshold by what the fit kept; it moves with the share if it has to. */
static void test_kept(void **state)
{
    struct predict_plan plan = plan_of(CUT_PRECISION, 0.85);
    (void)state;
    assert_false(decision_needs_all(&plan));
    const double at_fit = decide_by(&plan, 0, NULL, &unknown).threshold;
    plan.share_rule = SHARE_GIVEN;
    plan.share = 0.6;
    const struct decision many = decide_by(&plan, 0, NULL, &unknown);
    plan.share = 0.1;
    const struct decision few = decide_by(&plan, 0, NULL, &unknown);
    assert_true(many.threshold < at_fit && at_fit < few.threshold);
    assert_near(many.share, 0.6, 0);
    assert_true(decision_posterior(&many, 0.5) > decision_posterior(&few, 0.5));
    plan.request = (struct cut_request){CUT_COST, 1}; /* more likely positive than not, at that share */
    const struct decision likely = decide_by(&plan, 0, NULL, &unknown);
    assert_near(decision_posterior(&likely, logit_of(likely.threshold)), 0.5, 0.03);
    plan.request = (struct cut_request){CUT_SCORE, 0.7};
    assert_near(decide_by(&plan, 0, NULL, &unknown).threshold, 0.7, 0);
    plan.request = (struct cut_request){CUT_RECALL, 0.8};
    const double by_recall = decide_by(&plan, 0, NULL, &unknown).threshold;
    plan.share = 0.5;
    assert_near(decide_by(&plan, 0, NULL, &unknown).threshold, by_recall, 0.05);
}

/* The model's own threshold, which moves with the share only if it was chosen by it. */
static void test_own(void **state)
{
    struct predict_plan plan = {.estimate = &defaults.plan.estimate};
    (void)state;
    assert_false(decide_by(&plan, 0, NULL, &unknown).has_threshold);
    model()->threshold = (struct model_threshold){true, {CUT_TOP, 100}, 0.8};
    assert_true(decide_by(&plan, 0, NULL, &unknown).has_threshold);
    assert_near(decide_by(&plan, 0, NULL, &unknown).threshold, 0.8, 0);
    plan.share_rule = SHARE_GIVEN;
    plan.share = 0.6;
    assert_near(decide_by(&plan, 0, NULL, &unknown).threshold, 0.8, 0);
    model()->threshold.request = (struct cut_request){CUT_COST, 1};
    assert_true(decide_by(&plan, 0, NULL, &unknown).threshold < 0.7);
    model()->threshold.is_set = false;
}

static void test_refused(void **state)
{
    struct predict_plan plan = {.estimate = &defaults.plan.estimate, .share_rule = SHARE_OF_ROWS};
    double *const alpha = &model()->solution.proportion.alpha, before = *alpha;
    const size_t kept = model()->kept.n;
    (void)state;
    assert_true(decision_needs_all(&plan));
    refuse(&plan, 0, NULL, "it takes at least 20 rows whose scores differ");
    *alpha = 1;
    refuse(&plan, 0, NULL, "the model's alpha is 1");
    plan = plan_of(CUT_F1, 1);
    refuse(&plan, 0, NULL, "no threshold tells positives from negatives");
    *alpha = before;
    model()->kept.n = 0;
    refuse(&plan, 0, NULL, "keep no scores");
    model()->kept.n = kept;
    plan.by_pn = true;
    refuse(&plan, 0, NULL, "can only be given");
    plan = plan_of(CUT_PRECISION, 1);
    refuse(&plan, 0, NULL, "a precision of 1 cannot be had");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_posterior_at_share),
        cmocka_unit_test(test_share_of_new_rows),
        cmocka_unit_test(test_top),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, fit_once, free_all);
}
