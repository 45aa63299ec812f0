#include "crossfit.h"

#include "best_bin.h"
#include "clock.h"
#include "parallel.h"
#include "rng.h"
#include "sample.h"
#include "training_end.h"
#include "weighted.h"

#include <math.h>

struct plan {
    const struct classifier *classifier;
    const struct examples *examples;
    const struct training_settings *settings;
    struct risk risk;
    const char *stage;
    struct schedule schedule;
    size_t n_partitions, n_members;
    unsigned char *fold;   /* (n_partitions, n_rows) */
    struct member *member; /* (n_members) partition by partition */
    size_t n_watched;
    uint32_t *watched;     /* (n_watched) examples */
    double *watched_logit; /* (n_rows) of watched rows: means over partitions, or those of one member */
    double left_out_from;  /* with CVIR, watched examples of class 0 with a higher logit do not count */
    bool *active, *kept;   /* (n_members) */
    struct training_end end;
    double first_ended; /* when the first epoch was done */
};

/* ---- set-up ---- */

static size_t partition_of(const struct plan *plan, size_t m)
{
    return m / plan->settings->folds;
}

/* Gives each member the watched rows of its fold. */
static dedpul_status split_watched(struct context *context, struct plan *plan, size_t n,
                                   const uint32_t *watched)
{
    const size_t n_rows = plan->examples->n_rows;
    for (size_t m = 0; m < plan->n_members; m++) {
        struct member *member = &plan->member[m];
        member->fold = plan->fold + partition_of(plan, m) * n_rows;
        member->held_out = (unsigned)(m % plan->settings->folds);
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            count += !member_learns_from(member, watched[i]);
        uint32_t *row = context_allocate(context, count, sizeof *row);
        member->logit = context_allocate(context, count, sizeof *member->logit);
        if (row == NULL || member->logit == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0, k = 0; i < n; i++)
            if (!member_learns_from(member, watched[i]))
                row[k++] = watched[i];
        member->watched = row;
        member->n_watched = count;
    }
    return DEDPUL_OK;
}

/* Finds the examples whose rows are watched. */
static dedpul_status find_watched_examples(struct context *context, struct plan *plan, size_t n,
                                           const uint32_t *watched)
{
    const struct examples *examples = plan->examples;
    plan->watched = context_allocate(context, examples->n, sizeof *plan->watched);
    plan->watched_logit = context_allocate(context, examples->n_rows, sizeof *plan->watched_logit);
    if (plan->watched == NULL || plan->watched_logit == NULL)
        return DEDPUL_NO_MEMORY;
    /* Until the first epoch, watched_logit marks the watched rows: 0 if a row is watched, NaN if not. */
    for (size_t i = 0; i < examples->n_rows; i++)
        plan->watched_logit[i] = NAN;
    for (size_t i = 0; i < n; i++)
        plan->watched_logit[watched[i]] = 0;
    for (size_t i = 0; i < examples->n; i++)
        if (!isnan(plan->watched_logit[example_row(examples, i)]))
            plan->watched[plan->n_watched++] = (uint32_t)i;
    return DEDPUL_OK;
}

/* Deals the rows out to folds in partition k. */
static dedpul_status deal(struct context *context, const struct plan *plan,
                          const struct crossfit_request *request, size_t k)
{
    const size_t n_rows = plan->examples->n_rows;
    const unsigned n_folds = plan->settings->folds;
    const uint64_t stream = rng_stream(STREAM_PARTITION, k);
    unsigned char *fold = plan->fold + k * n_rows;
    return request->groups != NULL
               ? group_folds_deal(context, n_rows, request->stratum, request->groups, n_folds, stream, fold)
               : folds_deal(context, n_rows, request->stratum, n_folds, stream, fold);
}

static dedpul_status make_plan(struct context *context, const struct crossfit_request *request,
                               struct plan *plan)
{
    const size_t n_rows = plan->examples->n_rows;
    size_t n;
    uint32_t *watched;
    plan->n_members = plan->n_partitions * plan->settings->folds;
    plan->fold = context_allocate(context, plan->n_partitions * n_rows, 1);
    plan->member = context_allocate(context, plan->n_members, sizeof *plan->member);
    plan->active = context_allocate(context, plan->n_members, sizeof *plan->active);
    plan->kept = context_allocate(context, plan->n_members, sizeof *plan->kept);
    if (plan->fold == NULL || plan->member == NULL || plan->active == NULL || plan->kept == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < plan->n_partitions; k++)
        TRY(deal(context, plan, request, k));
    TRY(folds_choose(context, n_rows, request->stratum, MOST_WATCHED, rng_stream(STREAM_WATCHED, 0), &n,
                     &watched));
    TRY(split_watched(context, plan, n, watched));
    return find_watched_examples(context, plan, n, watched);
}

/* ---- training, and when to stop ---- */

/* Fills the mean logit over partitions of each watched row: in a partition, one member has it in its fold. */
static void average_watched(struct plan *plan)
{
    const struct examples *examples = plan->examples;
    for (size_t i = 0; i < plan->n_watched; i++)
        plan->watched_logit[example_row(examples, plan->watched[i])] = 0;
    for (size_t m = 0; m < plan->n_members; m++)
        for (size_t i = 0; i < plan->member[m].n_watched; i++)
            plan->watched_logit[plan->member[m].watched[i]] +=
                plan->member[m].logit[i] / (double)plan->n_partitions;
}

/* CVIR: re-estimate alpha from held-out logits, and the logit above which unlabeled rows are left out. */
static dedpul_status estimate_share(struct context *context, struct plan *plan)
{
    struct block *mark = context_mark(context);
    const struct examples *examples = plan->examples;
    const size_t n = plan->n_watched;
    double *logit = context_allocate(context, n, sizeof *logit);
    double *weight = context_allocate(context, n, sizeof *weight);
    unsigned char *label = context_allocate(context, n, sizeof *label);
    if (logit == NULL || weight == NULL || label == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const size_t example = plan->watched[i];
        logit[i] = plan->watched_logit[example_row(examples, example)];
        weight[i] = weight_at(examples->weight, example);
        label[i] = examples->label[example];
    }
    const struct scored_rows rows = {.n = n, .logit = logit, .weight = weight};
    struct sample p, u;
    TRY(sample_sort(context, &rows, label, 1, &p));
    TRY(sample_sort(context, &rows, label, 0, &u));
    plan->risk.alpha = isnan(plan->risk.given)
                           ? best_bin_share(p.n, p.logit, p.weight, u.n, u.logit, u.weight)
                           : plan->risk.given;
    plan->left_out_from = weighted_quantile(u.n, u.logit, u.weight, 1 - plan->risk.alpha);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* The risk of the averaged logits of all watched examples. */
static double common_loss(const struct plan *plan)
{
    const struct examples *examples = plan->examples;
    struct risk_sums sums = no_risk;
    for (size_t i = 0; i < plan->n_watched; i++) {
        const size_t example = plan->watched[i];
        const double logit = plan->watched_logit[example_row(examples, example)];
        if (examples->label[example] == 1 || logit <= plan->left_out_from)
            risk_add(&plan->risk, examples->label[example], weight_at(examples->weight, example), logit,
                     &sums);
    }
    return risk_value(&plan->risk, &sums);
}

/* The watched examples of one member's fold. */
struct own_examples {
    size_t n;
    uint32_t *example; /* (n) */
};

static dedpul_status find_own_examples(struct context *context, const struct plan *plan,
                                       struct own_examples *own /* (n_members) */)
{
    for (size_t m = 0; m < plan->n_members; m++) {
        own[m] =
            (struct own_examples){.example = context_allocate(context, plan->n_watched, sizeof(uint32_t))};
        if (own[m].example == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < plan->n_watched; i++)
            if (!member_learns_from(&plan->member[m], example_row(plan->examples, plan->watched[i])))
                own[m].example[own[m].n++] = plan->watched[i];
    }
    return DEDPUL_OK;
}

/* The loss of one member on its own watched examples. */
static double member_loss(struct plan *plan, const struct member *member, const struct own_examples *own)
{
    const struct examples *examples = plan->examples;
    struct risk_sums sums = no_risk;
    for (size_t i = 0; i < member->n_watched; i++)
        plan->watched_logit[member->watched[i]] = member->logit[i];
    for (size_t i = 0; i < own->n; i++)
        risk_add(&plan->risk, examples->label[own->example[i]], weight_at(examples->weight, own->example[i]),
                 plan->watched_logit[example_row(examples, own->example[i])], &sums);
    return risk_value(&plan->risk, &sums);
}

/* Times that are shorter say little. */
static const double shortest_measured = 0.5;

/* `likely` is the epoch that may be the last, or 0. */
static dedpul_status report_until(struct context *context, struct plan *plan, unsigned epoch, double loss,
                                  unsigned best, double likely)
{
    const double now = clock_seconds();
    if (epoch == 1)
        plan->first_ended = now;
    dedpul_progress progress = {.stage = plan->stage,
                                .step = epoch,
                                .steps = plan->schedule.most * (plan->risk.kind == RISK_CVIR ? 2U : 1U),
                                .loss = loss,
                                .best_step = best,
                                .likely = (unsigned)likely};
    if (likely > 0 && now - plan->first_ended >= shortest_measured)
        progress.left = (likely - epoch) * (now - plan->first_ended) / (epoch - 1);
    return context_report(context, &progress);
}

static dedpul_status report(struct context *context, struct plan *plan, unsigned epoch, double loss,
                            unsigned best)
{
    training_end_note(&plan->end, epoch, loss);
    const double end = training_end_guess(&plan->end, epoch, best);
    return report_until(context, plan, epoch, loss, best, plan->risk.kind == RISK_CVIR ? 2 * end : end);
}

static dedpul_status next_epoch(struct context *context, struct plan *plan, void *set)
{
    TRY(plan->classifier->advance(context, set, plan->active));
    return plan->classifier->watch(context, set, plan->active);
}

static void warn_of_limit(struct context *context, const struct plan *plan)
{
    const struct classifier *classifier = plan->classifier;
    if (classifier->unit != NULL)
        context_warn(context, DEDPUL_WARNING_EPOCH_LIMIT,
                     "training (%s) ended after %u %s while its loss could still fall: scores may get better "
                     "with more (%s)",
                     plan->stage, plan->schedule.most, classifier->unit, classifier->limit_option);
}

/*
 * All members end with the epoch of the lowest common loss. (If each fold chose its own best epoch, on the
 * rows that are then scored, the scores would look more separable than they are.) *done is the last epoch.
 */
static dedpul_status train_common(struct context *context, struct plan *plan, void *set, unsigned *done)
{
    double lowest = INFINITY;
    unsigned best = 0;
    const unsigned most = plan->schedule.most;
    const unsigned fewest = plan->schedule.fewest < most ? plan->schedule.fewest : most;
    const double better = 1 - plan->settings->least_gain;
    for (unsigned epoch = 1; epoch <= most; epoch++) {
        TRY(next_epoch(context, plan, set));
        average_watched(plan);
        const double loss = common_loss(plan);
        if (epoch >= fewest && (loss < better * lowest || best == 0)) {
            lowest = loss;
            best = epoch;
            TRY(plan->classifier->keep(context, set, plan->kept));
        }
        *done = epoch;
        TRY(report(context, plan, epoch, loss, best));
        if (best > 0 && epoch - best >= plan->schedule.patience)
            return DEDPUL_OK;
    }
    warn_of_limit(context, plan);
    return DEDPUL_OK;
}

/*
 * Trains for as many epochs again, and estimates the share that is left out before each of them. Losses with
 * different shares cannot be compared, so the last epoch counts.
 */
static dedpul_status train_cvir(struct context *context, struct plan *plan, void *set, unsigned warm_up)
{
    TRY(estimate_share(context, plan));
    for (unsigned epoch = 1; epoch <= warm_up; epoch++) {
        TRY(next_epoch(context, plan, set));
        average_watched(plan);
        TRY(estimate_share(context, plan));
        TRY(report_until(context, plan, warm_up + epoch, common_loss(plan), 0, 2 * warm_up));
    }
    return plan->classifier->keep(context, set, plan->kept);
}

static dedpul_status train_together(struct context *context, struct plan *plan, void *set)
{
    unsigned done = 0;
    for (size_t m = 0; m < plan->n_members; m++)
        plan->active[m] = plan->kept[m] = true;
    TRY(train_common(context, plan, set, &done));
    return plan->risk.kind == RISK_CVIR ? train_cvir(context, plan, set, done) : DEDPUL_OK;
}

/* The published rule: a member ends when none of its last `patience` losses is below the one before them. */
static bool is_done(unsigned epoch, unsigned patience, const double *loss /* (epoch) */)
{
    if (epoch <= patience)
        return false;
    for (unsigned e = epoch - patience; e < epoch; e++)
        if (loss[e] < loss[epoch - patience - 1])
            return false;
    return true;
}

static dedpul_status train_each(struct context *context, struct plan *plan, void *set)
{
    const unsigned most = plan->schedule.most;
    double *history = context_allocate(context, plan->n_members * most, sizeof *history);
    struct own_examples *own = context_allocate(context, plan->n_members, sizeof *own);
    if (history == NULL || own == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(find_own_examples(context, plan, own));
    size_t n_active = plan->n_members, n_cut = 0;
    for (size_t m = 0; m < plan->n_members; m++)
        plan->active[m] = true;
    for (unsigned epoch = 1; epoch <= most && n_active > 0; epoch++) {
        double sum = 0;
        TRY(next_epoch(context, plan, set));
        for (size_t m = 0; m < plan->n_members; m++) {
            double *loss = history + m * most;
            plan->kept[m] = false;
            if (plan->active[m]) {
                loss[epoch - 1] = member_loss(plan, &plan->member[m], &own[m]);
                /* The last epoch ends all members that are left; those are cut short, which is a warning. */
                plan->kept[m] =
                    epoch >= plan->schedule.fewest && is_done(epoch, plan->schedule.patience, loss);
                n_cut += epoch == most && !plan->kept[m];
                plan->kept[m] = plan->kept[m] || epoch == most;
            } else {
                loss[epoch - 1] = loss[epoch - 2]; /* a member that is done counts with its last loss */
            }
            sum += loss[epoch - 1];
        }
        TRY(plan->classifier->keep(context, set, plan->kept));
        for (size_t m = 0; m < plan->n_members; m++)
            if (plan->kept[m]) {
                plan->active[m] = false;
                n_active--;
            }
        TRY(report(context, plan, epoch, sum / (double)plan->n_members, 0));
    }
    if (n_cut > 0)
        warn_of_limit(context, plan);
    return DEDPUL_OK;
}

/* CVIR estimates one share for all members, so it stops all of them at once. */
static bool is_common(const struct plan *plan)
{
    return plan->settings->stopping == STOPPING_COMMON || plan->risk.kind == RISK_CVIR;
}

static dedpul_status train(struct context *context, struct plan *plan, struct arena *memory,
                           struct ensemble *ensemble)
{
    const struct training training = {plan->examples, plan->n_members, plan->member, plan->settings,
                                      &plan->risk};
    void *set = NULL;
    dedpul_status status = plan->classifier->create(context, &training, &set);
    if (status == DEDPUL_OK)
        status = is_common(plan) ? train_together(context, plan, set) : train_each(context, plan, set);
    for (size_t m = 0; status == DEDPUL_OK && m < plan->n_members; m++) {
        status = plan->classifier->finish(context, set, m, memory, &ensemble->member[m]);
        ensemble->n_members += status == DEDPUL_OK;
    }
    plan->classifier->destroy(set);
    return status;
}

/* ---- scores of all rows ---- */

struct scoring {
    const struct plan *plan;
    const struct ensemble *ensemble;
    double *logit; /* (n_partitions, n_rows) */
};

/* One member scores the rows of its fold, piece by piece, so that no copy of the whole fold is needed. */
static dedpul_status score_fold(struct context *context, void *argument, size_t m)
{
    const struct scoring *scoring = argument;
    const struct plan *plan = scoring->plan;
    const struct examples *examples = plan->examples;
    const struct member *member = &plan->member[m];
    double *logit = scoring->logit + partition_of(plan, m) * examples->n_rows;
    enum { PIECE = 4096 };
    float *x = context_allocate(context, PIECE * examples->width, sizeof *x);
    uint32_t *row = context_allocate(context, PIECE, sizeof *row);
    double *found = context_allocate(context, PIECE, sizeof *found);
    if (x == NULL || row == NULL || found == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t next = 0; next < examples->n_rows;) {
        size_t n = 0;
        for (; next < examples->n_rows && n < PIECE; next++)
            if (!member_learns_from(member, next))
                row[n++] = (uint32_t)next;
        examples_gather(examples, n, row, x);
        TRY(scoring->ensemble->classifier->score(context, scoring->ensemble->member[m], n, x, found));
        for (size_t i = 0; i < n; i++)
            logit[row[i]] = found[i];
    }
    return DEDPUL_OK;
}

static dedpul_status score_rows(struct context *context, const struct plan *plan,
                                const struct ensemble *ensemble, double *logit)
{
    const size_t n_rows = plan->examples->n_rows;
    struct scoring scoring = {plan, ensemble, NULL};
    scoring.logit = context_allocate(context, plan->n_partitions * n_rows, sizeof *scoring.logit);
    if (scoring.logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for(context, plan->n_members, score_fold, &scoring));
    average(plan->n_partitions, n_rows, scoring.logit, logit);
    return DEDPUL_OK;
}

dedpul_status crossfit(struct context *context, const struct crossfit_request *request, struct arena *memory,
                       struct ensemble *ensemble, double *logit)
{
    struct block *mark = context_mark(context);
    const struct classifier *classifier = request->classifier;
    struct plan plan = {
        .classifier = classifier,
        .examples = request->examples,
        .settings = request->settings,
        .risk = *request->risk,
        .left_out_from = INFINITY,
        .stage = request->stage,
        .schedule = classifier->schedule(request->examples, request->settings),
    };
    *ensemble = (struct ensemble){.classifier = classifier, .width = request->examples->width};
    plan.n_partitions = plan.schedule.partitions;
    plan.end = training_end_init(plan.schedule, classifier->time != NULL
                                                    ? classifier->time(request->examples, request->settings)
                                                    : (struct training_time){.epochs = 0});
    TRY(make_plan(context, request, &plan));
    ensemble->member = context_allocate_in(context, memory, plan.n_members, sizeof *ensemble->member);
    if (ensemble->member == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(train(context, &plan, memory, ensemble));
    TRY(score_rows(context, &plan, ensemble, logit));
    context_release(context, mark);
    return DEDPUL_OK;
}
