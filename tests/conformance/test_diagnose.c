/* Each doubt appears where it should, and none on clean samples. */
#include "fitting.h"

static dedpul_result *estimate(const struct test_problem *problem)
{
    return problem_estimate(problem, NULL);
}

static void test_clean(void **state)
{
    static const double alphas[] = {0.2, 0.5, 0.8}, gaps[] = {2, 2.5, 3};
    (void)state;
    for (size_t a = 0; a < LENGTH(alphas); a++)
        for (size_t g = 0; g < LENGTH(gaps); g++) {
            struct test_problem problem = problem_make(1000, 5000, alphas[a], gaps[g], 10 * a + g);
            dedpul_result *result = estimate(&problem);
            if (result->n_warnings > 0)
                fail_msg("alpha %g, gap %g: %s", alphas[a], gaps[g], result->warnings[0].name);
            dedpul_result_free(result);
            problem_free(&problem);
        }
}

/* Scores of noise, or of a classifier that is hardly better. */
static void test_weak_scores(void **state)
{
    struct test_problem noise = problem_make(500, 3000, 0.3, 0, 1),
                        weak = problem_make(1000, 5000, 0.3, 0.3, 1);
    dedpul_result *of_noise = estimate(&noise), *of_weak = estimate(&weak);
    (void)state;
    assert_true(has_warning(of_noise, "uninformative_scores"));
    assert_true(of_weak->alpha > 0.6); /* twice the truth */
    assert_true(has_warning(of_weak, "weakly_identified"));
    dedpul_result_free(of_noise);
    dedpul_result_free(of_weak);
    problem_free(&noise);
    problem_free(&weak);
}

/* Classes that overlap everywhere make alpha too high, which is said for one of two reasons; classes that do
 * not are let alone. */
static void test_overlap(void **state)
{
    size_t too_high = 0, told = 0, told_of_overlap = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct test_problem close = problem_make(400, 2000, 0.1, 0.7, seed),
                            apart = problem_make(400, 2000, 0.1, 2.5, seed);
        dedpul_result *of_close = estimate(&close), *of_apart = estimate(&apart);
        too_high += of_close->alpha > 0.18;
        told += has_warning(of_close, "weakly_identified");
        for (size_t i = 0; i < of_close->n_warnings; i++)
            told_of_overlap += strstr(of_close->warnings[i].message, "overlap everywhere") != NULL;
        assert_false(has_warning(of_apart, "weakly_identified"));
        dedpul_result_free(of_close);
        dedpul_result_free(of_apart);
        problem_free(&close);
        problem_free(&apart);
    }
    assert_true(too_high >= 8 && told >= too_high && told_of_overlap >= 3);
}

static void test_separated(void **state)
{
    struct test_problem problem = problem_make(500, 5000, 0.004, 6, 1);
    dedpul_result *result = estimate(&problem);
    (void)state;
    assert_true(result->auc < 0.999); /* which would be a reason by itself */
    assert_true(has_warning(result, "perfect_scores"));
    dedpul_result_free(result);
    problem_free(&problem);
}

static void test_misfit(void **state)
{
    struct test_problem problem = problem_make(500, 5000, 0.6, 2, 1);
    dedpul_result *result = problem_estimate(&problem, "bandwidth-p", "0.02", "bandwidth-u", "3", NULL);
    (void)state;
    assert_true(has_warning(result, "density_misfit"));
    dedpul_result_free(result);
    result = problem_estimate(&problem, "method", "dedpul", "bandwidth-p", "5", "bandwidth-u", "5", NULL);
    assert_true(has_warning(result, "estimators_disagree"));
    dedpul_result_free(result);
    problem_free(&problem);
}

static void test_few_labeled(void **state)
{
    struct test_problem problem = problem_make(15, 3000, 0.9, 2, 1);
    dedpul_result *result = estimate(&problem);
    (void)state;
    assert_true(has_warning(result, "few_labeled_on_top"));
    dedpul_result_free(result);
    problem_free(&problem);
}

/* A fifth of the labeled rows comes from elsewhere, and looks like no unlabeled row. */
static void test_selected_labels(void **state)
{
    struct test_problem problem = problem_make(500, 5000, 0.3, 2, 1);
    (void)state;
    for (size_t i = 0; i < 100; i++)
        problem.p[i] = 1 / (1 + exp(-6 - (double)i / 200));
    dedpul_result *result = estimate(&problem);
    assert_true(has_warning(result, "selected_labels"));
    dedpul_result_free(result);
    problem_free(&problem);
}

/* A bound of few labeled rows is loose: no posteriors have a mean that high. */
static void test_low_posteriors(void **state)
{
    struct test_problem problem = problem_make(15, 3000, 0.2, 4, 1);
    dedpul_result *found = problem_estimate(&problem, "method", "roc", NULL);
    dedpul_result *given = problem_estimate(&problem, "method", "roc", "alpha", "0.9", NULL);
    dedpul_result *right = problem_estimate(&problem, "method", "roc", "alpha", "0.1", NULL);
    (void)state;
    assert_true(has_warning(found, "low_posteriors"));
    assert_false(has_warning(found, "prior_not_supported")); /* no share was given */
    assert_true(has_warning(given, "prior_not_supported"));
    assert_false(has_warning(given, "low_posteriors"));
    assert_false(has_warning(right, "low_posteriors") || has_warning(right, "prior_not_supported"));
    dedpul_result_free(found);
    dedpul_result_free(given);
    dedpul_result_free(right);
    problem_free(&problem);
}

/* Positives have two modes, and a share of the unlabeled rows lies between them. */
static struct test_problem two_modes(double negative)
{
    struct test_problem problem = problem_make(1000, 4000, 1 - negative, 0, 1);
    struct rng rng;
    rng_init(&rng, 3, 3);
    for (size_t i = 0; i < problem.n_p; i++)
        problem.p[i] = (i % 2 == 0 ? 0.2 : 0.8) + 0.03 * random_normal(&rng);
    for (size_t i = 0; i < problem.n_u; i++)
        problem.u[i] = ((double)i < negative * (double)problem.n_u ? 0.5
                        : i % 2 == 0                               ? 0.2
                                                                   : 0.8) +
                       0.03 * random_normal(&rng);
    return problem;
}

/* The density ratio is made monotone, which is wrong here, but the bound holds; a second opinion is another
 * doubt. */
static void test_above_bound(void **state)
{
    struct test_problem far = two_modes(0.4), near = two_modes(0.17),
                        clean = problem_make(500, 5000, 0.6, 2, 1);
    dedpul_result *both = estimate(&far), *bound_alone = estimate(&near);
    dedpul_result *opinion_alone = problem_estimate(&clean, "method", "simple_alpha", NULL);
    dedpul_result *given = problem_estimate(&far, "alpha", "0.99", NULL);
    (void)state;
    assert_true(has_warning(both, "above_bound") && has_warning(both, "estimators_disagree"));
    assert_true(has_warning(bound_alone, "above_bound"));
    assert_false(has_warning(bound_alone, "estimators_disagree"));
    assert_true(has_warning(opinion_alone, "estimators_disagree"));
    assert_false(has_warning(opinion_alone, "above_bound"));
    assert_false(has_warning(given, "above_bound"));
    dedpul_result_free(both);
    dedpul_result_free(bound_alone);
    dedpul_result_free(opinion_alone);
    dedpul_result_free(given);
    problem_free(&far);
    problem_free(&near);
    problem_free(&clean);
}

/* Nothing was estimated, so there is nothing to doubt. */
static void test_given(void **state)
{
    struct test_problem problem = problem_make(15, 3000, 0.9, 2, 1);
    dedpul_result *result = problem_estimate(&problem, "alpha", "0.9", NULL);
    (void)state;
    assert_false(has_warning(result, "few_labeled_on_top"));
    dedpul_result_free(result);
    problem_free(&problem);
}

static void test_epoch_limit(void **state)
{
    struct crowd crowd = crowd_make(200, 600, 3, 0.4, 3, 35);
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (int enough = 0; enough < 2; enough++) {
            const bool trees = kind % 2 == 1;
            dedpul_options options = cheap_options(trees ? "gbdt" : "logistic");
            options.stopping = kind < 2 ? DEDPUL_STOPPING_COMMON : DEDPUL_STOPPING_EACH;
            options.epochs = options.tree_rounds = enough ? 400 : 3;
            options.patience = options.tree_patience = 4;
            struct fitted fitted = fit_crowd(&crowd, NULL, &options);
            assert_int_equal(has_warning(fitted.result, "epoch_limit"), !enough);
            if (!enough)
                assert_contains(fitted.result->warnings[0].message, trees ? "3 rounds" : "3 epochs");
            fitted_free(&fitted);
        }
    crowd_free(&crowd);
}

/* The networks of a method are trained after the estimate; of several classifiers the best one's counts. */
static void test_epoch_limit_of_others(void **state)
{
    struct crowd crowd = crowd_make(100, 300, 3, 0.4, 3, 36);
    dedpul_options options = cheap_options("gbdt");
    (void)state;
    options.epochs = 3;
    options.tree_rounds = 400;
    options.method = "nnpu";
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_true(has_warning(fitted.result, "epoch_limit"));
    fitted_free(&fitted);
    options = cheap_options("auto");
    options.epochs = options.min_epochs = 1; /* so that it is trees */
    options.rate = 1e-9;
    options.tree_rounds = 400;
    fitted = fit_crowd(&crowd, NULL, &options);
    assert_string_equal(dedpul_model_describe(fitted.model)->classifier, "gbdt");
    assert_false(has_warning(fitted.result, "epoch_limit"));
    fitted_free(&fitted);
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),           cmocka_unit_test(test_weak_scores),
        cmocka_unit_test(test_overlap),         cmocka_unit_test(test_separated),
        cmocka_unit_test(test_misfit),          cmocka_unit_test(test_few_labeled),
        cmocka_unit_test(test_selected_labels), cmocka_unit_test(test_low_posteriors),
        cmocka_unit_test(test_above_bound),     cmocka_unit_test(test_given),
        cmocka_unit_test(test_epoch_limit),     cmocka_unit_test(test_epoch_limit_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
