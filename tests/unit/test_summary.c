/* Published results, means over repeats and cells, standings of methods. */
#include "ranking.h"
#include "support.h"

/* ---- the published results ---- */

/* Mean of a published method over the cells of a kind; UCI sets alone where asked for. */
static double published_mean(const struct published_results *published, enum kind kind, enum task task,
                             const char *method, bool uci_only, size_t *n)
{
    double sum = 0;
    *n = 0;
    for (size_t i = 0; i < published->n; i++) {
        const struct published *row = &published->row[i];
        const bool is_image = strcmp(row->set, "mnist") == 0 || strcmp(row->set, "cifar10") == 0;
        if (row->kind != kind || strcmp(row->method, method) != 0 || (uci_only && is_image))
            continue;
        sum += row->mean[task];
        (*n)++;
    }
    return sum / (double)*n;
}

/* The means that the paper's results are known by, to the four digits they are given in. */
static void test_published_means(void **state)
{
    static const struct {
        const char *method;
        enum kind kind;
        enum task task;
        bool uci_only;
        size_t n;
        double mean;
    } known[] = {
        {"dedpul", KIND_SYNTHETIC, TASK_PROPORTION, false, 35, 0.0276},
        {"dedpul_gmm", KIND_SYNTHETIC, TASK_PROPORTION, false, 35, 0.0399},
        {"dedpul_catboost", KIND_SYNTHETIC, TASK_PROPORTION, false, 35, 0.0588},
        {"km2", KIND_SYNTHETIC, TASK_PROPORTION, false, 35, 0.0574},
        {"ntc_tice", KIND_SYNTHETIC, TASK_PROPORTION, false, 35, 0.0597},
        {"dedpul", KIND_SYNTHETIC, TASK_CLASSIFICATION, false, 35, 0.0291},
        {"nnpu_sigmoid", KIND_SYNTHETIC, TASK_CLASSIFICATION, false, 35, 0.0848},
        {"dedpul", KIND_DATASETS, TASK_PROPORTION, false, 50, 0.0399},
        {"dedpul", KIND_DATASETS, TASK_PROPORTION, true, 40, 0.0444},
        {"dedpul_catboost", KIND_DATASETS, TASK_PROPORTION, true, 40, 0.0455},
        {"en_e3", KIND_DATASETS, TASK_PROPORTION, false, 50, 0.1260},
        {"tice", KIND_DATASETS, TASK_PROPORTION, true, 40, 0.0886},
        {"dedpul", KIND_DATASETS, TASK_CLASSIFICATION, false, 50, 0.0773},
        {"dedpul_catboost", KIND_DATASETS, TASK_CLASSIFICATION, true, 40, 0.0590},
        {"nnpu_brier", KIND_DATASETS, TASK_CLASSIFICATION, true, 40, 0.0884},
    };
    struct published_results published;
    size_t n;
    (void)state;
    assert_ok(published_read(&published, &test_error), &test_error);
    for (size_t i = 0; i < LENGTH(known); i++) {
        const double mean =
            published_mean(&published, known[i].kind, known[i].task, known[i].method, known[i].uci_only, &n);
        assert_int_equal(n, known[i].n);
        assert_near(mean, known[i].mean, 5.1e-5);
    }
    published_free(&published);
}

/* Each cell of the protocol is there for each method that was published; and only cells of the protocol are.
 */
static void test_published_cells(void **state)
{
    struct published_results published;
    const struct variant *variant;
    const struct set *set;
    size_t n_found = 0, n_on_trees = 0;
    (void)state;
    assert_ok(published_read(&published, &test_error), &test_error);
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++)
        for (unsigned a = 0; a < set->n_samples; a++) {
            const double alpha = set->sample[a].alpha;
            for (unsigned m = 0; (variant = variant_at(m)) != NULL; m++)
                if (variant->published != NULL) {
                    assert_non_null(published_find(&published, set, alpha, variant->published));
                    n_found++;
                }
            n_on_trees += published_find(&published, set, alpha, "dedpul_catboost") != NULL;
        }
    assert_int_equal(n_on_trees, 35 + 40);
    assert_int_equal(n_found + n_on_trees, published.n);
    assert_null(published_find(&published, set_at(0), 0.3, "dedpul"));
    published_free(&published);
}

static void test_published_names(void **state)
{
    const struct variant *dedpul = variant_find("dedpul"), *en = variant_find("en_e3");
    (void)state;
    assert_string_equal(published_name("datasets/paper", dedpul), "dedpul");
    assert_string_equal(published_name("datasets/default+classifier=gbdt", dedpul), "dedpul_catboost");
    assert_string_equal(published_name("datasets/default+classifier=gbdt", en), "en_e3");
    assert_null(published_name("datasets/paper", variant_find("dedpul_bbe")));
}

/* ---- results made up ---- */

static struct outcome *add(struct results *results, const char *setting, const char *set, double alpha,
                           const char *method, unsigned repeat, double abs_error, double error)
{
    struct outcome row = {.alpha = alpha,
                          .target = alpha,
                          .repeat = repeat,
                          .estimate = alpha + abs_error,
                          .abs_error = abs_error,
                          .posterior_mae = error,
                          .error = error,
                          .f1 = NAN,
                          .roc_auc = 0.5,
                          .seconds = 1,
                          .low = NAN,
                          .high = NAN,
                          .log_loss = NAN,
                          .brier = NAN,
                          .calibration = NAN,
                          .plain_log_loss = NAN,
                          .gap = {NAN, NAN, NAN, NAN},
                          .held = {NAN, NAN, NAN, NAN},
                          .asked_precision = NAN,
                          .curve_precision_gap = NAN,
                          .curve_recall_gap = NAN};
    (void)snprintf(row.setting, sizeof row.setting, "%s", setting);
    (void)snprintf(row.set, sizeof row.set, "%s", set);
    (void)snprintf(row.method, sizeof row.method, "%s", method);
    assert_true(results_add(results, &row));
    return &results->row[results->n - 1];
}

static const struct contender *found(const struct standings *standings, const char *name)
{
    const struct contender *method = standings_find(standings, name);
    assert_non_null(method);
    return method;
}

/* The place of a set and alpha. */
static size_t place_of(const struct setting *setting, const char *set, double alpha)
{
    size_t p = 0;
    while (p < setting->n_places &&
           (strcmp(setting->place[p].set->name, set) != 0 || setting->place[p].alpha != alpha))
        p++;
    assert_true(p < setting->n_places);
    return p;
}

static void test_means_over_repeats(void **state)
{
    static const double value[] = {0.1, 0.2, 0.6};
    struct results results = {0, 0, NULL};
    struct summary summary;
    (void)state;
    for (unsigned i = 0; i < LENGTH(value); i++) /* out of order, and settings mixed */
        add(&results, "synthetic/paper", "L(2,1)", 0.25, "dedpul", 2 - i, value[i], NAN);
    add(&results, "datasets/paper", "bank", 0.05, "dedpul", 0, 0.3, 0.4);
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    assert_int_equal(summary.n, 2);
    assert_string_equal(summary.setting[0].name, "datasets/paper");
    assert_int_equal(summary.setting[0].n_places, 50);
    const struct setting *setting = &summary.setting[1];
    assert_int_equal(setting->n_places, 35);
    const struct cell *cell = &setting->cell[0][place_of(setting, "L(2,1)", 0.25)];
    assert_int_equal(cell->repeats, 3);
    assert_near(cell->of[MEASURE_ABS_ERROR].mean, 0.3, 1e-12);
    /* variance ((0.2)^2 + (0.1)^2 + (0.3)^2) / 2 = 0.07 */
    assert_near(standard_error(&cell->of[MEASURE_ABS_ERROR]), sqrt(0.07 / 3), 1e-12);
    assert_int_equal(cell->of[MEASURE_ERROR].n, 0);
    assert_true(isnan(cell->of[MEASURE_ERROR].mean));
    assert_string_equal(cell->published->method, "dedpul");
    assert_near(cell->published->alpha, 0.25, 0);
    const struct cell *single = &summary.setting[0].cell[0][place_of(&summary.setting[0], "bank", 0.05)];
    assert_near(single->of[MEASURE_ERROR].mean, 0.4, 0);
    assert_true(isnan(standard_error(&single->of[MEASURE_ERROR])));
    summary_free(&summary);
    results_free(&results);
}

/* Distances count without their sign; precisions of 0.85 or more will do; what is not there does not count.
 */
static void test_evaluations(void **state)
{
    static const double gap[] = {0.1, -0.3}, held[] = {1, 0}, asked[] = {0.85, 0.8499};
    struct results results = {0, 0, NULL};
    struct summary summary;
    unsigned n;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct outcome *row = add(&results, "datasets/paper", "bank", 0.05, "dedpul", i, 0.1, 0.1);
        row->gap[CHECKED_RECALL] = gap[i];
        row->held[CHECKED_RECALL] = held[i];
        row->asked_precision = asked[i];
    }
    (void)add(&results, "datasets/paper", "bank", 0.05, "dedpul", 2, 0.1, 0.1);
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    const struct setting *setting = &summary.setting[0];
    const place_set all = places_all(setting);
    assert_near(mean_over_runs(setting, 0, all, MEASURE_GAP + CHECKED_RECALL, &n), 0.2, 1e-12);
    assert_int_equal(n, 2);
    assert_near(mean_over_runs(setting, 0, all, MEASURE_HELD + CHECKED_RECALL, &n), 0.5, 1e-12);
    assert_near(mean_over_runs(setting, 0, all, MEASURE_ASKED, &n), 0.5, 1e-12);
    assert_int_equal(n, 2);
    assert_true(isnan(mean_over_runs(setting, 0, all, MEASURE_GAP + CHECKED_AUC, &n)));
    assert_string_equal(measure_name(MEASURE_GAP + CHECKED_RECALL), "recall_gap");
    assert_string_equal(measure_name(MEASURE_HELD + CHECKED_F1), "f1_held");
    summary_free(&summary);
    results_free(&results);
}

/* Adds a run of the learned method with this interval. */
static struct outcome *add_interval(struct results *results, const char *set, double alpha, unsigned repeat,
                                    double low, double high)
{
    struct outcome *row = add(results, "datasets/paper", set, alpha, "learned", repeat, 0.1, 0.1);
    row->low = low;
    row->high = high;
    return row;
}

/* Ends belong to an interval; runs without one do not count; a set's runs of all shares do. */
static void test_coverage(void **state)
{
    struct results results = {0, 0, NULL};
    struct summary summary;
    unsigned n, method = 0;
    (void)state;
    add_interval(&results, "bank", 0.25, 0, 0.25, 0.5);
    add_interval(&results, "bank", 0.25, 1, 0.125, 0.25);
    add_interval(&results, "bank", 0.25, 2, 0.26, 0.76);
    add_interval(&results, "bank", 0.25, 3, NAN, NAN);
    add_interval(&results, "bank", 0.5, 0, 0, 0.375);
    add_interval(&results, "wine", 0.5, 0, 0.25, 0.75)->log_loss = 0.3;
    add_interval(&results, "wine", 0.5, 1, 0.25, 0.75)->target = NAN;
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    const struct setting *setting = &summary.setting[0];
    const place_set all = places_all(setting), bank = places_of_set(setting, set_at(5));
    while (strcmp(variant_at(method)->name, "learned") != 0)
        method++;
    assert_near(mean_over_runs(setting, method, bank, MEASURE_COVERED, &n), 0.5, 1e-12);
    assert_int_equal(n, 4);
    assert_near(mean_over_runs(setting, method, bank, MEASURE_WIDTH, &n), 1.25 / 4, 1e-12);
    assert_int_equal(n, 4);
    assert_near(mean_over_runs(setting, method, all, MEASURE_COVERED, &n), 0.6, 1e-12);
    assert_int_equal(n, 5);
    assert_near(mean_over_runs(setting, method, all, MEASURE_LOG_LOSS, &n), 0.3, 1e-12);
    assert_int_equal(n, 1);
    assert_true(isnan(mean_over_runs(setting, method, bank, MEASURE_LOG_LOSS, &n)));
    assert_true(isnan(mean_over_runs(setting, 0, all, MEASURE_COVERED, &n)));
    assert_int_equal(n, 0);
    summary_free(&summary);
    results_free(&results);
}

static void test_unknown_names_are_errors(void **state)
{
    static const struct {
        const char *setting, *set, *method, *message;
        double alpha;
    } bad[] = {{"others/paper", "bank", "dedpul", "'others/paper' begins neither", 0.05},
               {"datasets", "bank", "dedpul", "'datasets' begins neither", 0.05},
               {"datasets/paper", "bank", "dedpool", "unknown method 'dedpool'", 0.05},
               {"datasets/paper", "L(1,1)", "dedpul", "no set 'L(1,1)'", 0.05},
               {"datasets/paper", "bank", "dedpul", "alpha 0.06", 0.06}};
    (void)state;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        struct results results = {0, 0, NULL};
        struct summary summary;
        add(&results, bad[i].setting, bad[i].set, bad[i].alpha, bad[i].method, 0, 0.1, 0.1);
        assert_int_equal(summary_make(&summary, &results, &test_error), DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, bad[i].message);
        results_free(&results);
    }
}

/* Also where other rows are between them. */
static void test_rows_twice_are_errors(void **state)
{
    struct results results = {0, 0, NULL};
    struct summary summary;
    (void)state;
    add(&results, "datasets/paper", "bank", 0.05, "dedpul", 1, 0.1, 0.1);
    add(&results, "datasets/default", "bank", 0.05, "dedpul", 1, 0.1, 0.1);
    add(&results, "datasets/paper", "wine", 0.05, "dedpul", 1, 0.1, 0.1);
    add(&results, "datasets/paper", "bank", 0.25, "dedpul", 1, 0.1, 0.1);
    add(&results, "datasets/paper", "bank", 0.05, "en_e3", 1, 0.1, 0.1);
    add(&results, "datasets/paper", "bank", 0.05, "dedpul", 2, 0.1, 0.1);
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    summary_free(&summary);
    add(&results, "datasets/paper", "bank", 0.05, "dedpul", 1, 0.2, 0.2);
    assert_int_equal(summary_make(&summary, &results, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "two rows of datasets/paper, bank, alpha 0.05, repeat 1, dedpul");
    results_free(&results);
}

/* All cells of data sets: DEDPUL 0.01 (0.03 on images), EN e3 0.02; KM2 on three sets alone; EN em as e3. */
static void make_results(struct results *results)
{
    const struct set *set;
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++)
        for (unsigned a = 0; a < set->n_samples && set->kind == KIND_DATASETS; a++) {
            const double alpha = set->sample[a].alpha, own = set_is_uci(set) ? 0.01 : 0.03;
            for (unsigned r = 0; r < 2; r++) {
                add(results, "datasets/paper", set->name, alpha, "dedpul", r, own, own);
                add(results, "datasets/paper", set->name, alpha, "en_e3", r, 0.02, 0.02);
                add(results, "datasets/paper", set->name, alpha, "en_em", r, 0.02, 0.02);
                add(results, "datasets/paper", set->name, alpha, "dedpul_gmm", r, own * 2, own);
                if (set->name[0] == 'b' || set->name[0] == 'm')
                    add(results, "datasets/paper", set->name, alpha, "km2", r, 0.5, NAN);
            }
        }
}

static void test_standings(void **state)
{
    struct results results = {0, 0, NULL};
    struct summary summary;
    struct standings standings;
    struct lineup lineup;
    (void)state;
    make_results(&results);
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    const struct setting *setting = &summary.setting[0];
    standings_make(&standings, setting, TASK_CLASSIFICATION);
    assert_int_equal(standings.n, 4); /* KM2 does not classify */
    standings_make(&standings, setting, TASK_PROPORTION);
    assert_int_equal(standings.n, 5);
    assert_int_equal(place_count(standings.run), 50);
    const struct contender *dedpul = found(&standings, "dedpul"), *km2 = found(&standings, "km2");
    const place_set uci = places_uci(setting), all = places_all(setting);
    assert_near(mean_over(uci, dedpul->ours), 0.01, 1e-12);
    assert_near(mean_over(all, dedpul->ours), (40 * 0.01 + 10 * 0.03) / 50, 1e-12);
    assert_near(mean_over(uci, dedpul->published), 0.0444, 5.1e-5);
    assert_int_equal(place_count(km2->run), 15);
    assert_int_equal(dedpul->most_repeats, 2);
    /* Clearly worse: 0.5 with no spread, where far less was published; not so 0.01 on bank at 0.05 (0.0697).
     */
    assert_true(is_clearly_worse(km2, place_of(setting, "bank", 0.05)));
    assert_false(is_clearly_worse(dedpul, place_of(setting, "bank", 0.05)));

    standings_choose(&standings, FAMILY_METHODS, &lineup);
    assert_int_equal(lineup.n, 2);
    assert_string_equal(lineup.method[0]->variant->name, "dedpul");
    assert_string_equal(lineup.method[1]->variant->name, "en_e3");
    assert_int_equal(place_count(lineup.common), 50);
    assert_int_equal(lineup.n_left_out, 2);
    assert_string_equal(lineup.left_out[0]->variant->name, "en_em");
    assert_ptr_equal(lineup.same_as[0], lineup.method[1]);
    assert_string_equal(lineup.left_out[1]->variant->name, "km2");
    assert_null(lineup.same_as[1]);
    standings_choose(&standings, FAMILY_ABLATIONS, &lineup);
    assert_int_equal(lineup.n, 2);
    assert_string_equal(lineup.method[1]->variant->name, "dedpul_gmm");
    summary_free(&summary);
    results_free(&results);
}

/* By more than twice the standard error of the difference; a published one that is not known is as ours. */
static void test_clearly_worse(void **state)
{
    struct contender method = {.variant = variant_find("dedpul")};
    (void)state;
    method.ours[0] = 0.19;
    method.published[0] = 0.1;
    method.error[0] = 0.03;
    method.published_error[0] = NAN;
    assert_true(is_clearly_worse(&method, 0)); /* 0.09 > 2 * 0.0424 */
    method.ours[0] = 0.18;
    assert_false(is_clearly_worse(&method, 0));
    method.ours[0] = 0.19;
    method.published_error[0] = 0.04;
    assert_false(is_clearly_worse(&method, 0)); /* 0.09 < 2 * 0.05 */
    method.ours[0] = 0.21;
    assert_true(is_clearly_worse(&method, 0));
    method.error[0] = NAN; /* one repeat: nothing is clear */
    assert_false(is_clearly_worse(&method, 0));
}

static void test_ranking(void **state)
{
    struct results results = {0, 0, NULL};
    struct summary summary;
    struct standings standings;
    struct ranking ranking;
    (void)state;
    make_results(&results);
    assert_ok(summary_make(&summary, &results, &test_error), &test_error);
    standings_make(&standings, &summary.setting[0], TASK_PROPORTION);
    assert_true(ranking_make(&ranking, &standings, FAMILY_METHODS));
    /* DEDPUL is better in 40 of 50 cells: ranks 1.2 and 1.8. */
    assert_near(ranking.average_rank[0], 1.2, 1e-12);
    assert_near(ranking.average_rank[1], 1.8, 1e-12);
    assert_true(ranking.differ);
    assert_int_equal(ranking.order[0], 0);
    assert_int_equal(ranking.n_groups, 0);
    standings_make(&standings, &summary.setting[0], TASK_CLASSIFICATION);
    assert_false(ranking_make(&ranking, &standings, FAMILY_ABLATIONS)); /* the variant gives the same */
    summary_free(&summary);
    results_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_means),
        cmocka_unit_test(test_published_cells),
        cmocka_unit_test(test_published_names),
        cmocka_unit_test(test_means_over_repeats),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_unknown_names_are_errors),
        cmocka_unit_test(test_rows_twice_are_errors),
        cmocka_unit_test(test_standings),
        cmocka_unit_test(test_clearly_worse),
        cmocka_unit_test(test_ranking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
