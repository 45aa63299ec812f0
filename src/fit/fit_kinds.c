#include "fit_kinds.h"

#include "found_kinds.h"
#include "kind_rates.h"
#include "number.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from kinds to a correction ---- */

static dedpul_status init_model(struct context *context, const struct kinds *kinds, struct arena *memory,
                                struct model_kinds *own)
{
    double total = 0;
    TRY(model_kinds_init(context, kinds->n, memory, own));
    for (size_t k = 0; k < kinds->n; k++)
        total += kinds->weight[k];
    for (size_t k = 0; k < kinds->n; k++) {
        own->name[k] = context_copy_text(context, memory, kinds->name[k]);
        if (own->name[k] == NULL)
            return DEDPUL_NO_MEMORY;
        own->labeled[k] = own->actual[k] = kinds->weight[k] / total;
    }
    return DEDPUL_OK;
}

/* Fills the densities of all kinds at all rows. */
static dedpul_status find_densities(struct context *context, const struct fit_plan *plan,
                                    const struct scorer *ntc, const struct fit_rows *rows,
                                    const struct kinds *kinds, struct arena *memory, struct model_kinds *own,
                                    double **density)
{
    const size_t n = rows->table->n_rows, n_scorers = n_kind_scorers(kinds->n);
    double *logit = context_allocate(context, n_scorers * n, sizeof *logit);
    *density = context_allocate(context, kinds->n * n, sizeof **density);
    if (logit == NULL || *density == NULL)
        return DEDPUL_NO_MEMORY;
    for (uint32_t k = 0; k < n_scorers; k++)
        TRY(train_kind(context, rows, plan, ntc, kinds, k, memory, &own->scorer[k], logit + k * n));
    for (size_t i = 0; i < n; i++)
        kind_densities(own, n, logit + i, *density + i * kinds->n);
    return DEDPUL_OK;
}

static dedpul_status find_likeliest(struct context *context, size_t n, struct fitted_kinds *fitted)
{
    const size_t n_kinds = fitted->kinds.n;
    uint32_t *likeliest = context_allocate(context, n, sizeof *likeliest);
    if (likeliest == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const double *density = fitted->density + i * n_kinds;
        likeliest[i] = 0;
        for (uint32_t k = 1; k < n_kinds; k++)
            likeliest[i] = density[k] > density[likeliest[i]] ? k : likeliest[i];
    }
    fitted->likeliest = likeliest;
    return DEDPUL_OK;
}

struct kind_rows fitted_kind_rows(const struct fit_rows *rows, const struct fitted_kinds *fitted)
{
    return (struct kind_rows){.n = rows->table->n_rows,
                              .n_kinds = fitted->kinds.n,
                              .kind = fitted->kinds.of_row,
                              .likeliest = fitted->likeliest,
                              .logit = rows->logit,
                              .weight = rows->table->weight,
                              .groups = rows->groups};
}

/* Labeled rows of a kind get the weight that its share of the positives asks for; all weigh as before. */
static dedpul_status correct_rows(struct context *context, const struct model_kinds *kinds,
                                  const struct fitted_kinds *fitted, struct fit_rows *rows)
{
    const size_t n = rows->table->n_rows;
    double *factor = context_allocate(context, n, sizeof *factor);
    if (factor == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t kind = fitted->kinds.of_row[i];
        factor[i] = kind < kinds->n ? kinds->actual[kind] / kinds->labeled[kind] : 1;
        rows->logit[i] += kind_correction(kinds, fitted->density + i * kinds->n);
    }
    return fit_rows_reweigh(context, factor, rows);
}

/* Models that score a group have not learned from it, so they must know its kinds from others. */
static dedpul_status check_groups(struct context *context, const struct fit_rows *rows,
                                  const struct kinds *kinds)
{
    struct block *mark = context_mark(context);
    const struct row_groups *groups = rows->groups;
    uint32_t *first = context_allocate(context, kinds->n, sizeof *first);
    bool *has_others = context_allocate(context, kinds->n, sizeof *has_others);
    if (first == NULL || has_others == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < kinds->n; k++) {
        first[k] = UINT32_MAX;
        has_others[k] = false;
    }
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        const uint32_t kind = kinds->of_row[i], group = groups->of_row[i];
        if (kind == kinds->n || weight_at(rows->table->weight, i) == 0)
            continue;
        has_others[kind] = has_others[kind] || (first[kind] != UINT32_MAX && first[kind] != group);
        first[kind] = group;
    }
    for (size_t k = 0; k < kinds->n; k++) {
        char quoted[QUOTE_SIZE];
        if (!has_others[k])
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "all labeled rows of the kind %s are %s: models that score them would not know "
                             "the kind. Join kinds that are alike, or leave the kinds out",
                             quote_text(quoted, kinds->name[k], strlen(kinds->name[k])),
                             rows->table->group != NULL ? "of one group" : "copies of one row");
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status fit_kinds_read(struct context *context, const struct fit_rows *rows, struct kinds *kinds)
{
    if (rows->table->finds_kinds && rows->groups != NULL)
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "kinds are not found among rows that %s: leave --kind auto out, or name the column of "
            "kinds (--kind COL)",
            rows->table->group != NULL ? "are in groups" : "are copies of others");
    if (rows->table->finds_kinds)
        return found_kinds_check(context, rows->table);
    TRY(kinds_read(context, rows->table, kinds));
    return rows->groups != NULL ? check_groups(context, rows, kinds) : DEDPUL_OK;
}

dedpul_status fit_kinds_train(struct context *context, const struct fit_plan *plan, const struct scorer *ntc,
                              const struct fit_rows *rows, struct arena *memory, struct model_kinds *own,
                              struct fitted_kinds *fitted)
{
    double *density;
    TRY(init_model(context, &fitted->kinds, memory, own));
    TRY(find_densities(context, plan, ntc, rows, &fitted->kinds, memory, own, &density));
    fitted->density = density;
    return find_likeliest(context, rows->table->n_rows, fitted);
}

dedpul_status fit_kinds_share(struct context *context, const struct fit_rows *rows,
                              struct fitted_kinds *fitted)
{
    const struct kind_rows kind_rows = fitted_kind_rows(rows, fitted);
    return kind_shares_find(context, &kind_rows, ENOUGH_RESAMPLES, &fitted->found);
}

dedpul_status fit_kinds_rate(struct context *context, const struct fit_rows *rows,
                             struct fitted_kinds *fitted)
{
    const struct kind_rows kind_rows = fitted_kind_rows(rows, fitted);
    return kind_rates_find(context, &kind_rows, ENOUGH_RESAMPLES, &fitted->found);
}

dedpul_status fit_kinds_correct(struct context *context, struct model_kinds *own, struct fit_rows *rows,
                                const struct fitted_kinds *fitted)
{
    double total = 0;
    for (size_t k = 0; k < fitted->kinds.n; k++)
        total += fitted->found.share[k];
    for (size_t k = 0; k < fitted->kinds.n && total > 0; k++)
        own->actual[k] = fitted->found.share[k] / total;
    return correct_rows(context, own, fitted, rows);
}

/* ---- the answer ---- */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * The ends of an interval from resamples of the shares, which are scaled so that all kinds together are
 * alpha. kind == kinds.n: of all kinds together.
 */
static void resampled_ends(const struct fitted_kinds *fitted, size_t kind, double alpha, double level,
                           double *value /* (resamples) */, double end[2])
{
    const size_t n = fitted->kinds.n, resamples = fitted->found.resamples;
    double total = 0;
    for (size_t k = 0; k < n; k++)
        total += fitted->found.share[k];
    for (size_t r = 0; r < resamples; r++) {
        value[r] = 0;
        for (size_t k = 0; k < n; k++)
            if (kind == n || kind == k)
                value[r] += fitted->found.resampled[r * n + k];
        value[r] = total > 0 ? fmin(value[r] * alpha / total, 1) : 0;
    }
    qsort(value, resamples, sizeof *value, compare_numbers);
    end[0] = weighted_quantile(resamples, value, NULL, (1 - level) / 2);
    end[1] = weighted_quantile(resamples, value, NULL, (1 + level) / 2);
}

dedpul_status fit_kinds_widen(struct context *context, const struct fitted_kinds *fitted, double alpha,
                              struct interval *interval)
{
    struct block *mark = context_mark(context);
    double end[2];
    if (interval->kind == INTERVAL_NONE)
        return DEDPUL_OK;
    double *value = context_allocate(context, fitted->found.resamples, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    resampled_ends(fitted, fitted->kinds.n, alpha, interval->level, value, end);
    context_release(context, mark);
    interval_widen(alpha, end[0], end[1], interval);
    return DEDPUL_OK;
}

static void split_posteriors(const struct fit_rows *rows, const struct model_kinds *kinds,
                             const struct fitted_kinds *fitted, const struct estimate *estimate,
                             struct kind_estimates *answer)
{
    for (size_t i = 0, next = 0; i < rows->table->n_rows; i++) {
        if (rows->table->label[i] == 1)
            continue;
        double part[MOST_KINDS];
        kind_parts(kinds, fitted->density + i * kinds->n, part);
        for (size_t k = 0; k < kinds->n; k++)
            answer->kind[k].posterior[next] = estimate->posterior[next] * part[k];
        next++;
    }
}

dedpul_status fit_kinds_answer(struct context *context, const struct fit_rows *rows,
                               const struct model *model, const struct fitted_kinds *fitted,
                               struct arena *memory, struct estimate *estimate, struct kind_estimates *answer)
{
    const struct model_kinds *kinds = &model->kinds;
    const size_t n = rows->table->n_rows;
    const double alpha = estimate->solution.proportion.alpha, level = estimate->interval.level;
    double *value = context_allocate(context, fitted->found.resamples, sizeof *value);
    answer->kind = context_allocate_in(context, memory, kinds->n, sizeof *answer->kind);
    answer->weight = context_allocate_in(context, memory, n, sizeof *answer->weight);
    answer->of_row = context_allocate_in(context, memory, n, sizeof *answer->of_row);
    if (value == NULL || answer->kind == NULL || answer->weight == NULL || answer->of_row == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(answer->weight, rows->table->weight, n * sizeof *answer->weight);
    memcpy(answer->of_row, fitted->kinds.of_row, n * sizeof *answer->of_row);
    for (size_t k = 0; k < kinds->n; k++) {
        char *name = context_copy_text(context, memory, kinds->name[k]);
        double *posterior = context_allocate_in(context, memory, estimate->n_unlabeled, sizeof *posterior);
        double end[2];
        if (name == NULL || posterior == NULL)
            return DEDPUL_NO_MEMORY;
        resampled_ends(fitted, k, alpha, level, value, end);
        const double share = alpha * kinds->actual[k];
        answer->kind[k] = (struct kind_estimate){
            .name = name,
            .rows = fitted->kinds.rows[k],
            .weight = fitted->kinds.weight[k],
            .share = share,
            .low = fmin(end[0], share),
            .high = fmax(end[1], share),
            .posterior = posterior,
        };
    }
    answer->n = kinds->n;
    split_posteriors(rows, kinds, fitted, estimate, answer);
    return fit_kinds_widen(context, fitted, alpha, &estimate->interval);
}
