/* Evaluation without known negatives: estimates against classes that the library has not seen. */
#include "support.h"

#include <stdio.h>

/* A problem with labels and classes in one array; the result is not made by it. */
struct labeled_problem {
    struct test_problem two;
    size_t n;
    double *score;
    unsigned char *label, *truth;
};

static struct labeled_problem labeled_make(size_t n_p, size_t n_u, double alpha, double gap, uint64_t seed)
{
    struct labeled_problem made = {.two = problem_make(n_p, n_u, alpha, gap, seed), .n = n_p + n_u};
    made.score = malloc(made.n * sizeof *made.score);
    made.label = malloc(made.n);
    made.truth = malloc(made.n);
    for (size_t i = 0; i < made.n; i++) {
        made.label[i] = i < n_p;
        made.score[i] = i < n_p ? made.two.p[i] : made.two.u[i - n_p];
        made.truth[i] = i < n_p || (double)(i - n_p) < alpha * (double)n_u;
    }
    return made;
}

static void labeled_free(struct labeled_problem *problem)
{
    problem_free(&problem->two);
    free(problem->score);
    free(problem->label);
    free(problem->truth);
}

static dedpul_sample rows_of(const struct labeled_problem *problem)
{
    return (dedpul_sample){problem->n, problem->score, NULL};
}

static dedpul_evaluation *evaluate_by(const struct labeled_problem *problem, const dedpul_result *result,
                                      const char *goal, const char *value)
{
    const dedpul_sample rows = rows_of(problem);
    dedpul_evaluate_options options;
    dedpul_evaluation *evaluation = NULL;
    dedpul_evaluate_options_init(&options);
    options.threads = 1;
    if (goal != NULL)
        assert_ok(dedpul_evaluate_options_set(&options, goal, value, &test_error), &test_error);
    assert_ok(
        dedpul_evaluate(result, &rows, problem->label, problem->truth, &options, &evaluation, &test_error),
        &test_error);
    return evaluation;
}

static void assert_share(const dedpul_range *range)
{
    assert_true(range->low >= 0 && range->low <= range->value && range->value <= range->high &&
                range->high <= 1);
}

/* ---- the truth ---- */

/* What is said of known classes is what one counts. */
static void test_known_truth(void **state)
{
    struct labeled_problem problem = labeled_make(150, 500, 0.3, 1.5, 3);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *evaluation = evaluate_by(&problem, result, "top", "120");
    double won = 0, flagged = 0, right = 0;
    (void)state;
    for (size_t i = 150; i < problem.n; i++) {
        const bool is_flagged = problem.score[i] >= evaluation->threshold->score;
        flagged += is_flagged;
        right += is_flagged && problem.truth[i];
        for (size_t k = 150; k < problem.n; k++)
            won += problem.truth[i] && !problem.truth[k] ? problem.score[i] > problem.score[k] : 0;
    }
    const dedpul_known_truth *truth = evaluation->truth;
    assert_near(flagged, 120, 0);
    assert_near(truth->rows, 500, 0);
    assert_near(truth->positives, 150, 0);
    assert_near(truth->alpha, 0.3, 1e-15);
    assert_near(truth->auc, won / (150.0 * 350), 1e-12);
    assert_near(truth->precision, right / 120, 1e-12);
    assert_near(truth->recall, right / 150, 1e-12);
    assert_near(truth->lift, truth->precision / 0.3, 1e-12);
    assert_near(truth->f1, 2 * right / (150 + 120), 1e-12);
    dedpul_evaluation_free(evaluation);
    dedpul_result_free(result);
    labeled_free(&problem);
}

enum { MEASURES = 7, PROBLEMS = 24 };

static void measures_of(const dedpul_evaluation *evaluation, dedpul_range estimate[MEASURES],
                        double truth[MEASURES])
{
    const dedpul_threshold *at = evaluation->threshold;
    const dedpul_known_truth *known = evaluation->truth;
    const dedpul_range found[MEASURES] = {evaluation->auc,     evaluation->average_precision,
                                          evaluation->best_f1, at->precision,
                                          at->recall,          at->f1,
                                          at->fall_out};
    const double true_value[MEASURES] = {
        known->auc, known->average_precision, known->best_f1, known->precision, known->recall,
        known->f1,  at->true_fall_out};
    memcpy(estimate, found, sizeof found);
    memcpy(truth, true_value, sizeof true_value);
}

/* If alpha is known and scores are those of the best classifier, estimates are right on average. */
static void test_unbiased(void **state)
{
    double bias[MEASURES] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct labeled_problem problem = labeled_make(500, 2000, 0.4, 2, seed);
        dedpul_result *result = problem_estimate(&problem.two, "alpha", "0.4", NULL);
        dedpul_evaluation *evaluation = evaluate_by(&problem, result, NULL, NULL);
        dedpul_range estimate[MEASURES];
        double truth[MEASURES];
        measures_of(evaluation, estimate, truth);
        for (size_t k = 0; k < MEASURES; k++)
            bias[k] += (estimate[k].value - truth[k]) / PROBLEMS;
        dedpul_evaluation_free(evaluation);
        dedpul_result_free(result);
        labeled_free(&problem);
    }
    for (size_t k = 0; k < MEASURES; k++)
        assert_near(bias[k], 0, 0.02);
}

/* Ranges hold the truth about as often as they say, whatever the share. */
static void test_coverage(void **state)
{
    static const double alphas[] = {0.05, 0.3, 0.6, 0.95};
    size_t held[MEASURES] = {0}, n = 0;
    (void)state;
    for (uint64_t seed = 0; seed < (IS_SLOW ? 4 : 15); seed++)
        for (size_t a = 0; a < LENGTH(alphas); a++, n++) {
            struct labeled_problem problem =
                labeled_make(300, 2000, alphas[a], 1.5 + (double)(seed % 3), 100 + seed);
            dedpul_result *result = problem_estimate(&problem.two, NULL);
            dedpul_evaluation *evaluation = evaluate_by(&problem, result, NULL, NULL);
            dedpul_range estimate[MEASURES];
            double truth[MEASURES];
            measures_of(evaluation, estimate, truth);
            for (size_t k = 0; k < MEASURES; k++)
                held[k] += isnan(truth[k]) ||
                           (truth[k] >= estimate[k].low - 1e-4 && truth[k] <= estimate[k].high + 1e-4);
            dedpul_evaluation_free(evaluation);
            dedpul_result_free(result);
            labeled_free(&problem);
        }
    for (size_t k = 0; k < MEASURES; k++)
        assert_true((double)held[k] >= 0.88 * (double)n);
}

/* ---- the curve ---- */

static void test_curve(void **state)
{
    struct labeled_problem problem = labeled_make(100, 3000, 0.2, 2, 8);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *evaluation = evaluate_by(&problem, result, NULL, NULL);
    (void)state;
    assert_true(evaluation->n_curve > 200 && evaluation->n_curve < 600);
    for (size_t c = 0; c < evaluation->n_curve; c++) {
        const dedpul_threshold *at = evaluation->curve[c];
        double above = 0, right = 0;
        for (size_t i = 100; i < problem.n; i++) {
            above += problem.score[i] >= at->score;
            right += problem.score[i] >= at->score && problem.truth[i];
        }
        assert_near(at->rows, above, 0);
        assert_near(at->flagged, above / 3000, 1e-15);
        assert_share(&at->precision);
        assert_share(&at->recall);
        assert_share(&at->f1);
        assert_share(&at->fall_out);
        assert_near(at->true_precision, right / above, 1e-12);
        assert_near(at->true_recall, right / 600, 1e-12);
        assert_near(at->true_lift, right / above / 0.2, 1e-12);
        assert_near(at->true_f1, 2 * right / (600 + above), 1e-12);
        assert_near(at->true_fall_out, (above - right) / 2400, 1e-12);
        assert_near(at->lift.value, at->recall.value / at->flagged, 1e-9);
        if (c > 0) {
            const dedpul_threshold *before = evaluation->curve[c - 1];
            assert_true(at->score < before->score && at->recall.value >= before->recall.value &&
                        at->recall.low >= before->recall.low && at->recall.high >= before->recall.high);
            assert_true(at->fall_out.value >= before->fall_out.value &&
                        at->fall_out.low >= before->fall_out.low &&
                        at->fall_out.high >= before->fall_out.high);
        }
    }
    const dedpul_threshold *last = evaluation->curve[evaluation->n_curve - 1];
    assert_near(last->flagged, 1, 1e-15);
    assert_near(last->recall.low, 1, 1e-7);
    assert_near(last->fall_out.low, 1, 1e-7);
    assert_near(last->precision.value, result->alpha, 0.02);
    dedpul_evaluation_free(evaluation);
    dedpul_result_free(result);
    labeled_free(&problem);
}

static void assert_same_range(const dedpul_range *a, const dedpul_range *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void assert_same_measures(const dedpul_evaluation *a, const dedpul_evaluation *b)
{
    assert_same_range(&a->auc, &b->auc);
    assert_same_range(&a->average_precision, &b->average_precision);
    assert_same_range(&a->best_f1, &b->best_f1);
    assert_int_equal(a->n_curve, b->n_curve);
    for (size_t c = 0; c < a->n_curve; c++)
        assert_memory_equal(&a->curve[c]->posterior, &b->curve[c]->posterior,
                            offsetof(dedpul_threshold, true_precision) -
                                offsetof(dedpul_threshold, posterior));
    assert_near(a->calibration_chance, b->calibration_chance, 0);
}

/* Only the order of the scores counts, if posteriors stay the same. */
static void test_monotone_map(void **state)
{
    struct labeled_problem problem = labeled_make(100, 400, 0.5, 1, 2);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *before = evaluate_by(&problem, result, NULL, NULL);
    (void)state;
    for (size_t i = 0; i < problem.n; i++)
        problem.score[i] = pow(problem.score[i], 3) / 2;
    dedpul_evaluation *after = evaluate_by(&problem, result, NULL, NULL);
    assert_same_measures(before, after);
    assert_near(after->threshold->score, pow(before->threshold->score, 3) / 2, 1e-15);
    dedpul_evaluation_free(before);
    dedpul_evaluation_free(after);
    dedpul_result_free(result);
    labeled_free(&problem);
}

static void test_threads(void **state)
{
    struct labeled_problem problem = labeled_make(200, 5000, 0.3, 1.5, 4);
    const dedpul_sample rows = rows_of(&problem);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *one = evaluate_by(&problem, result, NULL, NULL), *several;
    dedpul_evaluate_options options;
    (void)state;
    dedpul_evaluate_options_init(&options);
    options.threads = 5;
    assert_ok(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &several, &test_error),
              &test_error);
    assert_same_measures(one, several);
    assert_null(several->truth);
    dedpul_evaluation_free(one);
    dedpul_evaluation_free(several);
    dedpul_result_free(result);
    labeled_free(&problem);
}

/* A row of weight 3 counts like three equal rows. */
static void test_weights(void **state)
{
    enum { N_P = 60, N_U = 300, N = N_P + N_U };
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2, 6);
    double score[N], weight[N], repeated_score[3 * N];
    unsigned char label[N], repeated_label[3 * N];
    size_t n = 0;
    dedpul_result *results[2];
    dedpul_evaluation *evaluations[2];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        score[i] = i < N_P ? problem.p[i] : problem.u[i - N_P];
        label[i] = i < N_P;
        weight[i] = 1 + (double)(i % 3);
        for (size_t k = 0; k <= i % 3; k++, n++) {
            repeated_score[n] = score[i];
            repeated_label[n] = label[i];
        }
    }
    const dedpul_sample rows[2] = {{N, score, weight}, {n, repeated_score, NULL}};
    const unsigned char *const labels[2] = {label, repeated_label};
    for (size_t k = 0; k < 2; k++) {
        assert_ok(dedpul_estimate(&rows[k], labels[k], NULL, &results[k], &test_error), &test_error);
        assert_ok(dedpul_evaluate(results[k], &rows[k], labels[k], NULL, NULL, &evaluations[k], &test_error),
                  &test_error);
    }
    const dedpul_evaluation *a = evaluations[0], *b = evaluations[1];
    assert_near(a->auc.value, b->auc.value, 1e-3);
    assert_near(a->auc.low, b->auc.low, 2e-3);
    assert_near(a->average_precision.value, b->average_precision.value, 1e-3);
    assert_near(a->threshold->rows, b->threshold->rows, 3.1);
    assert_near(a->threshold->precision.value, b->threshold->precision.value, 2e-3);
    assert_near(a->threshold->recall.low, b->threshold->recall.low, 2e-3);
    assert_near(a->calibration_difference, b->calibration_difference, 2e-3);
    for (size_t k = 0; k < 2; k++) {
        dedpul_evaluation_free(evaluations[k]);
        dedpul_result_free(results[k]);
    }
    problem_free(&problem);
}

/* Weights that have nothing to do with the scores change little. */
static void test_weights_at_random(void **state)
{
    struct labeled_problem problem = labeled_make(300, 2000, 0.4, 2, 7);
    double *weight = malloc(problem.n * sizeof *weight);
    dedpul_result *results[2];
    dedpul_evaluation *evaluations[2];
    (void)state;
    for (size_t i = 0; i < problem.n; i++)
        weight[i] = i % 4 == 0 ? 9 : 1;
    for (size_t k = 0; k < 2; k++) {
        const dedpul_sample rows = {problem.n, problem.score, k == 0 ? weight : NULL};
        assert_ok(dedpul_estimate(&rows, problem.label, NULL, &results[k], &test_error), &test_error);
        assert_ok(dedpul_evaluate(results[k], &rows, problem.label, NULL, NULL, &evaluations[k], &test_error),
                  &test_error);
    }
    assert_near(evaluations[0]->auc.value, evaluations[1]->auc.value, 0.02);
    assert_near(evaluations[0]->threshold->f1.value, evaluations[1]->threshold->f1.value, 0.04);
    for (size_t k = 0; k < 2; k++) {
        dedpul_evaluation_free(evaluations[k]);
        dedpul_result_free(results[k]);
    }
    free(weight);
    labeled_free(&problem);
}

/* ---- goals ---- */

/* Sums over the unlabeled rows at or above a score. */
struct counted {
    double rows, posterior, total;
};

static struct counted count_above(const struct labeled_problem *problem, const dedpul_result *result,
                                  double score)
{
    struct counted counted = {0, 0, 0};
    for (size_t i = 0; i < problem->two.n_u; i++) {
        const bool is_above = problem->two.u[i] >= score;
        counted.rows += is_above;
        counted.posterior += is_above ? result->posterior[i] : 0;
        counted.total += result->posterior[i];
    }
    return counted;
}

static double cost_at(const struct labeled_problem *problem, const dedpul_result *result, double score,
                      double cost)
{
    const struct counted counted = count_above(problem, result, score);
    return cost * (counted.rows - counted.posterior) + counted.total - counted.posterior;
}

static double f1_at(const struct labeled_problem *problem, const dedpul_result *result, double score)
{
    const struct counted counted = count_above(problem, result, score);
    return 2 * counted.posterior / (counted.total + counted.rows);
}

/* No other threshold has a lower cost, or a higher F1, by the posteriors. */
static void test_cost_and_f1(void **state)
{
    static const char *const text[] = {"1:1", "1:4", "3:1"};
    static const double cost[] = {1, 0.25, 3};
    struct labeled_problem problem = labeled_make(200, 600, 0.4, 1.5, 12);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    double rows[3];
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        dedpul_evaluation *evaluation = evaluate_by(&problem, result, "cost", text[k]);
        const double best = cost_at(&problem, result, evaluation->threshold->score, cost[k]);
        for (size_t i = 0; i < 600; i++)
            assert_true(cost_at(&problem, result, problem.two.u[i], cost[k]) >= best - 1e-9);
        rows[k] = evaluation->threshold->rows;
        dedpul_evaluation_free(evaluation);
    }
    assert_true(rows[1] > rows[0] && rows[0] > rows[2]);
    dedpul_evaluation *evaluation = evaluate_by(&problem, result, "max", "f1");
    const double best = f1_at(&problem, result, evaluation->threshold->score);
    for (size_t i = 0; i < 600; i++)
        assert_true(f1_at(&problem, result, problem.two.u[i]) <= best + 1e-12);
    dedpul_evaluation_free(evaluation);
    dedpul_result_free(result);
    labeled_free(&problem);
}

static void test_rows_and_shares(void **state)
{
    struct labeled_problem problem = labeled_make(100, 400, 0.4, 1.5, 13);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *evaluation = evaluate_by(&problem, result, "top", "37");
    (void)state;
    assert_near(evaluation->threshold->rows, 37, 0);
    assert_near(count_above(&problem, result, evaluation->threshold->score).rows, 37, 0);
    dedpul_evaluation_free(evaluation);
    evaluation = evaluate_by(&problem, result, "share", "0.25");
    assert_near(evaluation->threshold->flagged, 0.25, 0);
    dedpul_evaluation_free(evaluation);
    evaluation = evaluate_by(&problem, result, "threshold", "0.9999999"); /* that no row has */
    assert_near(evaluation->threshold->score, 0.9999999, 0);
    assert_near(evaluation->threshold->rows, 0, 0);
    dedpul_evaluation_free(evaluation);
    evaluation = evaluate_by(&problem, result, "share", "1");
    assert_near(evaluation->threshold->flagged, 1, 0);
    dedpul_evaluation_free(evaluation);
    for (size_t i = 0; i < problem.n; i++) /* ties of 10 rows or so */
        problem.score[i] = round(20 * problem.score[i]) / 20;
    evaluation = evaluate_by(&problem, result, "top", "200");
    const double rows = evaluation->threshold->rows;
    assert_true(rows <= 200 && rows > 100);
    double next = 0;
    for (size_t i = 100; i < problem.n; i++)
        next += problem.score[i] > evaluation->threshold->score - 0.0501;
    assert_true(next > 200); /* one score lower would be too many */
    dedpul_evaluation_free(evaluation);
    dedpul_result_free(result);
    labeled_free(&problem);
}

/* Most thresholds reach what was asked for, and not by flagging next to nothing. */
static void test_precision_and_recall(void **state)
{
    size_t reached[2] = {0, 0};
    double rows = 0;
    (void)state;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct labeled_problem problem = labeled_make(300, 1500, 0.4, 3, 200 + seed);
        dedpul_result *result = problem_estimate(&problem.two, NULL);
        dedpul_evaluation *precision = evaluate_by(&problem, result, "precision", "0.8");
        dedpul_evaluation *recall = evaluate_by(&problem, result, "recall", "0.8");
        reached[0] += precision->truth->precision >= 0.8;
        reached[1] += recall->truth->recall >= 0.8;
        rows += precision->threshold->rows / PROBLEMS;
        assert_true(precision->threshold->precision.value >= 0.8 && recall->threshold->recall.value >= 0.8);
        assert_true(precision->threshold->precision.low < 0.8);
        dedpul_evaluation_free(precision);
        dedpul_evaluation_free(recall);
        dedpul_result_free(result);
        labeled_free(&problem);
    }
    assert_true(reached[0] >= 0.75 * PROBLEMS && reached[1] >= 0.75 * PROBLEMS);
    assert_true(rows > 300);
}

/* The message says what can be had, and asking for that works. */
static void test_unreachable(void **state)
{
    struct labeled_problem problem = labeled_make(300, 1500, 0.3, 1, 5);
    const dedpul_sample rows = rows_of(&problem);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *evaluation = NULL;
    dedpul_evaluate_options options;
    (void)state;
    dedpul_evaluate_options_init(&options);
    options.goal = DEDPUL_GOAL_PRECISION;
    options.value = 0.999;
    assert_int_equal(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &evaluation, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_null(evaluation);
    assert_contains(test_error.message, "a precision of 0.999 cannot be had with a probability of 85%");
    options.value = strtod(strstr(test_error.message, "is so sure is ") + strlen("is so sure is "), NULL);
    assert_true(options.value > 0.3 && options.value < 0.999);
    assert_ok(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &evaluation, &test_error),
              &test_error);
    dedpul_evaluation_free(evaluation);
    options.goal = DEDPUL_GOAL_TOP;
    options.value = 1501;
    assert_int_equal(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &evaluation, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "1501 rows cannot be flagged: there are 1500 unlabeled rows");
    for (size_t i = 0; i < problem.n; i++)
        problem.score[i] = round(problem.score[i]);
    options.value = 3;
    assert_int_equal(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &evaluation, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "no threshold flags at most 3 rows");
    dedpul_result_free(result);
    labeled_free(&problem);
}

static void test_goals_refused(void **state)
{
    static const char *const cases[][3] = {
        {"precision", "0", "precision: '0' is not a share above 0, up to 1"},
        {"precision", "1.5", "'1.5'"},
        {"recall", "x", "recall: 'x' is not a share"},
        {"share", "nan", "share: 'nan' is not"},
        {"top", "-3", "top: '-3' is not a number of rows"},
        {"cost", "2", "cost: '2' is not what a false positive and a false negative cost, such as 1:5"},
        {"cost", "1:0", "'1:0'"},
        {"max", "auc", "max: 'auc' is not f1"},
        {"precison", "0.9", "unknown goal 'precison'; did you mean 'precision'?"},
    };
    dedpul_evaluate_options options;
    (void)state;
    dedpul_evaluate_options_init(&options);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(dedpul_evaluate_options_set(&options, cases[i][0], cases[i][1], &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, cases[i][2]);
        assert_int_equal(options.goal, DEDPUL_GOAL_COST);
    }
    assert_ok(dedpul_evaluate_options_set(&options, "cost", "1:5", &test_error), &test_error);
    assert_near(options.value, 0.2, 1e-15);
    assert_ok(dedpul_evaluate_options_set(&options, "recall", "0.9", &test_error), &test_error);
    assert_int_equal(options.goal, DEDPUL_GOAL_RECALL);
}

/* ---- alpha ---- */

/* A share that is known makes ranges narrower; a method that does not know its distribution says so. */
static void test_certainty(void **state)
{
    struct labeled_problem problem = labeled_make(200, 1000, 0.4, 1.5, 21);
    dedpul_result *uncertain = problem_estimate(&problem.two, NULL);
    char alpha[32];
    (void)state;
    (void)snprintf(alpha, sizeof alpha, "%.17g", uncertain->alpha);
    assert_int_equal(uncertain->n_quantiles, 9);
    assert_near(uncertain->quantiles[4], uncertain->alpha, 1e-12);
    assert_near(uncertain->quantile_levels[4], 0.5, 0);
    dedpul_result *given = problem_estimate(&problem.two, "alpha", alpha, NULL);
    dedpul_result *other = problem_estimate(&problem.two, "method", "dedpul", NULL);
    assert_int_equal(other->n_quantiles, 0);
    dedpul_evaluation *a = evaluate_by(&problem, uncertain, NULL, NULL);
    dedpul_evaluation *b = evaluate_by(&problem, given, NULL, NULL);
    dedpul_evaluation *c = evaluate_by(&problem, other, NULL, NULL);
    const dedpul_range wide = a->threshold->precision, narrow = b->threshold->precision;
    assert_true(narrow.high - narrow.low < 0.8 * (wide.high - wide.low));
    assert_near(narrow.value, wide.value, 0.03);
    for (size_t i = 0; i < b->n_warnings; i++)
        assert_int_not_equal(b->warnings[i].code, DEDPUL_WARNING_ALPHA_AS_KNOWN);
    assert_int_equal(c->warnings[0].code, DEDPUL_WARNING_ALPHA_AS_KNOWN);
    assert_contains(c->warnings[0].message, "method dedpul does not know its distribution");
    dedpul_evaluation_free(a);
    dedpul_evaluation_free(b);
    dedpul_evaluation_free(c);
    dedpul_result_free(uncertain);
    dedpul_result_free(given);
    dedpul_result_free(other);
    labeled_free(&problem);
}

/* To suppose a share is to evaluate an estimate to which it was given. */
static void test_supposed(void **state)
{
    struct labeled_problem problem = labeled_make(200, 1000, 0.4, 1.5, 24);
    const dedpul_sample rows = rows_of(&problem);
    dedpul_result *result = problem_estimate(&problem.two, "posterior", "plain", NULL);
    dedpul_result *given = problem_estimate(&problem.two, "posterior", "plain", "alpha", "0.3", NULL);
    dedpul_evaluation *expected = evaluate_by(&problem, given, NULL, NULL), *found = NULL;
    dedpul_evaluate_options options;
    (void)state;
    dedpul_evaluate_options_init(&options);
    options.alpha = 0.3;
    assert_ok(dedpul_evaluate(result, &rows, problem.label, problem.truth, &options, &found, &test_error),
              &test_error);
    assert_near(found->alpha, 0.3, 0);
    assert_int_equal(found->n_curve, expected->n_curve);
    for (size_t c = 0; c < found->n_curve; c++) {
        const double *a = &found->curve[c]->score, *b = &expected->curve[c]->score;
        for (size_t k = 0; k < sizeof(dedpul_threshold) / sizeof *a; k++)
            assert_near(a[k], b[k], 1e-6);
    }
    for (size_t b = 0; b < found->n_bins; b++)
        assert_near(found->bins[b]->posterior, expected->bins[b]->posterior, 1e-6);
    dedpul_evaluation_free(found);
    found = NULL;
    for (options.alpha = 0; options.alpha <= 1; options.alpha++) {
        assert_int_equal(dedpul_evaluate(result, &rows, problem.label, NULL, &options, &found, &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, "is not a share above 0 and below 1");
    }
    dedpul_evaluation_free(expected);
    dedpul_result_free(result);
    dedpul_result_free(given);
    labeled_free(&problem);
}

/* Where labeled rows lie counts, even if posteriors stay the same. */
static void test_labeled_rows(void **state)
{
    struct labeled_problem problem = labeled_make(200, 1000, 0.4, 2, 23);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *before = evaluate_by(&problem, result, "share", "0.4");
    (void)state;
    for (size_t i = 0; i < 200; i++)
        problem.score[i] *= 0.5;
    dedpul_evaluation *after = evaluate_by(&problem, result, "share", "0.4");
    assert_true(after->threshold->recall.low < before->threshold->recall.low - 0.1);
    assert_true(after->auc.low < before->auc.low - 0.05);
    dedpul_evaluation_free(before);
    dedpul_evaluation_free(after);
    dedpul_result_free(result);
    labeled_free(&problem);
}

/* A share far above what the rows support: nothing leaves [0, 1], and a warning tells why. */
static void test_clipped(void **state)
{
    struct labeled_problem problem = labeled_make(300, 1000, 0.2, 5, 22);
    dedpul_result *result = problem_estimate(&problem.two, "alpha", "0.4", NULL);
    dedpul_evaluation *evaluation = evaluate_by(&problem, result, "share", "0.2");
    bool is_told = false;
    (void)state;
    for (size_t i = 0; i < evaluation->n_warnings; i++)
        is_told = is_told || evaluation->warnings[i].code == DEDPUL_WARNING_CLIPPED_PRECISION;
    assert_true(is_told);
    assert_share(&evaluation->threshold->precision);
    assert_share(&evaluation->threshold->f1);
    dedpul_evaluation_free(evaluation);
    dedpul_result_free(result);
    labeled_free(&problem);
}

/* ---- calibration ---- */

/* Posteriors that follow from the scores agree with the labeled rows; squared ones do not. */
static void test_calibration(void **state)
{
    struct labeled_problem problem = labeled_make(1000, 4000, 0.5, 1.5, 30);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_evaluation *good = evaluate_by(&problem, result, NULL, NULL);
    dedpul_result distorted = *result;
    double *posterior = malloc(4000 * sizeof *posterior), labeled = 0, unlabeled = 0;
    (void)state;
    assert_true(good->calibration_chance > 0.01 && good->calibration_difference < 0.05);
    assert_int_equal(good->n_bins, 10);
    for (size_t b = 0; b < good->n_bins; b++) {
        const dedpul_calibration_bin *bin = good->bins[b];
        assert_near(bin->posterior, bin->share, 0.35);
        assert_near(bin->posterior * bin->unlabeled, result->alpha * 4000 / 10, 0.1 * 400);
        assert_true(bin->highest >= bin->lowest);
        labeled += bin->labeled;
        unlabeled += bin->unlabeled;
    }
    assert_near(labeled, 1000, 0);
    assert_near(unlabeled, 4000, 0);
    for (size_t i = 0; i < 4000; i++)
        posterior[i] = result->posterior[i] * result->posterior[i];
    distorted.posterior = posterior;
    dedpul_evaluation *bad = evaluate_by(&problem, &distorted, NULL, NULL);
    assert_true(bad->calibration_chance < 1e-4 && bad->calibration_difference > good->calibration_difference);
    bool is_told = false;
    for (size_t i = 0; i < bad->n_warnings; i++)
        is_told = is_told || bad->warnings[i].code == DEDPUL_WARNING_MISCALIBRATED;
    assert_true(is_told);
    free(posterior);
    dedpul_evaluation_free(good);
    dedpul_evaluation_free(bad);
    dedpul_result_free(result);
    labeled_free(&problem);
}

/* If alpha is known, ranges of bins hold the true shares about as often as they say. */
static void test_calibration_ranges(void **state)
{
    size_t held = 0, n = 0;
    (void)state;
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        struct labeled_problem problem = labeled_make(300, 1000, 0.4, 2, 700 + seed);
        dedpul_result *result = problem_estimate(&problem.two, "alpha", "0.4", NULL);
        dedpul_evaluation *evaluation = evaluate_by(&problem, result, NULL, NULL);
        for (size_t b = 0; b < evaluation->n_bins; b++, n++) {
            const dedpul_calibration_bin *bin = evaluation->bins[b];
            double positive = 0;
            for (size_t i = 300; i < problem.n; i++)
                positive +=
                    problem.truth[i] && problem.score[i] >= bin->lowest && problem.score[i] <= bin->highest;
            assert_true(bin->share_low <= bin->share && bin->share <= bin->share_high);
            held +=
                bin->share_low <= positive / bin->unlabeled && positive / bin->unlabeled <= bin->share_high;
        }
        dedpul_evaluation_free(evaluation);
        dedpul_result_free(result);
        labeled_free(&problem);
    }
    assert_in_range(held, 92 * n / 100, 99 * n / 100);
}

/* Chance seldom raises the warning. */
static void test_calibration_rate(void **state)
{
    size_t warned = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct labeled_problem problem = labeled_make(200, 800, 0.4, 2, 400 + seed);
        dedpul_result *result = problem_estimate(&problem.two, NULL);
        dedpul_evaluation *evaluation = evaluate_by(&problem, result, NULL, NULL);
        warned += evaluation->calibration_chance < 0.01;
        dedpul_evaluation_free(evaluation);
        dedpul_result_free(result);
        labeled_free(&problem);
    }
    assert_true(warned <= 4);
}

/* ---- bad input ---- */

static void refuse(const dedpul_result *result, const dedpul_sample *rows, const unsigned char *label,
                   const unsigned char *truth, dedpul_status status, const char *message)
{
    dedpul_evaluation *evaluation = NULL;
    assert_int_equal(dedpul_evaluate(result, rows, label, truth, NULL, &evaluation, &test_error), status);
    assert_contains(test_error.message, message);
    assert_null(evaluation);
}

static void test_refused(void **state)
{
    struct labeled_problem problem = labeled_make(40, 100, 0.4, 2, 9);
    const dedpul_sample rows = rows_of(&problem);
    dedpul_result *result = problem_estimate(&problem.two, NULL);
    dedpul_result changed = *result;
    unsigned char *truth = malloc(problem.n);
    (void)state;
    refuse(NULL, &rows, problem.label, NULL, DEDPUL_INVALID_ARGUMENT, "must not be NULL");
    memset(truth, DEDPUL_TRUTH_UNKNOWN, problem.n);
    refuse(result, &rows, problem.label, truth, DEDPUL_INVALID_DATA, "no class of an unlabeled row is known");
    truth[45] = truth[46] = 1;
    refuse(result, &rows, problem.label, truth, DEDPUL_INVALID_DATA,
           "the 2 unlabeled rows whose class is known are all positive");
    truth[47] = 3;
    refuse(result, &rows, problem.label, truth, DEDPUL_INVALID_DATA, "truth[47] is 3: it must be 1, 0 or 2");
    changed.alpha = 0;
    refuse(&changed, &rows, problem.label, NULL, DEDPUL_INVALID_DATA, "all unlabeled rows count as negative");
    changed.alpha = 1;
    refuse(&changed, &rows, problem.label, NULL, DEDPUL_INVALID_DATA, "all unlabeled rows count as positive");
    changed = *result;
    changed.method = "nnpu";
    refuse(&changed, &rows, problem.label, NULL, DEDPUL_INVALID_ARGUMENT, "networks of its own");
    problem.label[0] = 0;
    refuse(result, &rows, problem.label, NULL, DEDPUL_INVALID_ARGUMENT, "but the result is about 40 and 100");
    dedpul_evaluation_free(NULL);
    free(truth);
    dedpul_result_free(result);
    labeled_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_truth),
        cmocka_unit_test(test_unbiased),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_monotone_map),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_weights_at_random),
        cmocka_unit_test(test_cost_and_f1),
        cmocka_unit_test(test_rows_and_shares),
        cmocka_unit_test(test_precision_and_recall),
        cmocka_unit_test(test_unreachable),
        cmocka_unit_test(test_goals_refused),
        cmocka_unit_test(test_certainty),
        cmocka_unit_test(test_clipped),
        cmocka_unit_test(test_supposed),
        cmocka_unit_test(test_labeled_rows),
        cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_calibration_ranges),
        cmocka_unit_test(test_calibration_rate),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
