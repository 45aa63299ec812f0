#include "fit_check.h"

#include "fit_propensity.h"
#include "found_kinds.h"
#include "weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what a kind is like ---- */

enum { N_TRAITS = 2, TRAIT_SIZE = 2 * QUOTE_SIZE };
static const double least_trait = 0.5; /* difference of means, in standard deviations */

/* The mean of each feature over the labeled rows of a kind, less that over the labeled rows of the others. */
static void find_differences(const struct fit_rows *rows, const struct kinds *kinds, uint32_t kind,
                             double *difference /* (width) */)
{
    const double own = kinds->weight[kind];
    double others = 0;
    for (size_t k = 0; k < kinds->n; k++)
        others += k == kind ? 0 : kinds->weight[k];
    for (size_t c = 0; c < rows->width; c++)
        difference[c] = 0;
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        if (kinds->of_row[i] >= kinds->n)
            continue;
        const double weight = weight_at(rows->table->weight, i) / (kinds->of_row[i] == kind ? own : -others);
        for (size_t c = 0; c < rows->width; c++)
            difference[c] += weight * (double)rows->x[i * rows->width + c];
    }
}

/* Says what a high (or low) value of a feature means: "age high", "job is student", "age missing". */
static void describe_feature(const struct encoding *encoding, size_t feature, bool is_high,
                             char text[TRAIT_SIZE])
{
    const struct feature *column = encoding_column(encoding, feature);
    const size_t place = feature - column->first;
    char name[QUOTE_SIZE], level[QUOTE_SIZE];
    (void)quote_text(name, column->schema.name, strlen(column->schema.name));
    if (column->use == USE_MISSING_ONLY || (column->has_indicator && place + 1 == column->width))
        (void)snprintf(text, TRAIT_SIZE, "%s %s", name, is_high ? "missing" : "not missing");
    else if (column->use == USE_ONE_HOT)
        (void)snprintf(text, TRAIT_SIZE, "%s %s %s", name, is_high ? "is" : "is not",
                       quote_text(level, column->schema.level[place], strlen(column->schema.level[place])));
    else if (column->use == USE_CODE && column->schema.n_levels == 2)
        (void)snprintf(
            text, TRAIT_SIZE, "%s is %s", name,
            quote_text(level, column->schema.level[is_high], strlen(column->schema.level[is_high])));
    else
        (void)snprintf(text, TRAIT_SIZE, "%s %s", name, is_high ? "high" : "low");
}

static dedpul_status describe_kind(struct context *context, const struct encoding *encoding,
                                   const struct fit_rows *rows, const struct kinds *kinds, uint32_t kind,
                                   struct arena *memory, char **traits)
{
    struct block *mark = context_mark(context);
    double *difference = context_allocate(context, rows->width, sizeof *difference);
    char *text = *traits = context_allocate_in(context, memory, N_TRAITS, TRAIT_SIZE + 2);
    if (difference == NULL || text == NULL)
        return DEDPUL_NO_MEMORY;
    *text = '\0';
    find_differences(rows, kinds, kind, difference);
    for (size_t t = 0; t < N_TRAITS; t++) {
        char trait[TRAIT_SIZE];
        size_t largest = 0;
        for (size_t c = 1; c < rows->width; c++)
            largest = fabs(difference[c]) > fabs(difference[largest]) ? c : largest;
        if (image_shape_is_set(rows->table->image) || !(fabs(difference[largest]) >= least_trait))
            break; /* a pixel tells people nothing */
        describe_feature(encoding, largest, difference[largest] > 0, trait);
        text += snprintf(text, TRAIT_SIZE + 2, "%s%s", t > 0 ? ", " : "", trait);
        const struct feature *column = encoding_column(encoding, largest);
        for (size_t c = column->first; c < column->first + column->width; c++)
            difference[c] = 0;
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- the check ---- */

static void warn_of_alarm(struct context *context, const struct checked_labels *checked, const char *advice)
{
    const struct label_check *check = &checked->check;
    size_t often = 0, rarely = 0;
    char name[2][QUOTE_SIZE];
    for (size_t k = 1; k < check->n_kinds; k++) {
        often = check->kind[k].deviation > check->kind[often].deviation ? k : often;
        rarely = check->kind[k].deviation < check->kind[rarely].deviation ? k : rarely;
    }
    context_warn(
        context, DEDPUL_WARNING_PICKED_LABELS,
        "the labeled rows are probably not a random draw of the positives (p = %.2g): of %s at least "
        "%.0f%% seem to be labeled, of %s at most %.0f%%. alpha is then mostly too low. %s",
        check->p_value, quote_text(name[0], checked->name[often], strlen(checked->name[often])),
        100 * check->kind[often].low,
        quote_text(name[1], checked->name[rarely], strlen(checked->name[rarely])),
        100 * check->kind[rarely].high, advice);
}

static void warn_unchecked(struct context *context, const char *why)
{
    context_warn(context, DEDPUL_WARNING_LABELS_UNCHECKED,
                 "whether the labeled rows are a random draw of the positives could not be checked: %s", why);
}

static bool are_independent(struct context *context, const struct fit_rows *rows)
{
    if (rows->groups != NULL)
        warn_unchecked(context,
                       rows->table->group != NULL
                           ? "rows are in groups, and the check takes them to be independent"
                           : "rows are copies of others, and the check takes them to be independent");
    return rows->groups == NULL;
}

dedpul_status fit_check_tell(struct context *context, const struct encoding *encoding,
                             const struct fit_rows *rows, const struct kinds *kinds,
                             const struct label_check *check, bool has_found_kinds, const char *advice,
                             struct arena *memory, struct checked_labels *checked)
{
    struct checked_labels done = {.is_done = true, .check = *check, .has_found_kinds = has_found_kinds};
    if (isnan(check->p_value)) {
        char why[112];
        (void)snprintf(why, sizeof why,
                       "it takes at least two kinds of labeled rows, and at least %d rows of each",
                       has_found_kinds ? (int)FEWEST_FOUND : (int)FEWEST_CHECKED);
        warn_unchecked(context, why);
        return DEDPUL_OK;
    }
    done.name = context_allocate_in(context, memory, kinds->n, sizeof *done.name);
    done.traits = context_allocate_in(context, memory, kinds->n, sizeof *done.traits);
    if (done.name == NULL || done.traits == NULL)
        return DEDPUL_NO_MEMORY;
    for (uint32_t k = 0; k < kinds->n; k++) {
        const size_t size = strlen(kinds->name[k]) + 1;
        done.name[k] = context_allocate_in(context, memory, size, 1);
        if (done.name[k] == NULL)
            return DEDPUL_NO_MEMORY;
        memcpy(done.name[k], kinds->name[k], size);
        TRY(describe_kind(context, encoding, rows, kinds, k, memory, &done.traits[k]));
    }
    *checked = done;
    if (check->p_value < LABEL_CHECK_LEVEL)
        warn_of_alarm(context, checked, advice);
    return DEDPUL_OK;
}

dedpul_status fit_check_kinds(struct context *context, const struct encoding *encoding,
                              const struct fit_rows *rows, const struct fitted_kinds *fitted,
                              struct arena *memory, struct checked_labels *checked)
{
    const struct kind_rows kind_rows = fitted_kind_rows(rows, fitted);
    struct label_check check;
    if (!are_independent(context, rows))
        return DEDPUL_OK;
    TRY(label_check(context, &kind_rows, memory, &check));
    return fit_check_tell(context, encoding, rows, &fitted->kinds, &check, false,
                          "The kinds correct for that", memory, checked);
}

dedpul_status fit_check_rows(struct context *context, const struct encoding *encoding,
                             const struct fit_rows *rows, struct arena *memory,
                             struct checked_labels *checked)
{
    struct block *mark = context_mark(context);
    struct fitted_kinds fitted;
    struct label_check check;
    if (!are_independent(context, rows))
        return DEDPUL_OK;
    TRY(found_kinds_choose(context, rows, memory, &fitted, &check));
    TRY(fit_check_tell(
        context, encoding, rows, &fitted.kinds, &check, true,
        has_propensity(rows->table)
            ? "Labels depend on more than the columns or the chances that are given"
            : "If positives come in kinds, say which (--kind), or let kinds be found (--kind auto)",
        memory, checked));
    context_release(context, mark);
    return DEDPUL_OK;
}
