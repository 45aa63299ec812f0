#include "scripted.h"

struct script script;

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

double answer(size_t member, unsigned epoch, size_t row, bool seen)
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

const struct classifier fake = {
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

static int note(void *context, const dedpul_progress *progress)
{
    struct reports *reports = context;
    assert_true(reports->n < MOST_EPOCHS);
    reports->progress[reports->n++] = *progress;
    return reports->n == reports->cancel_at ? 7 : 0;
}

struct run *run_make(size_t n_1, size_t n_0, unsigned folds, struct schedule schedule)
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

dedpul_status run_crossfit(struct run *run)
{
    const struct crossfit_request request = {
        .classifier = &fake,
        .examples = &run->examples,
        .stratum = run->stratum,
        .groups = run->groups,
        .risk = &run->risk,
        .settings = &run->settings,
        .stage = "stage",
    };
    return crossfit(&run->context, &request, run->memory.arena, &run->ensemble, run->logit);
}

void run_free(struct run *run)
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

/* ---- answers of the script ---- */

size_t n_positive;
const char *losses[MOST_MODELS];

double digit_logit(size_t member, unsigned epoch)
{
    assert_true(epoch >= 1 && epoch <= strlen(losses[member]));
    return 1 - 0.25 * (losses[member][epoch - 1] - '0');
}

static double by_digits(size_t member, unsigned epoch, size_t row)
{
    return row < n_positive ? digit_logit(member, epoch) : -digit_logit(member, epoch);
}

struct run *run_digits(unsigned folds, struct schedule schedule)
{
    struct run *run = run_make(14, 23, folds, schedule);
    n_positive = 14;
    script.logit = by_digits;
    return run;
}

double by_row(size_t member, unsigned epoch, size_t row)
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

double expected_loss(const struct examples *examples, unsigned epoch, size_t member)
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

int script_end(void **state)
{
    (void)state;
    for (size_t m = 0; m < MOST_MODELS; m++)
        free(script.fold[m]);
    return 0;
}
