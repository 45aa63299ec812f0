#include "propensity_draw.h"

#include "logistic.h"
#include "search.h"
#include "selected_data.h"
#include "sort.h"

#include <math.h>
#include <string.h>

static const double label_rate = 0.3;

/* ---- chances ---- */

/* Adds the places of numbers among those of the positives, from 0 to 1. */
static dedpul_status add_ranks(struct context *context, const struct selected_data *data,
                               const double *number, bool is_down, double part, double *place)
{
    const size_t n = data->n[0];
    double *sorted = context_allocate(context, n, sizeof *sorted);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (sorted == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = number[data->row[0][i]];
        row[i] = (uint32_t)i;
    }
    TRY(sort_numbers(context, n, sorted, row));
    for (size_t i = 0; i < n; i++) {
        const double rank = (double)first_above(n, sorted, number[data->row[0][i]]) / (double)n;
        place[i] += part * (is_down ? 1 - rank : rank);
    }
    return DEDPUL_OK;
}

/* Adds the places of levels in a random order. */
static dedpul_status add_levels(struct context *context, const struct selected_data *data,
                                const struct column *column, struct rng *rng, double part, double *place)
{
    const size_t n = column->schema.n_levels;
    double *order = context_allocate(context, n + 1, sizeof *order);
    if (order == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t v = 0; v <= n; v++)
        order[v] = (double)v / (double)n;
    for (size_t v = n; v > 0; v--) {
        const size_t other = rng_below(rng, (uint32_t)v + 1);
        const double moved = order[v];
        order[v] = order[other];
        order[other] = moved;
    }
    for (size_t i = 0; i < data->n[0]; i++) {
        const uint32_t code = column->code[data->row[0][i]];
        place[i] += part * order[code < n ? code : n];
    }
    return DEDPUL_OK;
}

/* Finds the columns that the set names. */
static dedpul_status find_columns(struct context *context, const struct selected_data *data,
                                  struct table *table)
{
    size_t *column = context_allocate(context, data->n_features, sizeof *column);
    if (column == NULL)
        return DEDPUL_NO_MEMORY;
    for (const char *name = data->set->propensity; name != NULL;
         name = strchr(name, ',') != NULL ? strchr(name, ',') + 1 : NULL) {
        const size_t length = strcspn(name, ",");
        size_t c = 0;
        while (c < data->n_features && (strncmp(data->rows->column[c].schema.name, name, length) != 0 ||
                                        data->rows->column[c].schema.name[length] != '\0'))
            c++;
        if (c == data->n_features)
            return error_set(context->error, DEDPUL_INVALID_DATA, "%s has no column '%.*s'",
                             data->stream.name, (int)length, name);
        column[table->n_propensity_columns++] = c;
    }
    table->propensity_column = column;
    return DEDPUL_OK;
}

/* Turns places into chances whose mean is the rate of labels. */
static void places_to_chances(size_t n, unsigned strength, double *place)
{
    const double slope = log(strength);
    double low = -20, high = 20;
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += sigmoid(middle + slope * place[i]);
        *(sum > label_rate * (double)n ? &high : &low) = middle;
    }
    for (size_t i = 0; i < n; i++)
        place[i] = sigmoid(low + slope * place[i]);
}

/* Fills the chance of each positive of the set, in their order. */
static dedpul_status find_chances(struct context *context, const struct selected_data *data,
                                  const struct table *table, unsigned strength, unsigned repeat,
                                  struct rng *rng, double *chance)
{
    const double part = 1 / (double)table->n_propensity_columns;
    for (size_t i = 0; i < data->n[0]; i++)
        chance[i] = 0;
    for (size_t k = 0; k < table->n_propensity_columns; k++) {
        const struct column *column = &data->rows->column[table->propensity_column[k]];
        if (column->number != NULL)
            TRY(add_ranks(context, data, column->number, repeat % 2 == 1, part, chance));
        else
            TRY(add_levels(context, data, column, rng, part, chance));
    }
    places_to_chances(data->n[0], strength, chance);
    return DEDPUL_OK;
}

/* ---- rows ---- */

static dedpul_status label_rows(struct context *context, const struct selected_data *data,
                                const double *chance, size_t n_positive, const uint32_t *row, struct rng *rng,
                                struct selected_draw *draw)
{
    struct table *table = &draw->table;
    double *of_row = context_allocate(context, data->rows->n_rows, sizeof *of_row);
    if (of_row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < data->n[0]; i++)
        of_row[data->row[0][i]] = chance[i];
    draw->unlabeled[0] = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        table->propensity[i] = i < n_positive ? of_row[row[i]] : NAN;
        table->label[i] = i < n_positive && rng_uniform(rng) < table->propensity[i];
        draw->unlabeled[0] += i < n_positive && table->label[i] == 0;
    }
    draw->n_unlabeled = draw->unlabeled[0] + table->n_rows - n_positive;
    return DEDPUL_OK;
}

dedpul_status propensity_draw_rows(struct context *context, const struct selected_data *data, double share,
                                   unsigned strength, unsigned repeat, struct rng *rng,
                                   struct selected_draw *draw)
{
    const double unlabeled = data->set->unlabeled, positive = share * unlabeled / (1 - label_rate);
    const double scale =
        fmin(fmin((double)data->n[0] / positive, (double)data->n[1] / ((1 - share) * unlabeled)), 1);
    const size_t n_positive = (size_t)(scale * positive),
                 n_negative = (size_t)(scale * (1 - share) * unlabeled);
    struct table *table = &draw->table;
    *table = (struct table){.n_rows = n_positive + n_negative, .n_columns = data->n_features};
    table->column = context_allocate(context, table->n_columns, sizeof *table->column);
    table->label = context_allocate(context, table->n_rows, 1);
    table->propensity = context_allocate(context, table->n_rows, sizeof *table->propensity);
    uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
    double *chance = context_allocate(context, data->n[0], sizeof *chance);
    if (table->column == NULL || table->label == NULL || table->propensity == NULL || row == NULL ||
        chance == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(find_columns(context, data, table));
    TRY(find_chances(context, data, table, strength, repeat, rng, chance));
    TRY(selected_choose(context, data, 0, n_positive, rng, row));
    TRY(selected_choose(context, data, 1, n_negative, rng, row + n_positive));
    TRY(label_rows(context, data, chance, n_positive, row, rng, draw));
    return selected_gather(context, data->rows, row, table);
}
