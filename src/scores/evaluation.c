#include "evaluation.h"

#include "parallel.h"

#include <math.h>

/* All that the parts of an evaluation need. */
struct evaluating {
    const struct evaluation_input *input;
    const struct evaluation_plan *plan;
    struct alpha_belief belief;
    struct score_groups groups;
    struct scenarios scenarios;
    struct scenario_measures *measures; /* (scenarios.n) */
    size_t n_cuts, cut[MOST_CUTS];      /* last group of each */
    double rows[MOST_CUTS];             /* weight of the unlabeled rows that it flags */
};

/* ---- guesses by scenario ---- */

typedef struct measure measure_function(const struct classes *classes, const struct flagged *flagged);

/* A measure that is not defined in a scenario does not count there. */
static struct guess guess_of(const struct scenario *scenario, const struct measure *measure)
{
    return (struct guess){isnan(measure->value) ? 0 : scenario->weight, measure->value, measure->error,
                          measure->size};
}

/* What the scenarios say of a threshold. */
static void guess_at(const struct evaluating *all, size_t c, measure_function *measure,
                     struct guess guess[MOST_SCENARIOS])
{
    for (size_t s = 0; s < all->scenarios.n; s++) {
        const struct scenario_measures *measures = &all->measures[s];
        const struct flagged flagged = {all->rows[c], measures->positive[c]};
        const struct measure found = measure(&measures->classes, &flagged);
        guess[s] = guess_of(&all->scenarios.item[s], &found);
    }
}

static struct range range_at(const struct evaluating *all, size_t c, measure_function *measure)
{
    struct guess guess[MOST_SCENARIOS];
    guess_at(all, c, measure, guess);
    return guesses_range(all->scenarios.n, guess, all->plan->level);
}

static struct range range_of(const struct evaluating *all, enum order_measure which)
{
    struct guess guess[MOST_SCENARIOS];
    for (size_t s = 0; s < all->scenarios.n; s++) {
        const struct measure found = all->measures[s].order[which];
        guess[s] = guess_of(&all->scenarios.item[s], &found);
    }
    return guesses_range(all->scenarios.n, guess, all->plan->level);
}

/* ---- the curve ---- */

struct curve_task {
    const struct evaluating *all;
    struct threshold *curve;
};

static const struct true_measures unknown = {NAN, NAN, NAN, NAN, NAN};

static struct threshold threshold_at(const struct evaluating *all, size_t c)
{
    return (struct threshold){
        .score = all->groups.score[all->cut[c]],
        .posterior = all->groups.posterior[all->cut[c]],
        .rows = all->rows[c],
        .precision = range_at(all, c, measure_precision),
        .recall = range_at(all, c, measure_recall),
        .f1 = range_at(all, c, measure_f1),
        .fall_out = range_at(all, c, measure_fall_out),
        .truth = unknown,
    };
}

static struct range range_not_below(const struct range *range, const struct range *before)
{
    return (struct range){fmax(range->value, before->value), fmax(range->low, before->low),
                          fmax(range->high, before->high)};
}

/* True shares of either class rise as the threshold falls; so must their estimates and ranges. */
static void make_monotone(size_t n, struct threshold *curve)
{
    for (size_t c = 1; c < n; c++) {
        curve[c].recall = range_not_below(&curve[c].recall, &curve[c - 1].recall);
        curve[c].fall_out = range_not_below(&curve[c].fall_out, &curve[c - 1].fall_out);
    }
}

static void fill_lift(double total, size_t n, struct threshold *curve)
{
    for (size_t c = 0; c < n; c++) {
        const struct range *recall = &curve[c].recall;
        const double share = curve[c].rows / total;
        curve[c].lift = (struct range){recall->value / share, recall->low / share, recall->high / share};
    }
}

static dedpul_status fill_point(struct context *context, void *argument, size_t index)
{
    const struct curve_task *task = argument;
    (void)context;
    task->curve[index] = threshold_at(task->all, index);
    return DEDPUL_OK;
}

static dedpul_status make_curve(struct context *context, const struct evaluating *all,
                                struct threshold *curve)
{
    struct curve_task task = {all, curve};
    TRY(parallel_for(context, all->n_cuts, fill_point, &task));
    make_monotone(all->n_cuts, curve);
    fill_lift(all->groups.total_unlabeled, all->n_cuts, curve);
    return DEDPUL_OK;
}

static const struct threshold no_threshold = {
    .score = NAN,
    .posterior = NAN,
    .precision = {NAN, NAN, NAN},
    .lift = {NAN, NAN, NAN},
    .truth = {NAN, NAN, NAN, NAN, NAN},
};

/* ---- thresholds that reach a precision or a recall ---- */

/* Precision and recall are reached if they are with this probability. */
static const double sure = 0.85;

/* What a threshold reaches with that probability. */
static double reached_at(const struct evaluating *all, size_t c, measure_function *measure)
{
    struct guess guess[MOST_SCENARIOS];
    guess_at(all, c, measure, guess);
    return guesses_quantile(all->scenarios.n, guess, 1 - sure);
}

/* The fewest rows with the recall. All rows together hold all positives. */
static size_t choose_by_recall(const struct evaluating *all)
{
    size_t c = 0;
    while (c + 1 < all->n_cuts && reached_at(all, c, measure_recall) < all->plan->request.value)
        c++;
    return c;
}

/* The most rows with the precision. */
static dedpul_status choose_by_precision(const struct evaluating *all, dedpul_error *error, size_t *chosen)
{
    const double wanted = all->plan->request.value;
    double best = -1;
    size_t place_of_best = 0;
    *chosen = all->n_cuts;
    for (size_t c = 0; c < all->n_cuts; c++) {
        const double reached = reached_at(all, c, measure_precision);
        if (reached >= wanted)
            *chosen = c;
        if (reached > best) {
            best = reached;
            place_of_best = c;
        }
    }
    if (*chosen < all->n_cuts)
        return DEDPUL_OK;
    return error_set(
        error, DEDPUL_INVALID_DATA,
        "a precision of %g cannot be had with a probability of %g%%: the highest that is so sure "
        "is %.3f, if %.0f of %.0f unlabeled rows are flagged. Ask for less",
        wanted, 100 * sure, floor(1000 * best) / 1000, all->rows[place_of_best], all->groups.total_unlabeled);
}

static size_t place_of(const struct evaluating *all, size_t group)
{
    size_t c = 0;
    while (c < all->n_cuts && all->cut[c] != group)
        c++;
    return c;
}

/* Finds the place of the threshold in force on the curve; n_cuts if it flags no row. */
static dedpul_status choose(struct context *context, const struct evaluating *all, size_t wanted,
                            size_t *chosen)
{
    const enum cut_rule rule = all->plan->request.rule;
    if (rule == CUT_PRECISION)
        return choose_by_precision(all, context->error, chosen);
    *chosen = rule == CUT_RECALL ? choose_by_recall(all) : place_of(all, wanted);
    return DEDPUL_OK;
}

/* ---- doubts ---- */

/* By the labeled rows alone, precision is alpha r / q, which may exceed 1. */
static void doubt_precision(struct context *context, const struct evaluating *all, size_t chosen)
{
    const struct score_groups *groups = &all->groups;
    const double alpha = all->belief.alpha;
    double labeled = 0;
    if (chosen == all->n_cuts)
        return;
    for (size_t g = 0; g <= all->cut[chosen]; g++)
        labeled += groups->labeled[g];
    const double recall = labeled / groups->total_labeled,
                 share = all->rows[chosen] / groups->total_unlabeled;
    if (alpha * recall > share * (1 + 1e-4))
        context_warn(
            context, DEDPUL_WARNING_CLIPPED_PRECISION,
            "by the labeled rows alone, precision is alpha x recall / flagged = %.4f x %.4f / %.4f = "
            "%.4f at the threshold, where it counts as 1: by chance, or because alpha is too high",
            alpha, recall, share, alpha * recall / share);
}

static void doubt_calibration(struct context *context, const struct calibration *calibration)
{
    if (calibration->chance < LEAST_CHANCE)
        context_warn(
            context, DEDPUL_WARNING_MISCALIBRATED,
            "posteriors differ from what labeled rows say by %.3f on average, more than by chance (p = "
            "%.2g): look at the calibration bins. Do labeled rows resemble the unlabeled positives?",
            calibration->difference, calibration->chance);
}

/* ---- known classes ---- */

static struct true_measures measure_known(const struct classes *classes, const struct flagged *flagged)
{
    const double recall = measure_recall(classes, flagged).value;
    return (struct true_measures){
        .precision = measure_precision(classes, flagged).value,
        .recall = recall,
        .lift = recall / (flagged->rows / classes->total_rows),
        .f1 = measure_f1(classes, flagged).value,
        .fall_out = measure_fall_out(classes, flagged).value,
    };
}

static dedpul_status measure_truth(struct context *context, const struct evaluating *all, size_t chosen,
                                   struct evaluation *evaluation)
{
    const struct score_groups *groups = &all->groups;
    double *rows = context_allocate(context, groups->n, sizeof *rows);
    struct flagged flagged = {0, 0};
    if (rows == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < groups->n; g++)
        rows[g] = groups->positive[g] + groups->negative[g];
    const struct classes classes =
        classes_of(groups->n, rows, groups->positive, groups->negative, groups->total_labeled);
    evaluation->chosen.truth = measure_known(&classes, &flagged);
    for (size_t c = 0, g = 0; c < all->n_cuts; c++) {
        for (; g <= all->cut[c]; g++) {
            flagged.rows += rows[g];
            flagged.positive += groups->positive[g];
        }
        evaluation->curve[c].truth = measure_known(&classes, &flagged);
    }
    if (chosen < all->n_cuts)
        evaluation->chosen.truth = evaluation->curve[chosen].truth;
    evaluation->truth = (struct known_truth){
        .rows = classes.total_rows,
        .positive = classes.total_positive,
        .auc = measure_auc(&classes).value,
        .average_precision = measure_average_precision(&classes).value,
        .best_f1 = measure_best_f1(&classes).value,
    };
    return DEDPUL_OK;
}

/* ---- the whole ---- */

/* A threshold that was given stays what it is; rows do not have to have this score. */
static struct threshold threshold_in_force(const struct evaluating *all, const struct threshold *curve,
                                           size_t chosen)
{
    struct threshold threshold = chosen < all->n_cuts ? curve[chosen] : no_threshold;
    if (all->plan->request.rule == CUT_SCORE)
        threshold.score = all->plan->request.value;
    return threshold;
}

static dedpul_status group_rows(struct context *context, const struct evaluation_input *input,
                                struct score_groups *groups)
{
    struct sample p, u;
    TRY(sample_sort(context, &input->rows->positive, input->rows->label, 1, &p));
    TRY(sample_sort(context, &input->rows->unlabeled, input->rows->label, 0, &u));
    return score_groups_make(context, &p, &u, &input->values, groups);
}

/* Finds the groups, the thresholds, and what each scenario says of them. */
static dedpul_status prepare(struct context *context, struct evaluating *all, size_t *wanted)
{
    struct score_groups *groups = &all->groups;
    double above = 0;
    TRY(group_rows(context, all->input, groups));
    if (all->plan->alpha > 0)
        TRY(scenarios_suppose(context, all->plan->alpha, &all->belief, groups));
    TRY(cut_find(groups, &all->plan->request, context->error, wanted));
    all->n_cuts = cuts_place(groups, *wanted, all->cut);
    for (size_t c = 0, g = 0; c < all->n_cuts; c++) {
        for (; g <= all->cut[c]; g++)
            above += groups->unlabeled[g];
        all->rows[c] = above;
    }
    TRY(scenarios_make(context, groups, &all->belief, &all->scenarios));
    all->measures = context_allocate(context, all->scenarios.n, sizeof *all->measures);
    if (all->measures == NULL)
        return DEDPUL_NO_MEMORY;
    return scenarios_measure(context, groups, &all->scenarios, all->n_cuts, all->cut, all->measures);
}

dedpul_status evaluate(struct context *context, const struct evaluation_input *input,
                       const struct evaluation_plan *plan, struct arena *memory,
                       struct evaluation *evaluation)
{
    struct block *mark = context_mark(context);
    struct evaluating *all = context_allocate(context, 1, sizeof *all);
    size_t wanted, chosen = 0;
    if (all == NULL)
        return DEDPUL_NO_MEMORY;
    *all = (struct evaluating){.input = input, .plan = plan, .belief = input->belief};
    TRY(prepare(context, all, &wanted));
    TRY(choose(context, all, wanted, &chosen));
    struct threshold *curve = context_allocate_in(context, memory, all->n_cuts, sizeof *curve);
    if (curve == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(make_curve(context, all, curve));
    *evaluation = (struct evaluation){
        .weight_labeled = all->groups.total_labeled,
        .weight_unlabeled = all->groups.total_unlabeled,
        .auc = range_of(all, ORDER_AUC),
        .average_precision = range_of(all, ORDER_AVERAGE_PRECISION),
        .best_f1 = range_of(all, ORDER_BEST_F1),
        .chosen = threshold_in_force(all, curve, chosen),
        .n_curve = all->n_cuts,
        .curve = curve,
        .calibration = calibrate_posteriors(&all->groups, all->belief.alpha, plan->level),
    };
    if (input->values.truth != NULL)
        TRY(measure_truth(context, all, chosen, evaluation));
    doubt_precision(context, all, chosen);
    doubt_calibration(context, &evaluation->calibration);
    context_release(context, mark);
    return DEDPUL_OK;
}
