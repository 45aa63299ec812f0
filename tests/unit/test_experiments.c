/* The paper's experiments: their samples, their measures, their file. */
#include "check.h"
#include "choice.h"
#include "draw.h"
#include "metrics.h"
#include "resolve.h"
#include "support.h"
#include "weighted.h"

#include <stdio.h>
#include <unistd.h>

/* ---- synthetic sets ---- */

static double laplace_density(struct laplace of, double x)
{
    return exp(-fabs(x - of.location) / of.scale) / (2 * of.scale);
}

/* The target is the lowest f_u / f_p of all places, and posteriors follow from it. */
static void check_closed_form(const struct set *set, const struct drawing *drawing, double alpha)
{
    static const struct laplace positive = {0, 1};
    const double *x = drawing->table.column[0].number;
    double lowest = INFINITY;
    for (int i = -4000; i <= 4000; i++) {
        const double at = i / 200.0, p = laplace_density(positive, at),
                     n = laplace_density(set->negative, at);
        lowest = fmin(lowest, (alpha * p + (1 - alpha) * n) / p);
    }
    assert_near(drawing->target, lowest, 1e-9);
    for (size_t i = 0; i < drawing->table.n_rows; i++) {
        const double p = laplace_density(positive, x[i]), n = laplace_density(set->negative, x[i]);
        assert_near(drawing->posterior[i], drawing->target * p / (alpha * p + (1 - alpha) * n), 1e-9);
        assert_true(drawing->posterior[i] <= 1 + 1e-12);
    }
}

static void test_synthetic_samples(void **state)
{
    struct context context;
    const struct set *set;
    (void)state;
    test_context_init(&context);
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        for (unsigned k = 0; set->kind == KIND_SYNTHETIC && k < set->n_samples; k++) {
            const struct sample_size *size = &set->sample[k];
            struct drawing drawing;
            struct rng rng;
            rng_init(&rng, 7, i);
            assert_ok(draw_synthetic(&context, set, size, &rng, &drawing), &test_error);
            const size_t n = drawing.table.n_rows, first = drawing.n_labeled, n_u = n - first;
            assert_int_equal(n_u, 10000);
            double positive = 0, labels = 0;
            for (size_t row = 0; row < n; row++) {
                labels += drawing.table.label[row];
                positive += row >= first ? drawing.truth[row] : 0;
                assert_true(row >= first || (drawing.truth[row] == 1 && drawing.table.label[row] == 1));
            }
            assert_int_equal(labels, 1000);
            assert_near(positive / (double)n_u, size->alpha, 1e-12);
            check_closed_form(set, &drawing, size->alpha);
            /* E posterior over U = target; each posterior is within [0, 1]. */
            assert_near(weighted_mean(n_u, drawing.posterior + first, NULL), drawing.target,
                        5 * 0.5 / sqrt(10000));
            context_release(&context, NULL);
        }
    test_context_close(&context);
}

/* ---- data sets ---- */

/* A set like "concrete": numbers, a column of text, a constant, and the target, whose mean is the border. */
static void write_concrete(const char *directory, size_t n_low, size_t n_high)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "mkdir -p %s/concrete", directory);
    assert_int_equal(system(path), 0);
    (void)snprintf(path, sizeof path, "%s/concrete/concrete.csv", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("number,text,constant,target\n", file);
    for (size_t i = 0; i < n_low + n_high; i++)
        (void)fprintf(file, "%zu,%s,5,%d\n", i,
                      i % 3 == 0   ? "b"
                      : i % 3 == 1 ? "a"
                                   : "?",
                      i < n_low ? 10 : 20);
    assert_int_equal(fclose(file), 0);
}

static const struct set *find_set(const char *name)
{
    const struct set *set;
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (strcmp(set->name, name) == 0)
            return set;
    return NULL;
}

static void test_dataset_samples(void **state)
{
    enum { N_LOW = 540, N_HIGH = 490 };
    static const struct sample_size size = {0.25, 100, 180, 540};
    char directory[] = "/tmp/dedpul-test-XXXXXX", command[64];
    struct context context;
    (void)state;
    test_context_init(&context);
    assert_non_null(mkdtemp(directory));
    write_concrete(directory, N_LOW, N_HIGH);
    for (int as_published = 0; as_published < 2; as_published++) {
        struct dataset *dataset;
        struct drawing drawing;
        struct rng rng;
        bool seen[N_LOW + N_HIGH] = {false};
        rng_init(&rng, 3, 0);
        assert_ok(dataset_open(find_set("concrete"), directory, as_published, &dataset, &test_error),
                  &test_error);
        assert_ok(draw_rows(&context, dataset, &size, &rng, &drawing), &test_error);
        assert_int_equal(drawing.table.n_rows, 820);
        assert_int_equal(drawing.table.n_columns, 3);
        assert_near(drawing.target, 0.25, 1e-12);
        const double deviation = sqrt((N_LOW + N_HIGH) * (N_LOW + N_HIGH + 1) / 12.0),
                     mean = (N_LOW + N_HIGH - 1) / 2.0;
        for (size_t i = 0; i < 820; i++) {
            const struct column *column = drawing.table.column;
            const double number = as_published ? column[0].number[i] * deviation + mean : column[0].number[i];
            const size_t row = (size_t)round(number);
            assert_near(number, (double)row, 1e-6);
            assert_int_equal(drawing.truth[i], row >= N_LOW);
            assert_false(seen[row]); /* without replacement */
            seen[row] = true;
            /* In sorted order: ?, a, b. */
            if (as_published)
                assert_near(column[1].number[i], row % 3 == 0 ? 1 : row % 3 == 1 ? 0 : -1, 0);
            else
                assert_string_equal(row % 3 == 2 ? "?" : column[1].schema.level[column[1].code[i]],
                                    row % 3 == 0   ? "b"
                                    : row % 3 == 1 ? "a"
                                                   : "?");
            assert_near(column[2].number[i], as_published ? 0 : 5, 0);
        }
        dataset_free(dataset);
        context_release(&context, NULL);
    }
    (void)snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
    test_context_close(&context);
}

static void test_dataset_errors(void **state)
{
    char directory[] = "/tmp/dedpul-test-XXXXXX", command[64];
    static const struct sample_size size = {0.25, 100, 180, 540};
    struct dataset *dataset;
    struct context context;
    struct drawing drawing;
    struct rng rng;
    (void)state;
    test_context_init(&context);
    assert_non_null(mkdtemp(directory));
    assert_int_equal(dataset_check(find_set("mnist"), directory, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/mnist/train-images-idx3-ubyte.gz");
    assert_int_equal(dataset_check(find_set("wine"), directory, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/wine/wine.csv");
    write_concrete(directory, 300, 490);
    assert_ok(dataset_open(find_set("concrete"), directory, true, &dataset, &test_error), &test_error);
    rng_init(&rng, 3, 0);
    assert_int_equal(draw_rows(&context, dataset, &size, &rng, &drawing), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "has 300 negative rows; the protocol draws 540");
    dataset_free(dataset);
    (void)snprintf(command, sizeof command, "rm -rf %s", directory);
    assert_int_equal(system(command), 0);
    test_context_close(&context);
}

/* ---- measures ---- */

static void test_metrics(void **state)
{
    static const double posterior[] = {0.9, 0.6, 0.5, 0.2, 0.6, 0.1}, known[] = {1, 0.5, 0.5, 0.5, 0.5, 0};
    static unsigned char truth[] = {1, 1, 1, 0, 0, 0};
    struct context context;
    struct metrics metrics;
    (void)state;
    test_context_init(&context);
    assert_ok(measure(&context, 6, posterior, truth, known, &metrics), &test_error);
    assert_near(metrics.posterior_mae, (0.1 + 0.1 + 0 + 0.3 + 0.1 + 0.1) / 6, 1e-12);
    assert_near(metrics.error, 2 / 6.0, 1e-12);            /* the third and the fifth */
    assert_near(metrics.f1, 2 * 2 / (2 * 2 + 2.0), 1e-12); /* two right, one missed, one too many */
    assert_near(metrics.roc_auc, 7.5 / 9, 1e-12);          /* one pair tied, one wrong */
    assert_ok(measure(&context, 6, posterior, truth, NULL, &metrics), &test_error);
    assert_true(isnan(metrics.posterior_mae));
    test_context_close(&context);
}

/* Posteriors fall from 0.95 to 0. By tens of the posterior, one of two rows is positive: the higher one. */
static void test_trust(void **state)
{
    double posterior[20], sum = 0, squares = 0;
    unsigned char truth[20];
    struct context context;
    struct trust trust;
    (void)state;
    test_context_init(&context);
    for (int i = 0; i < 20; i++) {
        posterior[i] = 0.05 * (19 - i);
        truth[i] = i % 2 == 0;
        sum -= log(truth[i] ? posterior[i] : i == 19 ? 1 - 1e-6 : 1 - posterior[i]);
        squares += pow(truth[i] - posterior[i], 2);
    }
    assert_ok(measure_trust(&context, 20, posterior, truth, NULL, &trust), &test_error);
    assert_near(trust.log_loss, sum / 20, 1e-12);
    assert_near(trust.brier, squares / 20, 1e-12);
    /* Bin k has posteriors 0.1 k and 0.1 k + 0.05: the mean over k of |0.1 k + 0.025 - 0.5| */
    assert_near(trust.calibration, 0.25, 1e-12);
    test_context_close(&context);
}

/* The order of rows with the same posterior does not count, and certainty that fails has a finite price. */
static void test_trust_at_the_edges(void **state)
{
    static const double same[] = {0.75, 0.75, 0.75, 0.75}, certain[] = {0, 1}, quarter[] = {0.25},
                        half[] = {0.5};
    static const unsigned char truth[] = {1, 0, 1, 1};
    struct context context;
    struct trust trust;
    (void)state;
    test_context_init(&context);
    assert_ok(measure_trust(&context, 4, same, truth, NULL, &trust), &test_error);
    assert_near(trust.calibration, 0, 1e-12);
    assert_near(trust.brier, (3 * 0.0625 + 0.5625) / 4, 1e-12);
    assert_ok(measure_trust(&context, 2, certain, truth, NULL, &trust), &test_error);
    assert_near(trust.log_loss, 6 * log(10), 1e-9);
    assert_near(trust.brier, 1, 1e-12);
    assert_near(trust.calibration, 1, 1e-12);
    /* True posteriors: half of the classes would be positive, whatever the truth. */
    assert_ok(measure_trust(&context, 1, quarter, truth, half, &trust), &test_error);
    assert_near(trust.log_loss, -(log(0.25) + log(0.75)) / 2, 1e-12);
    assert_near(trust.brier, (0.5625 + 0.0625) / 2, 1e-12);
    assert_near(trust.calibration, 0.25, 1e-12);
    test_context_close(&context);
}

/* ---- what is asked for ---- */

static void test_choice(void **state)
{
    struct experiment experiment = {
        .kind = KIND_SYNTHETIC, .sets = "L(0,2),L(1,1)", .alphas = "0.5,0.99", .methods = "scores,km2"};
    struct choice choice;
    unsigned n_sets = 0, n_alphas = 0;
    (void)state;
    assert_ok(choice_read(&experiment, &choice, &test_error), &test_error);
    for (unsigned i = 0; set_at(i) != NULL; i++) {
        n_sets += choice.set[i];
        for (unsigned k = 0; k < MOST_ALPHAS; k++) {
            n_alphas += choice.alpha[i][k];
            assert_true(!choice.alpha[i][k] || choice.set[i]);
        }
    }
    assert_int_equal(n_sets, 2);
    assert_int_equal(n_alphas, 4);
    const struct variant *variant;
    for (unsigned i = 0; (variant = variant_at(i)) != NULL; i++)
        assert_int_equal(choice.variant[i], !variant->needs_table || strcmp(variant->name, "km2") == 0);
    experiment.sets = "bank";
    assert_int_equal(choice_read(&experiment, &choice, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "sets: there is no 'bank'");
    experiment.kind = KIND_DATASETS;
    assert_int_equal(choice_read(&experiment, &choice, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "alphas: '0.99' is no share");
    experiment.alphas = "all";
    experiment.methods = "dedpull";
    assert_int_equal(choice_read(&experiment, &choice, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "did you mean 'dedpul'");
    experiment.methods = "all";
    experiment.sets = "uci";
    assert_ok(choice_read(&experiment, &choice, &test_error), &test_error);
    n_sets = 0;
    for (unsigned i = 0; set_at(i) != NULL; i++)
        n_sets += choice.set[i];
    assert_int_equal(n_sets, 8);
}

/* The default method is not DEDPUL: all variants say which method they are. DEDPUL, as published, is first.
 */
static void test_variants(void **state)
{
    const struct variant *variant;
    (void)state;
    assert_string_equal(variant_at(0)->name, "dedpul");
    for (unsigned i = 0; (variant = variant_at(i)) != NULL; i++) {
        const bool is_of_dedpul = variant->is_ablation && strcmp(variant->name, "simple_alpha") != 0;
        assert_string_equal(variant->options[0][0], "method");
        assert_true(!is_of_dedpul || strcmp(variant->options[0][1], "dedpul") == 0);
    }
    assert_string_equal(variant_find("learned")->options[0][1], "learned");
    assert_null(variant_find("learned")->published);
}

/* Sizes agree with the shares that they are named by. */
static void test_protocol(void **state)
{
    const struct set *set;
    unsigned n[N_KINDS] = {0, 0};
    (void)state;
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++) {
        n[set->kind] += set->n_samples;
        for (unsigned k = 0; k < set->n_samples; k++) {
            const struct sample_size *size = &set->sample[k];
            assert_near((double)size->positive / (size->positive + size->negative), size->alpha, 0.002);
        }
    }
    assert_int_equal(n[KIND_SYNTHETIC], 35);
    assert_int_equal(n[KIND_DATASETS], 50);
}

/* ---- results.csv ---- */

static struct outcome make_row(const char *set, double alpha, unsigned repeat, const char *method)
{
    struct outcome row = {.alpha = alpha,
                          .target = alpha,
                          .repeat = repeat,
                          .estimate = 0.25,
                          .abs_error = NAN,
                          .posterior_mae = 0.125,
                          .error = NAN,
                          .f1 = 0.5,
                          .roc_auc = NAN,
                          .seconds = 1.5,
                          .low = 0.125,
                          .high = 0.375,
                          .log_loss = 0.625,
                          .brier = NAN,
                          .calibration = 0.0625,
                          .plain_log_loss = 0.75,
                          .gap = {0.5, NAN, -0.25, 0.125},
                          .held = {1, NAN, 0, 1},
                          .asked_precision = 0.875,
                          .curve_precision_gap = 0.375,
                          .curve_recall_gap = 0.1875};
    (void)snprintf(row.setting, sizeof row.setting, "synthetic/paper+layers=8,8");
    (void)snprintf(row.set, sizeof row.set, "%s", set);
    (void)snprintf(row.method, sizeof row.method, "%s", method);
    return row;
}

static void test_results(void **state)
{
    char path[] = "/tmp/dedpul-test-XXXXXX";
    const struct outcome rows[] = {make_row("L(2,1)", 0.5, 0, "dedpul"), make_row("L(1,1)", 0.95, 1, "km2"),
                                   make_row("L(1,1)", 0.95, 1, "dedpul"), make_row("L(1,1)", 0.05, 9, "tice"),
                                   make_row("L(1,1)", 0.95, 0, "tice")};
    static const size_t order[] = {3, 4, 2, 1, 0};
    struct results results;
    size_t whole;
    (void)state;
    const int file = mkstemp(path);
    FILE *stream = fdopen(file, "w");
    results_print_header(stream);
    for (size_t i = 0; i < LENGTH(rows); i++)
        results_print(stream, &rows[i]);
    (void)fflush(stream);
    const long length = ftell(stream);
    (void)fputs("synthetic/paper,\"L(1,", stream);
    assert_int_equal(fclose(stream), 0);
    assert_ok(results_read(path, &results, &whole, &test_error), &test_error);
    assert_int_equal(whole, length);
    assert_int_equal(results.n, LENGTH(rows));
    results_sort(&results);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct outcome *read = &results.row[i], *written = &rows[order[i]];
        assert_string_equal(read->setting, written->setting);
        assert_string_equal(read->set, written->set);
        assert_string_equal(read->method, written->method);
        assert_int_equal(read->repeat, written->repeat);
        assert_true(read->alpha == written->alpha && read->estimate == written->estimate &&
                    read->posterior_mae == written->posterior_mae && read->f1 == written->f1);
        assert_true(read->seconds == written->seconds && read->low == written->low &&
                    read->high == written->high && read->log_loss == written->log_loss &&
                    read->calibration == written->calibration &&
                    read->plain_log_loss == written->plain_log_loss);
        for (size_t k = 0; k < N_CHECKED; k++)
            assert_true(isnan(written->gap[k])
                            ? isnan(read->gap[k]) && isnan(read->held[k])
                            : read->gap[k] == written->gap[k] && read->held[k] == written->held[k]);
        assert_near(read->asked_precision, written->asked_precision, 0);
        assert_near(read->curve_precision_gap, written->curve_precision_gap, 0);
        assert_near(read->curve_recall_gap, written->curve_recall_gap, 0);
        assert_true(isnan(read->abs_error) && isnan(read->error) && isnan(read->roc_auc) &&
                    isnan(read->brier));
        assert_ptr_equal(results_find(&results, written), read);
    }
    const struct outcome other = make_row("L(1,1)", 0.95, 2, "dedpul");
    assert_null(results_find(&results, &other));
    results_free(&results);
    (void)unlink(path);
    assert_ok(results_read(path, &results, &whole, &test_error), &test_error); /* no file, no rows */
    assert_int_equal(results.n + whole, 0);
}

enum { LABELED = 200, ROWS = 1000 };

/* A sample whose scores are known. */
static void fill_sample(double *logit, unsigned char *label, unsigned char *truth)
{
    struct test_problem problem = problem_make(LABELED, ROWS - LABELED, 0.4, 2, 11);
    for (size_t i = 0; i < ROWS; i++) {
        const double score = i < LABELED ? problem.p[i] : problem.u[i - LABELED];
        logit[i] = log(score / (1 - score));
        label[i] = i < LABELED;
        truth[i] = i < LABELED || (double)(i - LABELED) < 0.4 * (ROWS - LABELED);
    }
    problem_free(&problem);
}

/* Estimates are compared with what the classes say; on synthetic sets they are not. */
static void test_check(void **state)
{
    double logit[ROWS];
    unsigned char label[ROWS], truth[ROWS];
    struct resolved resolved;
    struct estimate estimated;
    struct context context;
    struct outcome row = make_row("wine", 0.5, 0, "pooled");
    (void)state;
    fill_sample(logit, label, truth);
    test_context_init(&context);
    assert_ok(options_resolve(NULL, &resolved, &test_error), &test_error);
    const struct table table = {.n_rows = ROWS, .label = label};
    const struct fit_rows rows = {.table = &table, .logit = logit};
    const struct scored_rows scored = {.n = ROWS, .logit = logit};
    const struct score_input input = {scored, scored, label, NULL};
    assert_ok(estimate(&context, &input, &resolved.plan.estimate, context.arena, &estimated), &test_error);
    struct drawing drawing = {.n_labeled = LABELED, .truth = truth, .posterior = logit};
    const struct outcome before = row;
    assert_ok(check_evaluation(&context, &drawing, &rows, &estimated, &row), &test_error);
    assert_memory_equal(&row, &before, sizeof row);
    drawing.posterior = NULL;
    assert_ok(check_evaluation(&context, &drawing, &rows, &estimated, &row), &test_error);
    for (size_t k = 0; k < N_CHECKED; k++) {
        assert_true(fabs(row.gap[k]) < 0.15);
        assert_true(row.held[k] == 1);
    }
    assert_true(row.gap[CHECKED_AUC] != before.gap[CHECKED_AUC] && row.asked_precision >= 0.85);
    assert_true(row.curve_precision_gap > 0 && row.curve_precision_gap < 0.1 && row.curve_recall_gap < 0.05);
    for (size_t i = LABELED; i < ROWS; i++) /* the wrong way round */
        truth[i] = !truth[i];
    assert_ok(check_evaluation(&context, &drawing, &rows, &estimated, &row), &test_error);
    assert_true(row.gap[CHECKED_AUC] > 0.5 && row.held[CHECKED_AUC] == 0 && row.asked_precision < 0.3);
    assert_true(row.curve_precision_gap > 0.3);
    test_context_close(&context);
}

/* Writes the text and reads it as results. */
static dedpul_status read_text(const char *text, struct results *results)
{
    char path[] = "/tmp/dedpul-test-XXXXXX";
    size_t whole;
    FILE *stream = fdopen(mkstemp(path), "w");
    (void)fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    const dedpul_status status = results_read(path, results, &whole, &test_error);
    (void)unlink(path);
    return status;
}

#define EARLIER_HEADER                                                                          \
    "setting,set,alpha,target,repeat,method,estimate,abs_error,posterior_mae,error,f1,roc_auc," \
    "seconds\n"

/* A file that ends with the seconds, and that later versions have gone on with. */
static void test_results_of_earlier_versions(void **state)
{
    static const char earlier[] = "datasets/paper,bank,0.05,0.05,0,dedpul,0.1,0.05,,0.1,0.2,0.9,1.5",
                      later[] = ",0.03,0.2,0.4,0.1,0.02,0.5", latest[] = ",0.1,1,-0.2,0,0.3,1,,,0.88";
    char text[1000], *printed;
    size_t length;
    struct results results;
    (void)state;
    (void)snprintf(text, sizeof text, EARLIER_HEADER "%s\n%s%s\n%s%s%s\n", earlier, earlier, later, earlier,
                   later, latest);
    assert_ok(read_text(text, &results), &test_error);
    assert_int_equal(results.n, 3);
    const struct outcome *old = &results.row[0], *new = &results.row[1], *newest = &results.row[2];
    assert_true(old->seconds == 1.5 && isnan(old->low) && isnan(old->high) && isnan(old->log_loss) &&
                isnan(old->brier) && isnan(old->calibration) && isnan(old->plain_log_loss));
    assert_true(new->seconds == 1.5 && new->low == 0.03 && new->high == 0.2 && new->log_loss == 0.4 &&
                new->brier == 0.1 && new->calibration == 0.02 && new->plain_log_loss == 0.5);
    assert_true(isnan(new->gap[CHECKED_AUC]) && isnan(new->held[CHECKED_F1]) && isnan(new->asked_precision));
    assert_true(newest->plain_log_loss == 0.5 && newest->gap[CHECKED_AUC] == 0.1 &&
                newest->held[CHECKED_AUC] == 1 && newest->gap[CHECKED_PRECISION] == -0.2 &&
                newest->held[CHECKED_PRECISION] == 0 && newest->gap[CHECKED_RECALL] == 0.3 &&
                isnan(newest->gap[CHECKED_F1]) && newest->asked_precision == 0.88 &&
                isnan(newest->curve_recall_gap));
    FILE *stream = open_memstream(&printed, &length);
    results_print(stream, old);
    assert_int_equal(fclose(stream), 0);
    assert_contains(printed, ",1.500,,,,,,,,,,,,,,,,,\n");
    free(printed);
    results_free(&results);
    (void)snprintf(text, sizeof text, EARLIER_HEADER "%s,0.03\n", earlier);
    assert_int_equal(read_text(text, &results), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "line 2: there are 14 fields instead of 30 (or 28, 19 or 13");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synthetic_samples),
        cmocka_unit_test(test_dataset_samples),
        cmocka_unit_test(test_dataset_errors),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_trust),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_trust_at_the_edges),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_protocol),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_results_of_earlier_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
