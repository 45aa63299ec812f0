#include "summary.h"

#include "error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *measure_name(enum measure measure)
{
    static const char *const name[N_MEASURES] = {"abs_error",
                                                 "posterior_mae",
                                                 "error",
                                                 "f1",
                                                 "roc_auc",
                                                 "seconds",
                                                 "covered",
                                                 "width",
                                                 "log_loss",
                                                 "brier",
                                                 "calibration",
                                                 "plain_log_loss",
                                                 [MEASURE_GAP] = "auc_gap",
                                                 "precision_gap",
                                                 "recall_gap",
                                                 "f1_gap",
                                                 [MEASURE_HELD] = "auc_held",
                                                 "precision_held",
                                                 "recall_held",
                                                 "f1_held",
                                                 [MEASURE_ASKED] = "asked_reached",
                                                 "curve_precision_gap",
                                                 "curve_recall_gap"};
    return name[measure];
}

enum measure task_measure(enum kind kind, enum task task)
{
    if (task == TASK_PROPORTION)
        return MEASURE_ABS_ERROR;
    return kind == KIND_SYNTHETIC ? MEASURE_POSTERIOR_MAE : MEASURE_ERROR;
}

/* ---- statistics ---- */

/* Adds one value; NaN is ignored. */
static void statistic_add(struct statistic *statistic, double value)
{
    if (isnan(value))
        return;
    const double before = statistic->n > 0 ? statistic->mean : 0, difference = value - before;
    statistic->n++;
    statistic->mean = before + difference / statistic->n;
    statistic->squares += difference * (value - statistic->mean);
}

double standard_error(const struct statistic *statistic)
{
    const double n = statistic->n;
    return n < 2 ? NAN : sqrt(statistic->squares / (n - 1) / n);
}

/* ---- settings ---- */

/* "datasets/default" is of the kind "datasets". */
static int kind_of_setting(const char *name, enum kind *kind)
{
    const size_t length = strcspn(name, "/");
    for (unsigned k = 0; k < N_KINDS; k++) {
        *kind = (enum kind)k;
        if (name[length] == '/' && strlen(kind_name(*kind)) == length &&
            memcmp(name, kind_name(*kind), length) == 0)
            return 1;
    }
    return 0;
}

static void link_published(struct setting *setting, const struct published_results *published)
{
    const struct variant *variant;
    for (unsigned m = 0; m < MOST_METHODS && (variant = variant_at(m)) != NULL; m++) {
        const char *name = published_name(setting->name, variant);
        for (size_t p = 0; p < setting->n_places && name != NULL; p++)
            setting->cell[m][p].published =
                published_find(published, setting->place[p].set, setting->place[p].alpha, name);
    }
}

static void setting_init(struct setting *setting, const char *name, enum kind kind,
                         const struct published_results *published)
{
    const struct set *set;
    memset(setting, 0, sizeof *setting);
    (void)snprintf(setting->name, sizeof setting->name, "%s", name);
    setting->kind = kind;
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++)
        for (unsigned a = 0; a < set->n_samples && set->kind == kind && setting->n_places < MOST_PLACES; a++)
            setting->place[setting->n_places++] = (struct place){set, set->sample[a].alpha};
    for (size_t m = 0; m < MOST_METHODS; m++)
        for (size_t p = 0; p < MOST_PLACES; p++)
            for (size_t i = 0; i < N_MEASURES; i++)
                setting->cell[m][p].of[i].mean = NAN;
    link_published(setting, published);
}

/* Rows are sorted, so that those of one setting are neighbours: it is the last setting or a new one. */
static dedpul_status setting_of(struct summary *summary, const char *name, struct setting **setting,
                                dedpul_error *error)
{
    enum kind kind;
    if (summary->n == 0 || strcmp(summary->setting[summary->n - 1].name, name) != 0) {
        struct setting *grown = realloc(summary->setting, (summary->n + 1) * sizeof *grown);
        if (grown == NULL)
            return error_set(error, DEDPUL_NO_MEMORY, "out of memory summarising the results");
        summary->setting = grown;
        if (!kind_of_setting(name, &kind))
            return error_set(error, DEDPUL_INVALID_DATA,
                             "results: setting '%s' begins neither with 'synthetic/' nor with 'datasets/'",
                             name);
        setting_init(&summary->setting[summary->n++], name, kind, &summary->published);
    }
    *setting = &summary->setting[summary->n - 1];
    return DEDPUL_OK;
}

/* ---- cells ---- */

static dedpul_status cell_of(struct setting *setting, const struct outcome *row, struct cell **cell,
                             dedpul_error *error)
{
    const struct variant *variant = NULL;
    size_t m = 0, p = 0;
    while (m < MOST_METHODS && (variant = variant_at((unsigned)m)) != NULL &&
           strcmp(variant->name, row->method) != 0)
        m++;
    if (m == MOST_METHODS || variant == NULL)
        return error_set(error, DEDPUL_INVALID_DATA, "results: unknown method '%s'", row->method);
    while (p < setting->n_places && (strcmp(setting->place[p].set->name, row->set) != 0 ||
                                     fabs(setting->place[p].alpha - row->alpha) > 1e-9))
        p++;
    if (p == setting->n_places)
        return error_set(error, DEDPUL_INVALID_DATA, "results: %s has no set '%s' with alpha %g",
                         setting->name, row->set, row->alpha);
    *cell = &setting->cell[m][p];
    return DEDPUL_OK;
}

/*
 * Two rows of the same cell and repeat are an error, because we cannot know which one counts. They are
 * neighbours among sorted rows.
 */
static dedpul_status check_differ(const struct outcome *a, const struct outcome *b, dedpul_error *error)
{
    if (a->repeat != b->repeat || a->alpha != b->alpha || strcmp(a->method, b->method) != 0 ||
        strcmp(a->set, b->set) != 0 || strcmp(a->setting, b->setting) != 0)
        return DEDPUL_OK;
    return error_set(error, DEDPUL_INVALID_DATA,
                     "results: there are two rows of %s, %s, alpha %g, repeat %u, %s; remove one of them",
                     a->setting, a->set, a->alpha, a->repeat, a->method);
}

/* Tells whether the interval holds the target; NaN without an interval or a target. */
static double covered(const struct outcome *row)
{
    if (isnan(row->low) || isnan(row->high) || isnan(row->target))
        return NAN;
    return row->low <= row->target && row->target <= row->high;
}

/* The least precision that will do if 0.9 was asked for. */
static const double least_asked = 0.85;

static dedpul_status add_row(struct summary *summary, const struct outcome *row, dedpul_error *error)
{
    double value[N_MEASURES] = {
        [MEASURE_ABS_ERROR] = row->abs_error,
        [MEASURE_POSTERIOR_MAE] = row->posterior_mae,
        [MEASURE_ERROR] = row->error,
        [MEASURE_F1] = row->f1,
        [MEASURE_ROC_AUC] = row->roc_auc,
        [MEASURE_SECONDS] = row->seconds,
        [MEASURE_COVERED] = covered(row),
        [MEASURE_WIDTH] = row->high - row->low,
        [MEASURE_LOG_LOSS] = row->log_loss,
        [MEASURE_BRIER] = row->brier,
        [MEASURE_CALIBRATION] = row->calibration,
        [MEASURE_PLAIN_LOG_LOSS] = row->plain_log_loss,
        [MEASURE_CURVE_PRECISION] = row->curve_precision_gap,
        [MEASURE_CURVE_RECALL] = row->curve_recall_gap,
        [MEASURE_ASKED] = isnan(row->asked_precision) ? NAN : (double)(row->asked_precision >= least_asked),
    };
    for (size_t k = 0; k < N_CHECKED; k++) {
        value[MEASURE_GAP + k] = fabs(row->gap[k]);
        value[MEASURE_HELD + k] = row->held[k];
    }
    struct setting *setting;
    struct cell *cell;
    TRY(setting_of(summary, row->setting, &setting, error));
    TRY(cell_of(setting, row, &cell, error));
    cell->repeats++;
    for (size_t i = 0; i < N_MEASURES; i++)
        statistic_add(&cell->of[i], value[i]);
    return DEDPUL_OK;
}

dedpul_status summary_make(struct summary *summary, struct results *results, dedpul_error *error)
{
    *summary = (struct summary){0, NULL, {0, 0, NULL}};
    results_sort(results);
    dedpul_status status = published_read(&summary->published, error);
    for (size_t i = 0; i < results->n && status == DEDPUL_OK; i++) {
        if (i > 0)
            status = check_differ(&results->row[i - 1], &results->row[i], error);
        if (status == DEDPUL_OK)
            status = add_row(summary, &results->row[i], error);
    }
    if (status != DEDPUL_OK)
        summary_free(summary);
    return status;
}

void summary_free(struct summary *summary)
{
    free(summary->setting);
    published_free(&summary->published);
    *summary = (struct summary){0, NULL, {0, 0, NULL}};
}
