#include "propensity.h"

#include "interpolate.h"
#include "logistic.h"
#include "normal.h"
#include "weighted.h"

#include <math.h>

/* ---- propensities that are known ---- */

dedpul_status propensity_known(struct context *context, const struct table *table, double *odds)
{
    const double least = 1e-9; /* a smaller one would be all the weight there is */
    double most = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double propensity = table->propensity[i];
        odds[i] = 1;
        if (table->label[i] == 0 || weight_at(table->weight, i) == 0)
            continue;
        if (isnan(propensity))
            return error_set(
                context->error, DEDPUL_INVALID_DATA,
                "row %zu is labeled, but has no propensity: each labeled row needs its chance of "
                "being labeled (--propensity-value)",
                i + 1);
        if (!(propensity > 0 && propensity <= 1))
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "row %zu is labeled, but its propensity is %g: the chance of a labeled row of "
                             "being labeled is above 0 and at most 1",
                             i + 1, propensity);
        if (propensity < least)
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "row %zu has a propensity of %g: below %g, nothing else would count", i + 1,
                             propensity, least);
        odds[i] = (1 - propensity) / propensity;
        most = fmax(most, odds[i]);
    }
    if (!(most > 0))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "all propensities of labeled rows are 1: then each positive is labeled, and none is "
                         "left among the unlabeled rows. If they are relative rates, give smaller ones, in "
                         "the same ratios");
    return DEDPUL_OK;
}

/* ---- one stratum ---- */

/* With fewer labeled rows, such as those of rare values together, a stratum is as the others on average. */
enum { FEWEST_IN_STRATUM = 5 };

/* The logarithm of unlabeled positives per weight of labeled rows, and its standard error. */
struct stratum_odds {
    double value, error; /* NaN: there are too few labeled rows */
    double positives;    /* weight of the unlabeled ones */
};

/* The rows of one stratum, corrected by what is known. */
struct stratum_rows {
    size_t n;
    double *logit, *weight;
    unsigned char *label;
    double labeled, unlabeled; /* weights */
};

static dedpul_status gather(struct context *context, const struct fit_rows *rows, const struct strata *strata,
                            uint32_t stratum, const double *log_odds, struct stratum_rows *gathered)
{
    const struct table *table = rows->table;
    double before = 0;
    *gathered = (struct stratum_rows){
        .logit = context_allocate(context, table->n_rows, sizeof *gathered->logit),
        .weight = context_allocate(context, table->n_rows, sizeof *gathered->weight),
        .label = context_allocate(context, table->n_rows, 1),
    };
    if (gathered->logit == NULL || gathered->weight == NULL || gathered->label == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double weight = weight_at(table->weight, i);
        if (strata->of_row[i] != stratum || !(weight > 0))
            continue;
        const size_t k = gathered->n++;
        gathered->logit[k] = rows->logit[i] + log_odds[i];
        gathered->label[k] = table->label[i];
        gathered->weight[k] = table->label[i] == 1 ? weight * exp(log_odds[i]) : weight;
        *(table->label[i] == 1 ? &gathered->labeled : &gathered->unlabeled) += gathered->weight[k];
        before += table->label[i] == 1 ? weight : 0;
    }
    for (size_t k = 0; k < gathered->n; k++) /* labeled rows weigh as much as before */
        if (gathered->label[k] == 1)
            gathered->weight[k] *= before / gathered->labeled;
    return DEDPUL_OK;
}

/* Estimates the share of positives; if the rows do not allow it, a half with a large error. */
static dedpul_status share_of(struct context *context, const struct ratio_plan *ratio,
                              const struct stratum_rows *gathered, double *share, double *log_error)
{
    const double smallest = 1e-3, normal_quartiles = 2 * normal_quantile(0.75);
    const struct scored_rows scored = {
        .n = gathered->n, .logit = gathered->logit, .weight = gathered->weight};
    const struct score_input input = {scored, scored, gathered->label, NULL};
    const struct estimate_plan plan = {
        .method = &estimator_pooled, .ratio = *ratio, .alpha = NAN, .level = 0.95};
    struct estimate found;
    struct arena memory;
    struct context silent = *context;
    dedpul_error why = {DEDPUL_OK, ""};
    silent.warnings = NULL;
    silent.error = &why;
    arena_init(&memory, &context->arena->allocator);
    *share = 0.5;
    *log_error = 1;
    const dedpul_status status = estimate(&silent, &input, &plan, &memory, &found);
    if (status == DEDPUL_OK) {
        const struct alpha_quantiles *quantiles = &found.solution.quantiles;
        *share = fmax(found.solution.proportion.alpha, smallest);
        *log_error = log(fmax(alpha_quantile(quantiles, 0.75), smallest / 10) /
                         fmax(alpha_quantile(quantiles, 0.25), smallest / 10)) /
                     normal_quartiles;
    }
    arena_free(&memory);
    return status == DEDPUL_OK || status == DEDPUL_INVALID_DATA
               ? DEDPUL_OK
               : error_set(context->error, status, "%s", why.message);
}

static dedpul_status estimate_stratum(struct context *context, const struct fit_rows *rows,
                                      const struct ratio_plan *ratio, const struct strata *strata,
                                      uint32_t stratum, const double *log_odds, struct stratum_odds *odds)
{
    const double fewest = 0.5, least_error = 0.02;
    struct block *mark = context_mark(context);
    struct stratum_rows gathered;
    double share, error;
    TRY(gather(context, rows, strata, stratum, log_odds, &gathered));
    TRY(share_of(context, ratio, &gathered, &share, &error));
    context_release(context, mark);
    *odds = (struct stratum_odds){NAN, NAN, fmax(share * gathered.unlabeled, fewest)};
    if (gathered.labeled > 0 && strata->labeled[stratum] >= FEWEST_IN_STRATUM) {
        odds->value = log(odds->positives / gathered.labeled);
        odds->error = fmax(error, least_error);
    }
    return DEDPUL_OK;
}

/* ---- all strata of a column ---- */

/*
 * What strata differ in beyond chance (DerSimonian and Laird, 1986): each value is drawn to the common mean,
 * the more so the larger its error is.
 */
static void shrink(size_t n, struct stratum_odds *odds)
{
    double total = 0, sum = 0, squares = 0, spread = 0, used = 0;
    for (size_t s = 0; s < n; s++)
        if (!isnan(odds[s].value)) {
            const double precision = 1 / (odds[s].error * odds[s].error);
            total += precision;
            squares += precision * precision;
            sum += precision * odds[s].value;
            used++;
        }
    for (size_t s = 0; s < n; s++)
        if (!isnan(odds[s].value))
            spread += (odds[s].value - sum / total) * (odds[s].value - sum / total) /
                      (odds[s].error * odds[s].error);
    const double between = fmax(0, (spread - (used - 1)) / (total - squares / total));
    total = sum = 0;
    for (size_t s = 0; s < n; s++)
        if (!isnan(odds[s].value)) {
            const double precision = 1 / (between + odds[s].error * odds[s].error);
            total += precision;
            sum += precision * odds[s].value;
        }
    for (size_t s = 0; s < n; s++) {
        const double own = between / (between + odds[s].error * odds[s].error);
        odds[s].value =
            isnan(odds[s].value) ? sum / total : sum / total + own * (odds[s].value - sum / total);
    }
}

/* The error of the logarithm of all unlabeled positives, if those of strata do not depend on each other. */
static double joint_error(size_t n, const struct stratum_odds *odds)
{
    double squares = 0, positives = 0;
    for (size_t s = 0; s < n; s++)
        if (!isnan(odds[s].error)) {
            squares += odds[s].positives * odds[s].error * odds[s].positives * odds[s].error;
            positives += odds[s].positives;
        }
    return sqrt(squares) / positives;
}

/* Adds the value of a row's stratum, or between bins what lies between theirs. */
static dedpul_status add_values(struct context *context, const struct table *table,
                                const struct strata *strata, const struct stratum_odds *odds,
                                double *log_odds)
{
    double *value = context_allocate(context, strata->n, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t s = 0; s < strata->n; s++)
        value[s] = odds[s].value;
    for (size_t i = 0; i < table->n_rows; i++)
        log_odds[i] += strata->of_row[i] < strata->n_bins
                           ? interpolate(strata->n_bins, strata->center, value, strata->column->number[i])
                           : value[strata->of_row[i]];
    return DEDPUL_OK;
}

static dedpul_status add_column(struct context *context, const struct fit_rows *rows,
                                const struct ratio_plan *ratio, const struct strata *strata, double *log_odds,
                                double *error)
{
    struct block *mark = context_mark(context);
    struct stratum_odds *odds = context_allocate(context, strata->n, sizeof *odds);
    if (odds == NULL)
        return DEDPUL_NO_MEMORY;
    for (uint32_t s = 0; s < strata->n; s++)
        TRY(estimate_stratum(context, rows, ratio, strata, s, log_odds, &odds[s]));
    *error = joint_error(strata->n, odds);
    shrink(strata->n, odds);
    TRY(add_values(context, rows->table, strata, odds, log_odds));
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- all columns ---- */

dedpul_status propensity_estimate(struct context *context, const struct fit_rows *rows,
                                  const struct ratio_plan *ratio, size_t n, const struct strata *strata,
                                  double *odds, double *error)
{
    const struct table *table = rows->table;
    const unsigned rounds = n > 1 ? 2 : 1; /* a column's strata differ in what other columns say, too */
    *error = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        odds[i] = 0;
    for (unsigned round = 0; round < rounds; round++) {
        *error = 0;
        for (size_t c = 0; c < n; c++) {
            double of_column;
            TRY(add_column(context, rows, ratio, &strata[c], odds, &of_column));
            *error = fmax(*error, of_column);
        }
    }
    for (size_t i = 0; i < table->n_rows; i++)
        odds[i] = table->label[i] == 1 ? exp(odds[i]) : 1;
    return DEDPUL_OK;
}
