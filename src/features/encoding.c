#include "encoding.h"

#include "parallel.h"
#include "quantile_map.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

const char *feature_use_name(const struct feature *feature)
{
    switch (feature->use) {
    case USE_NONE_CONSTANT:
        return "dropped: constant";
    case USE_NONE_MISSING:
        return "dropped: all missing";
    case USE_MISSING_ONLY:
        return "missing or not";
    case USE_NUMBER:
        return "number";
    case USE_RANK:
        return "rank";
    case USE_CODE:
        return "code";
    case USE_ONE_HOT:
        return "one-hot";
    default:
        return "unknown";
    }
}

const struct feature *encoding_column(const struct encoding *encoding, size_t feature)
{
    size_t c = 0;
    while (encoding->column[c].first + encoding->column[c].width <= feature)
        c++;
    return &encoding->column[c];
}

/* Returns the number of features that the value itself becomes. */
static size_t value_width(const struct feature *feature)
{
    switch (feature->use) {
    case USE_NUMBER:
    case USE_RANK:
    case USE_CODE:
        return 1;
    case USE_ONE_HOT:
        return feature->schema.n_levels;
    default:
        return 0;
    }
}

size_t encoding_place_features(struct encoding *encoding)
{
    size_t width = 0;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        struct feature *feature = &encoding->column[c];
        feature->first = width;
        feature->width = value_width(feature) + feature->has_indicator;
        width += feature->width;
    }
    return width;
}

/* ---- the features of one column ---- */

/* Levels are sorted in both, so one walk through both lists is enough. */
dedpul_status encoding_match_levels(struct context *context, const struct column_schema *known,
                                    const struct column_schema *in_table, uint32_t **known_as)
{
    *known_as = context_allocate(context, in_table->n_levels, sizeof **known_as);
    if (*known_as == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0, k = 0; i < in_table->n_levels; i++) {
        while (k < known->n_levels && strcmp(known->level[k], in_table->level[i]) < 0)
            k++;
        const bool is_known = k < known->n_levels && strcmp(known->level[k], in_table->level[i]) == 0;
        (*known_as)[i] = is_known ? (uint32_t)k : LEVEL_UNSEEN;
    }
    return DEDPUL_OK;
}

static bool is_missing(const struct column *column, size_t row)
{
    if (column->schema.kind == COLUMN_NUMBER)
        return isnan(column->number[row]);
    return column->code[row] >= LEVEL_UNSEEN; /* an unseen level is as unknown as a missing one */
}

/* Beyond the first, sums of squares overflow; beyond the second, sums of features as floats. */
static const double largest_number = 1e140, largest_feature = 1e30;

/* NaN stays NaN. */
static double clamp(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* Computes feature j for n rows of a column, from `first` on, before centering. NaN stands for the center. */
static void number_values(const struct feature *feature, const double *number, size_t j, size_t first,
                          size_t n, double *value)
{
    number += first;
    if (j == value_width(feature))
        for (size_t i = 0; i < n; i++)
            value[i] = isnan(number[i]);
    else if (feature->use == USE_RANK)
        quantile_map_apply(feature->n_knots, feature->knot_value, feature->knot_normal, n, number, value);
    else
        for (size_t i = 0; i < n; i++)
            value[i] = clamp(number[i], largest_number);
}

static void text_values(const struct feature *feature, const uint32_t *code, const uint32_t *known_as,
                        size_t j, size_t first, size_t n, double *value)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t in_table = code[first + i];
        const uint32_t known = in_table < LEVEL_UNSEEN ? known_as[in_table] : in_table;
        if (j == value_width(feature)) /* an unseen level is not missing */
            value[i] = known == LEVEL_MISSING;
        else if (feature->use == USE_ONE_HOT)
            value[i] = known == j;
        else
            value[i] = known < LEVEL_UNSEEN ? (double)known : NAN;
    }
}

static void raw_values(const struct feature *feature, const struct column *column, const uint32_t *known_as,
                       size_t j, size_t first, size_t n, double *value /* (n) */)
{
    if (column->schema.kind == COLUMN_NUMBER)
        number_values(feature, column->number, j, first, n, value);
    else
        text_values(feature, column->code, known_as, j, first, n, value);
}

/* ---- learning ---- */

struct learning {
    const struct table *table;
    const struct encoding_plan *plan;
    struct encoding *encoding;
};

static bool counts(const struct table *table, size_t row)
{
    return table->weight == NULL || table->weight[row] > 0;
}

static dedpul_status copy_text(struct context *context, struct arena *memory, const char *text, char **copy)
{
    *copy = context_copy_text(context, memory, text);
    return *copy != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/* Copies the schema, with only the levels of rows that count. */
static dedpul_status copy_schema(struct context *context, const struct table *table,
                                 const struct column *column, struct arena *memory, struct column_schema *to)
{
    struct block *mark = context_mark(context);
    const struct column_schema *from = &column->schema;
    bool *occurs = context_allocate(context, from->n_levels, sizeof *occurs);
    *to = (struct column_schema){.kind = from->kind};
    to->level = context_allocate_in(context, memory, from->n_levels, sizeof *to->level);
    if (occurs == NULL || to->level == NULL)
        return DEDPUL_NO_MEMORY;
    memset(occurs, 0, from->n_levels * sizeof *occurs);
    for (size_t i = 0; from->kind == COLUMN_TEXT && i < table->n_rows; i++)
        if (counts(table, i) && !is_missing(column, i))
            occurs[column->code[i]] = true;
    for (size_t i = 0; i < from->n_levels; i++)
        if (occurs[i])
            TRY(copy_text(context, memory, from->level[i], &to->level[to->n_levels++]));
    context_release(context, mark);
    return copy_text(context, memory, from->name, &to->name);
}

/*
 * Returns the number of different values in the rows that count; 3 means three or more. Also tells whether
 * some are missing.
 */
static size_t count_values(const struct table *table, const struct column *column, bool *some_missing)
{
    double seen[2];
    size_t distinct = 0;
    *some_missing = false;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (!counts(table, i))
            continue;
        if (is_missing(column, i)) {
            *some_missing = true;
            continue;
        }
        const double value =
            column->schema.kind == COLUMN_NUMBER ? column->number[i] : (double)column->code[i];
        if (distinct < 3 && !(distinct > 0 && value == seen[0]) && !(distinct > 1 && value == seen[1])) {
            if (distinct < 2)
                seen[distinct] = value;
            distinct++;
        }
    }
    return distinct;
}

/* Decides which features one column becomes, and learns its quantile map if it needs one. */
static dedpul_status learn_column(struct context *context, const struct learning *learning, size_t c,
                                  struct arena *memory)
{
    const struct column *column = &learning->table->column[c];
    struct feature *feature = &learning->encoding->column[c];
    bool some_missing;
    *feature = (struct feature){.n_knots = 0};
    TRY(copy_schema(context, learning->table, column, memory, &feature->schema));
    if (image_shape_is_set(learning->table->image)) { /* an image keeps all its pixels, as they are */
        feature->use = USE_NUMBER;
        return DEDPUL_OK;
    }
    const size_t distinct = count_values(learning->table, column, &some_missing);
    feature->has_indicator = some_missing && distinct > 0;
    if (distinct == 0)
        feature->use = USE_NONE_MISSING;
    else if (distinct == 1)
        feature->use = some_missing ? USE_MISSING_ONLY : USE_NONE_CONSTANT;
    else if (column->schema.kind == COLUMN_TEXT)
        feature->use =
            learning->plan->text == ENCODE_ONEHOT && feature->schema.n_levels > 2 ? USE_ONE_HOT : USE_CODE;
    else
        feature->use = USE_NUMBER;
    if (feature->use == USE_NUMBER && learning->plan->scale == SCALE_RANK) {
        TRY(quantile_map_learn(context, learning->table->n_rows, column->number, learning->table->weight,
                               memory, &feature->n_knots, &feature->knot_value, &feature->knot_normal));
        if (feature->n_knots > 0)
            feature->use = USE_RANK;
    }
    return DEDPUL_OK;
}

/* With ordinal encoding, the codes of text columns stay as they are. */
static bool is_scaled(const struct learning *learning, const struct feature *feature)
{
    return learning->plan->scale != SCALE_NONE &&
           !(feature->use == USE_CODE && learning->plan->text == ENCODE_ORDINAL);
}

/* Computes mean and standard deviation of each feature of a column, over the rows that have a value. */
static dedpul_status learn_scale(struct context *context, void *argument, size_t c)
{
    const struct learning *learning = argument;
    const struct table *table = learning->table;
    const struct feature *feature = &learning->encoding->column[c];
    uint32_t *known_as;
    TRY(encoding_match_levels(context, &feature->schema, &table->column[c].schema, &known_as));
    double *value = context_allocate(context, table->n_rows, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t j = 0; j < feature->width; j++) {
        double *center = &learning->encoding->center[feature->first + j];
        double *spread = &learning->encoding->spread[feature->first + j];
        double total = 0, sum = 0, squares = 0;
        raw_values(feature, &table->column[c], known_as, j, 0, table->n_rows, value);
        for (size_t i = 0; i < table->n_rows; i++)
            if (!isnan(value[i])) {
                total += weight_at(table->weight, i);
                sum += weight_at(table->weight, i) * value[i];
            }
        const double mean = sum / total;
        for (size_t i = 0; i < table->n_rows; i++)
            if (!isnan(value[i]))
                squares += weight_at(table->weight, i) * (value[i] - mean) * (value[i] - mean);
        *center = mean;
        *spread = sqrt(squares / total);
    }
    return DEDPUL_OK;
}

/* Gives all pixels of images one center and spread, those of all pixels of all rows. */
static dedpul_status share_scale(struct context *context, struct encoding *encoding)
{
    const double n = (double)encoding->width;
    double center = 0, squares = 0;
    for (size_t j = 0; j < encoding->width; j++)
        center += encoding->center[j] / n;
    for (size_t j = 0; j < encoding->width; j++) {
        const double within = encoding->spread[j], between = encoding->center[j] - center;
        squares += (within * within + between * between) / n;
    }
    const double spread = sqrt(squares);
    if (!(spread > 1e-9 * fabs(center))) /* 0 but for rounding */
        return error_set(context->error, DEDPUL_INVALID_DATA, "all pixels of all images are %g", center);
    for (size_t j = 0; j < encoding->width; j++) {
        encoding->center[j] = center;
        encoding->spread[j] = spread;
    }
    return DEDPUL_OK;
}

/*
 * A spread of 0 marks a feature that is not scaled. Its center is kept, because a missing value becomes the
 * mean even then.
 */
static void settle_spreads(const struct learning *learning)
{
    for (size_t c = 0; c < learning->encoding->n_columns; c++) {
        const struct feature *feature = &learning->encoding->column[c];
        for (size_t j = 0; j < feature->width; j++) {
            double *spread = &learning->encoding->spread[feature->first + j];
            if (!is_scaled(learning, feature))
                *spread = 0;
            else if (*spread == 0)
                *spread = 1;
        }
    }
}

/* Ranking the values takes most of the time. */
static dedpul_status report(struct context *context, size_t done, size_t n_columns)
{
    const dedpul_progress progress = {
        .stage = "encode", .step = done, .steps = n_columns, .loss = NAN, .unit = DEDPUL_UNIT_COLUMNS};
    return context_report(context, &progress);
}

dedpul_status encoding_learn(struct context *context, const struct table *table, size_t n_numbered,
                             const struct encoding_plan *plan, struct arena *memory,
                             struct encoding *encoding)
{
    struct learning learning = {table, plan, encoding};
    *encoding = (struct encoding){.n_columns = table->n_columns, .n_numbered = n_numbered};
    encoding->column = context_allocate_in(context, memory, table->n_columns, sizeof *encoding->column);
    if (encoding->column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < table->n_columns; c++) {
        TRY(learn_column(context, &learning, c, memory));
        TRY(report(context, c + 1, table->n_columns));
    }
    encoding->width = encoding_place_features(encoding);
    TRY(encoding_warn(context, table, encoding));
    if (encoding->width == 0)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "no column is left to learn from: %s. Name more columns, or check the file",
                         table->n_columns == 0 ? "there is none beside those of labels and weights"
                                               : "each is constant or all missing");
    encoding->center = context_allocate_in(context, memory, encoding->width, sizeof *encoding->center);
    encoding->spread = context_allocate_in(context, memory, encoding->width, sizeof *encoding->spread);
    if (encoding->center == NULL || encoding->spread == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for(context, encoding->n_columns, learn_scale, &learning));
    if (image_shape_is_set(table->image))
        TRY(share_scale(context, encoding));
    settle_spreads(&learning);
    return DEDPUL_OK;
}

/* ---- applying ---- */

struct applying {
    const struct encoding *encoding;
    const struct table *table;
    uint32_t **known_as; /* (n_columns) the encoding's codes for each column's levels */
    float *x;
};

/* The size of a tile. Columns are read and the matrix is written tile by tile, so in whole cache lines. */
enum { APPLY_ROWS = 256, APPLY_FEATURES = 16 };

static dedpul_status apply_rows(struct context *context, void *argument, size_t index)
{
    const struct applying *applying = argument;
    const struct encoding *encoding = applying->encoding;
    const size_t first = index * APPLY_ROWS, left = applying->table->n_rows - first;
    const size_t n = left < APPLY_ROWS ? left : APPLY_ROWS, width = encoding->width;
    float *const x = applying->x + first * width;
    float tile[APPLY_ROWS][APPLY_FEATURES];
    size_t tile_first = 0;
    (void)context;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct feature *feature = &encoding->column[c];
        for (size_t j = 0; j < feature->width; j++) {
            const size_t place = feature->first + j, in_tile = place - tile_first;
            const double center = encoding->center[place], spread = encoding->spread[place];
            double value[APPLY_ROWS];
            raw_values(feature, &applying->table->column[c], applying->known_as[c], j, first, n, value);
            for (size_t i = 0; i < n; i++) {
                const double known = isnan(value[i]) ? center : value[i];
                const double scaled = spread > 0 ? (known - center) / spread : known;
                tile[i][in_tile] = (float)clamp(scaled, largest_feature);
            }
            /* Copy the tile to the matrix when it is full, or after the last feature. */
            if (in_tile + 1 < APPLY_FEATURES && place + 1 < width)
                continue;
            for (size_t i = 0; i < n; i++)
                memcpy(x + i * width + tile_first, tile[i], (in_tile + 1) * sizeof *x);
            tile_first = place + 1;
        }
    }
    return DEDPUL_OK;
}

dedpul_status encoding_apply(struct context *context, const struct encoding *encoding,
                             const struct table *table, float *x)
{
    struct block *mark = context_mark(context);
    uint32_t **known_as = context_allocate(context, encoding->n_columns, sizeof *known_as);
    if (known_as == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++)
        TRY(encoding_match_levels(context, &encoding->column[c].schema, &table->column[c].schema,
                                  &known_as[c]));
    struct applying applying = {encoding, table, known_as, x};
    const size_t n_tasks = table->n_rows / APPLY_ROWS + (table->n_rows % APPLY_ROWS != 0);
    TRY(parallel_for(context, n_tasks, apply_rows, &applying));
    context_release(context, mark);
    return DEDPUL_OK;
}
