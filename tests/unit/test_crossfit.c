/* Cross-fitting with a classifier that does what a script says: when training stops, who scores whom. */
#include "best_bin.h"
#include "crossfit.h"
#include "folds.h"
#include "reading.h"
#include "sort.h"
#include "weighted.h"

#include <stdatomic.h>

enum { FEATURES = 2, MOST_MODELS = 12, MOST_EPOCHS = 16 };

/* ---- the scripted classifier ---- */

enum step { NOTHING, CREATE, CREATE_NULL, ADVANCE, WATCH, KEEP, FINISH, SCORE };

/* Column 0 of the matrix is the number of the row. */
struct script {
    struct schedule schedule;
    /* The logit that a member finds for a row in an epoch. */
    double (*logit)(size_t member, unsigned epoch, size_t row);
    enum step fails;
    unsigned after; /* calls of the step that do not fail */

    /* What happened. */
    unsigned creates, destroys, finishes, keeps;
    atomic_uint closes, scores, calls[SCORE + 1];
    double alpha[MOST_EPOCHS + 1]; /* of the risk, by epochs */
    unsigned epochs[MOST_MODELS], watched[MOST_MODELS], kept[MOST_MODELS];
    size_t n_members;
    unsigned char *fold[MOST_MODELS]; /* (n_rows) copies */
    unsigned held_out[MOST_MODELS];
    size_t n_watched[MOST_MODELS];
};

static struct script script;

struct fake_set {
    const struct training *training;
    bool *seen[MOST_MODELS]; /* (n_rows) */
};

struct fake_model {
    size_t member, n_rows;
    unsigned epoch;
    bool *seen;
};

static dedpul_status fail_at(struct context *context, enum step step)
{
    if (atomic_fetch_add(&script.calls[step], 1) == script.after && script.fails == step)
        return error_set(context->error, DEDPUL_INVALID_DATA, "step %d failed", (int)step);
    return DEDPUL_OK;
}

static struct schedule fake_schedule(const struct examples *examples,
                                     const struct training_settings *settings)
{
    (void)settings;
    (void)examples;
    return script.schedule;
}

/* Each watched row is in the member's fold; over a partition each row is watched once at most. */
static void check_members(const struct training *training)
{
    const size_t n_rows = training->examples->n_rows;
    unsigned char *times = calloc(n_rows, 1);
    assert_int_equal(training->n_members, script.schedule.partitions * training->settings->folds);
    for (size_t m = 0; m < training->n_members; m++) {
        const struct member *member = &training->member[m];
        assert_int_equal(member->held_out, m % training->settings->folds);
        assert_ptr_equal(member->fold, training->member[m - member->held_out].fold);
        for (size_t i = 0; i < member->n_watched; i++) {
            assert_int_equal(member->fold[member->watched[i]], member->held_out);
            assert_true(i == 0 || member->watched[i] > member->watched[i - 1]);
            assert_int_equal(times[member->watched[i]]++, m / training->settings->folds);
        }
    }
    free(times);
}

static dedpul_status fake_create(struct context *context, const struct training *training, void **result)
{
    const size_t n_rows = training->examples->n_rows;
    TRY(fail_at(context, CREATE_NULL));
    check_members(training);
    struct fake_set *set = calloc(1, sizeof *set);
    set->training = training;
    script.creates++;
    script.n_members = training->n_members;
    for (size_t m = 0; m < training->n_members; m++) {
        const struct member *member = &training->member[m];
        set->seen[m] = calloc(n_rows, sizeof(bool));
        free(script.fold[m]);
        script.fold[m] = malloc(n_rows);
        memcpy(script.fold[m], member->fold, n_rows);
        script.held_out[m] = member->held_out;
        script.n_watched[m] = member->n_watched;
    }
    *result = set;
    return fail_at(context, CREATE);
}

static dedpul_status fake_advance(struct context *context, void *argument, const bool *active)
{
    struct fake_set *set = argument;
    const struct examples *examples = set->training->examples;
    for (size_t m = 0; m < set->training->n_members; m++)
        if (active[m]) {
            script.alpha[++script.epochs[m]] = set->training->risk->alpha;
            for (size_t i = 0; i < examples->n; i++)
                if (member_learns_from(&set->training->member[m], example_row(examples, i)))
                    set->seen[m][example_row(examples, i)] = true;
        }
    return fail_at(context, ADVANCE);
}

static dedpul_status fake_watch(struct context *context, void *argument, const bool *active)
{
    struct fake_set *set = argument;
    for (size_t m = 0; m < set->training->n_members; m++) {
        const struct member *member = &set->training->member[m];
        for (size_t i = 0; active[m] && i < member->n_watched; i++)
            member->logit[i] = script.logit(m, script.epochs[m], member->watched[i]);
        if (active[m])
            script.watched[m] = script.epochs[m];
    }
    return fail_at(context, WATCH);
}

static dedpul_status fake_keep(struct context *context, void *argument, const bool *which)
{
    struct fake_set *set = argument;
    for (size_t m = 0; m < set->training->n_members; m++)
        if (which[m])
            script.kept[m] = script.watched[m];
    script.keeps++;
    return fail_at(context, KEEP);
}

static dedpul_status fake_finish(struct context *context, void *argument, size_t member, struct arena *memory,
                                 void **result)
{
    struct fake_set *set = argument;
    TRY(fail_at(context, FINISH));
    void *of_memory = context_allocate_in(context, memory, 1, 1);
    if (of_memory == NULL)
        return DEDPUL_NO_MEMORY;
    struct fake_model *model = malloc(sizeof *model);
    const size_t n_rows = set->training->examples->n_rows;
    *model = (struct fake_model){member, n_rows, script.kept[member], malloc(n_rows * sizeof(bool))};
    memcpy(model->seen, set->seen[member], n_rows * sizeof(bool));
    script.finishes++;
    *result = model;
    return DEDPUL_OK;
}

static void fake_destroy(void *argument)
{
    struct fake_set *set = argument;
    if (set == NULL)
        return;
    for (size_t m = 0; m < MOST_MODELS; m++)
        free(set->seen[m]);
    free(set);
    script.destroys++;
}

/* A row that the model has learned from gives itself away. */
static double answer(size_t member, unsigned epoch, size_t row, bool seen)
{
    return seen ? 1e9 : (double)((member + 1) * (member + 1) * 100 + row) + 0.125 * epoch;
}

static dedpul_status fake_score(struct context *context, const void *argument, size_t n, const float *x,
                                double *logit)
{
    const struct fake_model *model = argument;
    for (size_t i = 0; i < n; i++) {
        const size_t row = (size_t)x[i * FEATURES];
        assert_true(row < model->n_rows);
        assert_true(x[i * FEATURES + 1] == -x[i * FEATURES]);
        logit[i] = answer(model->member, model->epoch, row, model->seen[row]);
    }
    atomic_fetch_add(&script.scores, (unsigned)n);
    return fail_at(context, SCORE);
}

static void fake_close(void *argument)
{
    struct fake_model *model = argument;
    free(model->seen);
    free(model);
    atomic_fetch_add(&script.closes, 1);
}

static const struct classifier fake = {
    .name = "fake",
    .schedule = fake_schedule,
    .create = fake_create,
    .advance = fake_advance,
    .watch = fake_watch,
    .keep = fake_keep,
    .finish = fake_finish,
    .destroy = fake_destroy,
    .score = fake_score,
    .close = fake_close,
};

/* ---- runs ---- */

struct reports {
    unsigned n, cancel_at; /* 0: never */
    dedpul_progress progress[MOST_EPOCHS];
};

static int note(void *context, const dedpul_progress *progress)
{
    struct reports *reports = context;
    assert_true(reports->n < MOST_EPOCHS);
    reports->progress[reports->n++] = *progress;
    return reports->n == reports->cancel_at ? 7 : 0;
}

/* Rows 0 .. n_1-1 are of class 1, the others of class 0; one example for each. */
struct run {
    struct context context, memory;
    struct reports reports;
    struct training_settings settings;
    struct risk risk;
    struct examples examples;
    float *x;
    unsigned char *label, *stratum;
    double *logit;
    struct ensemble ensemble;
};

static struct run *run_make(size_t n_1, size_t n_0, unsigned folds, struct schedule schedule)
{
    struct run *run = calloc(1, sizeof *run);
    const size_t n = n_1 + n_0;
    for (size_t m = 0; m < MOST_MODELS; m++)
        free(script.fold[m]);
    memset(&script, 0, sizeof script);
    script.schedule = schedule;
    assert_true(folds * schedule.partitions <= MOST_MODELS);
    test_context_init(&run->context);
    test_context_open(&run->memory, NULL, &test_error);
    run->context.threads = 1;
    run->risk = risk_of_classes;
    run->settings = (struct training_settings){.folds = folds, .stopping = STOPPING_COMMON};
    run->context.progress = note;
    run->context.progress_context = &run->reports;
    run->x = malloc(n * FEATURES * sizeof *run->x);
    run->label = malloc(n);
    run->stratum = malloc(n);
    run->logit = malloc(n * sizeof *run->logit);
    for (size_t i = 0; i < n; i++) {
        run->x[i * FEATURES] = (float)i;
        run->x[i * FEATURES + 1] = -(float)i;
        run->label[i] = run->stratum[i] = i < n_1;
        run->logit[i] = NAN;
    }
    run->examples =
        (struct examples){.n_rows = n, .width = FEATURES, .x = run->x, .n = n, .label = run->label};
    memset(&run->ensemble, 0x5a, sizeof run->ensemble); /* crossfit is to fill it in any case */
    return run;
}

static dedpul_status run_crossfit(struct run *run)
{
    const struct crossfit_request request = {&fake,      &run->examples, run->stratum,
                                             &run->risk, &run->settings, "stage"};
    return crossfit(&run->context, &request, run->memory.arena, &run->ensemble, run->logit);
}

/* What was created is destroyed, and what was finished closed. */
static void run_free(struct run *run)
{
    assert_int_equal(run->ensemble.n_members, script.finishes);
    ensemble_close(&run->ensemble);
    assert_int_equal(script.creates, script.destroys);
    assert_int_equal(script.finishes, script.closes);
    test_context_close(&run->context);
    test_context_close(&run->memory);
    free(run->x);
    free(run->label);
    free(run->stratum);
    free(run->logit);
    free(run);
}

/* ---- when to stop ---- */

static size_t n_positive; /* rows of class 1 */

/* By members, or one for all: a digit for each epoch; the higher, the higher is the loss. */
static const char *losses[MOST_MODELS];

static double digit_logit(size_t member, unsigned epoch)
{
    assert_true(epoch >= 1 && epoch <= strlen(losses[member]));
    return 1 - 0.25 * (losses[member][epoch - 1] - '0');
}

static double digit_loss(size_t member, unsigned epoch)
{
    return log1p(exp(-digit_logit(member, epoch)));
}

static double by_digits(size_t member, unsigned epoch, size_t row)
{
    return row < n_positive ? digit_logit(member, epoch) : -digit_logit(member, epoch);
}

static struct run *run_digits(unsigned folds, struct schedule schedule)
{
    struct run *run = run_make(14, 23, folds, schedule);
    n_positive = 14;
    script.logit = by_digits;
    return run;
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

static double by_row(size_t member, unsigned epoch, size_t row)
{
    return 3 * sin((double)(row * 7 + member * 5 + epoch));
}

/* The row's logit in an epoch: of the member that holds it out, or the mean of them. */
static double row_logit(size_t row, unsigned epoch)
{
    double sum = 0;
    for (size_t m = 0; m < script.n_members; m++)
        if (script.fold[m][row] == script.held_out[m])
            sum += by_row(m, epoch, row);
    return sum / script.schedule.partitions;
}

/* Of one member, or of all (member = n_members). */
static double expected_loss(const struct examples *examples, unsigned epoch, size_t member)
{
    double sum[2] = {0, 0}, weight[2] = {0, 0};
    for (size_t i = 0; i < examples->n; i++) {
        const size_t row = example_row(examples, i);
        const double w = examples->weight != NULL ? examples->weight[i] : 1;
        const bool all = member == script.n_members;
        if (!all && script.fold[member][row] != script.held_out[member])
            continue;
        const double logit = all ? row_logit(row, epoch) : by_row(member, epoch, row);
        const double y = 1 / (1 + exp(-logit));
        sum[examples->label[i]] -= w * log(examples->label[i] ? y : 1 - y);
        weight[examples->label[i]] += w;
    }
    return (sum[0] / weight[0] + sum[1] / weight[1]) / 2;
}

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

/* ---- who scores whom ---- */

static void test_scores(void **state)
{
    enum { N_1 = 700, N_0 = 5001, FOLDS = 4, PARTITIONS = 3 };
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        struct run *run = run_make(N_1, N_0, FOLDS, (struct schedule){1, 2, 1, PARTITIONS});
        script.logit = by_row;
        run->context.threads = threads;
        assert_ok(run_crossfit(run), &test_error);
        assert_int_equal(run->ensemble.n_members, FOLDS * PARTITIONS);
        assert_int_equal(run->ensemble.width, FEATURES);
        assert_ptr_equal(run->ensemble.classifier, &fake);
        assert_null(context_mark(&run->context));
        assert_int_equal(script.scores, PARTITIONS * (N_1 + N_0));
        for (size_t row = 0; row < N_1 + N_0; row++) {
            double sum = 0;
            unsigned n = 0;
            for (size_t m = 0; m < script.n_members; m++)
                if (script.fold[m][row] == script.held_out[m]) {
                    sum += answer(m, script.kept[m], row, false);
                    n++;
                }
            assert_int_equal(n, PARTITIONS);
            assert_near(run->logit[row], sum / PARTITIONS, 1e-9);
        }
        for (size_t m = 0; m < script.n_members; m++) { /* all rows of class 1 or all of class 0 in each */
            size_t count[2] = {0, 0};
            for (size_t row = 0; row < N_1 + N_0; row++)
                count[row < N_1] += script.fold[m][row] == script.held_out[m];
            assert_int_equal(count[1], N_1 / FOLDS);
            assert_in_range(count[0], N_0 / FOLDS, N_0 / FOLDS + 1);
            assert_int_equal(script.n_watched[m], count[0] + count[1]);
        }
        assert_memory_not_equal(script.fold[0], script.fold[FOLDS], N_1 + N_0);
        assert_memory_not_equal(script.fold[0], script.fold[FOLDS + FOLDS], N_1 + N_0);
        assert_memory_not_equal(script.fold[FOLDS], script.fold[FOLDS + FOLDS], N_1 + N_0);
        run_free(run);
    }
}

/* Rows that are no examples are scored, too, and rows in both classes are hidden from their fold in both. */
static void test_scores_of_others(void **state)
{
    enum { N = 60 };
    struct run *run = run_make(20, N - 20, 3, (struct schedule){1, 2, 1, 2});
    uint32_t row[2 * N];
    unsigned char label[2 * N];
    size_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        run->stratum[i] = i % 6 == 0 ? STRATUM_WEIGHTLESS : run->stratum[i];
        for (unsigned char k = 0; k < 2 && i % 6 != 0; k++) {
            row[n] = i;
            label[n++] = k;
        }
    }
    run->examples.n = n;
    run->examples.row = row;
    run->examples.label = label;
    script.logit = by_row;
    assert_ok(run_crossfit(run), &test_error);
    for (size_t i = 0; i < N; i++)
        assert_true(run->logit[i] < 1e6);
    for (unsigned e = 1; e <= 2; e++)
        assert_near(run->reports.progress[e - 1].loss, expected_loss(&run->examples, e, script.n_members),
                    1e-12);
    run_free(run);
}

static double constant(size_t member, unsigned epoch, size_t row)
{
    (void)member, (void)epoch, (void)row;
    return 0.5;
}

/* Of each class some rows only. */
static void test_most_watched(void **state)
{
    struct run *run = run_make(100, MOST_WATCHED + 10000, 2, (struct schedule){1, 1, 1, 2});
    (void)state;
    script.logit = constant;
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(script.n_watched[0] + script.n_watched[1], MOST_WATCHED + 100);
    assert_int_equal(script.n_watched[2] + script.n_watched[3], MOST_WATCHED + 100);
    assert_near(run->reports.progress[0].loss, (log1p(exp(-0.5)) + log1p(exp(0.5))) / 2, 1e-9);
    run_free(run);
}

/* ---- ends before the end ---- */

static void test_cancel(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 3; at++)
        for (int each = 0; each < 2; each++) {
            struct run *run = run_digits(2, (struct schedule){1, 9, 9, 2});
            for (size_t m = 0; m < 4; m++)
                losses[m] = "987654321";
            run->settings.stopping = each ? STOPPING_EACH : STOPPING_COMMON;
            run->reports.cancel_at = at;
            assert_int_equal(run_crossfit(run), DEDPUL_CANCELLED);
            assert_int_equal(test_error.status, DEDPUL_CANCELLED);
            assert_int_equal(script.epochs[0], at);
            assert_int_equal(script.creates, 1);
            assert_int_equal(script.finishes, 0);
            run_free(run);
        }
}

static void test_no_progress(void **state)
{
    struct run *run = run_digits(2, (struct schedule){1, 3, 1, 1});
    (void)state;
    losses[0] = losses[1] = "789";
    run->context.progress = NULL;
    assert_ok(run_crossfit(run), &test_error);
    assert_int_equal(script.kept[0], 1);
    assert_int_equal(run->reports.n, 0);
    run_free(run);
}

static void test_errors(void **state)
{
    (void)state;
    for (int step = CREATE; step <= SCORE; step++)
        for (int each = 0; each < 2; each++)
            for (unsigned after = 0; after < (step <= CREATE_NULL ? 1 : 3); after++) {
                struct run *run = run_digits(2, (struct schedule){1, 5, 9, 2});
                for (size_t m = 0; m < 4; m++)
                    losses[m] = "98765";
                run->settings.stopping = each ? STOPPING_EACH : STOPPING_COMMON;
                script.fails = (enum step)step;
                script.after = after;
                assert_int_equal(run_crossfit(run), DEDPUL_INVALID_DATA);
                assert_contains(test_error.message, "failed");
                assert_int_equal(test_error.message[5], '0' + step);
                assert_int_equal(script.calls[step], after + 1);
                assert_int_equal(script.creates, step != CREATE_NULL);
                assert_int_equal(script.finishes, step == FINISH ? after : step == SCORE ? 4 : 0);
                run_free(run);
            }
}

static void test_allocations(void **state)
{
    dedpul_status status = DEDPUL_NO_MEMORY;
    (void)state;
    for (size_t n = 0; status != DEDPUL_OK; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct run *run = run_digits(2, (struct schedule){1, 3, 9, 2});
        for (size_t m = 0; m < 4; m++)
            losses[m] = "987";
        run->settings.stopping = n % 2 == 1 ? STOPPING_EACH : STOPPING_COMMON;
        test_context_open(&run->context, &allocator, &test_error);
        test_context_open(&run->memory, &allocator, &test_error);
        status = run_crossfit(run);
        if (status != DEDPUL_OK) {
            assert_int_equal(status, DEDPUL_NO_MEMORY);
            assert_contains(test_error.message, "out of memory");
        } else {
            assert_true(n > 10);
        }
        run_free(run);
        assert_int_equal(failing.blocks, 0);
    }
}

static int end(void **state)
{
    (void)state;
    for (size_t m = 0; m < MOST_MODELS; m++)
        free(script.fold[m]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common),       cmocka_unit_test(test_common_mean),
        cmocka_unit_test(test_each),         cmocka_unit_test(test_losses),
        cmocka_unit_test(test_shares),       cmocka_unit_test(test_far_off),
        cmocka_unit_test(test_scores),       cmocka_unit_test(test_scores_of_others),
        cmocka_unit_test(test_most_watched), cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_progress),  cmocka_unit_test(test_errors),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
