#include "fit_propensity.h"

#include "normal.h"
#include "number.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

bool has_propensity(const struct table *table)
{
    return table->propensity != NULL || table->n_propensity_columns > 0;
}

/* Where no row is labeled, nothing tells positives from negatives. */
static void warn_of_unreached(struct context *context, const struct table *table, const struct strata *strata)
{
    const char *name = strata->column->schema.name;
    const double enough = 0.05;
    double unreached = 0, unlabeled = 0;
    char quoted[QUOTE_SIZE];
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->label[i] == 0) {
            unlabeled += weight_at(table->weight, i);
            unreached += strata->labeled[strata->of_row[i]] == 0 ? weight_at(table->weight, i) : 0;
        }
    if (unreached >= enough * unlabeled)
        context_warn(context, DEDPUL_WARNING_UNREACHED_ROWS,
                     "%.0f%% of the unlabeled rows have values of column %s that no labeled row has: nothing "
                     "is known about positives there, and alpha may not count them",
                     100 * unreached / unlabeled, quote_text(quoted, name, strlen(name)));
}

dedpul_status fit_propensity_read(struct context *context, const struct fit_rows *rows,
                                  struct fitted_propensity *fitted)
{
    const struct table *table = rows->table;
    if (table->kind != NULL || table->finds_kinds)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "a fit takes kinds or propensities, not both: leave --kind out, or --propensity");
    if (table->propensity != NULL && table->n_propensity_columns > 0)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "propensities are known or estimated, not both: leave out --propensity or "
                         "--propensity-value");
    fitted->odds = context_allocate(context, table->n_rows, sizeof *fitted->odds);
    fitted->strata = context_allocate(context, table->n_propensity_columns, sizeof *fitted->strata);
    if (fitted->odds == NULL || fitted->strata == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < table->n_propensity_columns; c++) {
        TRY(strata_make(context, table, table->propensity_column[c], &fitted->strata[c]));
        warn_of_unreached(context, table, &fitted->strata[c]);
    }
    return table->propensity != NULL ? propensity_known(context, table, fitted->odds) : DEDPUL_OK;
}

/* ---- without propensities ---- */

/* The classifier, and what the method trains, are for this estimate alone. */
struct plain_fit {
    struct arena memory;
    struct scorer ntc;
    struct pn_scorer pn;
    struct estimate estimate;
};

static dedpul_status run_plain(struct context *context, const struct fit_plan *plan,
                               const struct fit_rows *rows, struct plain_fit *plain)
{
    struct fit_plan quick = *plan;
    quick.estimate.interval = INTERVAL_NONE;
    quick.estimate.bands = false;
    TRY(train_ntc(context, rows, &quick, &plain->memory, &plain->ntc, rows->logit));
    return fit_rows_estimate(context, rows, &quick, &plain->memory, &plain->estimate, &plain->memory,
                             &plain->pn);
}

dedpul_status fit_without_propensity(struct context *context, const struct fit_plan *plan,
                                     const struct fit_rows *rows, struct fitted_propensity *fitted)
{
    struct plain_fit plain = {.ntc = {.n_parts = 0}};
    struct context silent = *context;
    silent.warnings = NULL;
    arena_init(&plain.memory, &context->arena->allocator);
    const dedpul_status status = run_plain(&silent, plan, rows, &plain);
    fitted->alpha_without = plain.estimate.solution.proportion.alpha;
    scorer_close(&plain.ntc);
    scorer_close(&plain.pn.scorer);
    arena_free(&plain.memory);
    return status;
}

/* ---- from logits to weights ---- */

dedpul_status fit_propensity(struct context *context, const struct fit_plan *plan, struct fit_rows *rows,
                             struct fitted_propensity *fitted)
{
    const struct table *table = rows->table;
    fitted->weight = table->weight;
    if (table->propensity == NULL)
        TRY(propensity_estimate(context, rows, &plan->estimate.ratio, table->n_propensity_columns,
                                fitted->strata, fitted->odds, &fitted->error));
    return fit_rows_reweigh(context, fitted->odds, rows);
}

/* ---- the answer ---- */

/* Labeled rows, and the unlabeled positives that they stand for. */
struct tally {
    double labeled, unlabeled;
};

static double propensity_of(const struct tally *tally)
{
    return tally->labeled / (tally->labeled + tally->unlabeled);
}

/* Counts the labeled rows, or those of a stratum; strata is NULL for all. */
static struct tally count_rows(const struct fit_rows *rows, const struct fitted_propensity *fitted,
                               double scale, const struct strata *strata, size_t stratum)
{
    struct tally tally = {0, 0};
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (rows->table->label[i] == 1 && (strata == NULL || strata->of_row[i] == stratum)) {
            tally.labeled += weight_at(fitted->weight, i);
            tally.unlabeled += weight_at(fitted->weight, i) * scale * fitted->odds[i];
        }
    return tally;
}

static dedpul_status fill_groups(struct context *context, const struct fit_rows *rows,
                                 const struct fitted_propensity *fitted, double scale, struct arena *memory,
                                 struct propensity_estimates *answer)
{
    const size_t n_columns = rows->table->n_propensity_columns;
    size_t most = 0;
    for (size_t c = 0; c < n_columns; c++)
        most += fitted->strata[c].n;
    answer->group = context_allocate_in(context, memory, most, sizeof *answer->group);
    if (answer->group == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < n_columns; c++)
        for (size_t s = 0; s < fitted->strata[c].n; s++) {
            const struct strata *strata = &fitted->strata[c];
            const struct tally tally = count_rows(rows, fitted, scale, strata, s);
            if (strata->labeled[s] == 0)
                continue;
            struct propensity_group *group = &answer->group[answer->n_groups++];
            *group = (struct propensity_group){
                .column = context_copy_text(context, memory, strata->column->schema.name),
                .values = context_copy_text(context, memory, strata->name[s]),
                .labeled = strata->labeled[s],
                .propensity = propensity_of(&tally),
            };
            if (group->column == NULL || group->values == NULL)
                return DEDPUL_NO_MEMORY;
        }
    return DEDPUL_OK;
}

/* The error is that of the logarithm of alpha. */
static void widen(double alpha, double error, struct interval *interval)
{
    const double factor = exp(error * normal_quantile((1 + interval->level) / 2));
    if (interval->kind != INTERVAL_NONE)
        interval_widen(alpha, alpha / factor, alpha * factor, interval);
}

/* Chances of a whole table also count its positives. Those that are relative, or wrong, count others. */
static void warn_of_mismatch(struct context *context, const struct fit_rows *rows,
                             const struct fitted_propensity *fitted, double unlabeled, double alpha)
{
    const double factor = 2, errors = 3;
    double sum = 0, variance = 0;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (rows->table->label[i] == 1) {
            const double odds = fitted->odds[i], weight = weight_at(fitted->weight, i);
            sum += weight * odds / unlabeled;
            variance += weight * odds * (1 + odds) / unlabeled / unlabeled;
        }
    const bool is_far = sum > factor * alpha || sum < alpha / factor;
    if (is_far && sum <= 1 && fabs(sum - alpha) > errors * sqrt(variance))
        context_warn(context, DEDPUL_WARNING_PROPENSITY_MISMATCH,
                     "by the propensities alone, %.4f of the unlabeled rows would be positive, but the "
                     "estimate is %.4f: if they are relative rates, divide all of them by the same large "
                     "number, such as 1000; else labels depend on more than they tell",
                     sum, alpha);
}

dedpul_status fit_propensity_answer(struct context *context, const struct fit_rows *rows,
                                    const struct fitted_propensity *fitted, struct arena *memory,
                                    struct estimate *estimate, struct propensity_estimates *answer)
{
    const struct table *table = rows->table;
    const bool is_known = table->propensity != NULL;
    const double alpha = estimate->solution.proportion.alpha, unlabeled = estimate->weight_unlabeled;
    const struct tally given = count_rows(rows, fitted, 1, NULL, 0);
    const double scale = is_known ? 1 : alpha * unlabeled / given.unlabeled;
    const struct tally all = {given.labeled, scale * given.unlabeled};
    double *weight = context_allocate_in(context, memory, table->n_rows, sizeof *weight);
    if (weight == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(weight, table->weight, table->n_rows * sizeof *weight);
    *answer = (struct propensity_estimates){
        .weight = weight,
        .lowest = 1,
        .highest = 0,
        .mean = propensity_of(&all),
        .alpha_without = fitted->alpha_without,
        .alpha_by_values = is_known ? given.unlabeled / unlabeled : NAN,
    };
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->label[i] == 1 && weight_at(fitted->weight, i) > 0) {
            const double propensity = 1 / (1 + scale * fitted->odds[i]);
            answer->lowest = fmin(answer->lowest, propensity);
            answer->highest = fmax(answer->highest, propensity);
        }
    if (is_known) {
        warn_of_mismatch(context, rows, fitted, unlabeled, alpha);
        return DEDPUL_OK;
    }
    widen(alpha, fitted->error, &estimate->interval);
    return fill_groups(context, rows, fitted, scale, memory, answer);
}
