/* Encodings as bytes, for model files. */
#include "encoding.h"

#include <string.h>

void encoding_save(const struct encoding *encoding, struct bytes *bytes)
{
    bytes_put_u64(bytes, encoding->n_numbered);
    bytes_put_u64(bytes, encoding->n_columns);
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct feature *feature = &encoding->column[c];
        bytes_put_text(bytes, feature->schema.name);
        bytes_put_u32(bytes, feature->schema.kind);
        bytes_put_u32(bytes, feature->use);
        bytes_put_u32(bytes, feature->has_indicator);
        bytes_put_u64(bytes, feature->schema.n_levels);
        for (size_t i = 0; i < feature->schema.n_levels; i++)
            bytes_put_text(bytes, feature->schema.level[i]);
        bytes_put_u64(bytes, feature->n_knots);
        bytes_put_f64s(bytes, feature->n_knots, feature->knot_value);
        bytes_put_f64s(bytes, feature->n_knots, feature->knot_normal);
    }
    bytes_put_f64s(bytes, encoding->width, encoding->center);
    bytes_put_f64s(bytes, encoding->width, encoding->spread);
}

/* Reads finite numbers; if `ascending`, they must ascend strictly. */
static dedpul_status get_f64s(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                              size_t n, bool ascending, double **result)
{
    double *value = context_allocate_in(context, memory, n, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    bytes_get_f64s(bytes, n, value);
    for (size_t i = 1; ascending && i < n; i++)
        bytes->failed = bytes->failed || !(value[i] > value[i - 1]);
    *result = value;
    return DEDPUL_OK;
}

/* Bytes of a column whose name is empty and which has no levels and knots. */
enum { SMALLEST_COLUMN = 8 + 4 + 4 + 4 + 8 + 8 };

static dedpul_status load_column(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                                 struct feature *feature)
{
    *feature = (struct feature){.n_knots = 0};
    feature->schema.name = bytes_get_text(context, bytes, memory);
    if (feature->schema.name == NULL)
        return DEDPUL_NO_MEMORY;
    const uint32_t kind = bytes_get_u32(bytes), use = bytes_get_u32(bytes), indicator = bytes_get_u32(bytes);
    feature->schema.n_levels = bytes_get_count(bytes, 8);
    feature->schema.level = context_allocate_in(context, memory, feature->schema.n_levels, sizeof(char *));
    if (feature->schema.level == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < feature->schema.n_levels; i++) {
        feature->schema.level[i] = bytes_get_text(context, bytes, memory);
        if (feature->schema.level[i] == NULL)
            return DEDPUL_NO_MEMORY;
        if (i > 0 && !bytes->failed && strcmp(feature->schema.level[i - 1], feature->schema.level[i]) >= 0)
            bytes->failed = true;
    }
    feature->n_knots = bytes_get_count(bytes, 16);
    TRY(get_f64s(context, bytes, memory, feature->n_knots, true, &feature->knot_value));
    TRY(get_f64s(context, bytes, memory, feature->n_knots, false, &feature->knot_normal));
    const bool text_use = use == USE_CODE || use == USE_ONE_HOT;
    const bool number_use = use == USE_NUMBER || use == USE_RANK;
    if (kind > COLUMN_TEXT || use >= N_USES || indicator > 1 ||
        (kind == COLUMN_TEXT ? number_use : text_use) || (use == USE_RANK) != (feature->n_knots > 0))
        bytes->failed = true;
    feature->schema.kind = kind == COLUMN_TEXT ? COLUMN_TEXT : COLUMN_NUMBER;
    feature->use = bytes->failed ? USE_NONE_CONSTANT : (enum feature_use)use;
    feature->has_indicator = indicator == 1;
    return DEDPUL_OK;
}

dedpul_status encoding_load(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                            struct encoding *encoding)
{
    *encoding = (struct encoding){.n_numbered = (size_t)bytes_get_u64(bytes)};
    encoding->n_columns = bytes_get_count(bytes, SMALLEST_COLUMN);
    encoding->column = context_allocate_in(context, memory, encoding->n_columns, sizeof *encoding->column);
    if (encoding->column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        TRY(load_column(context, bytes, memory, &encoding->column[c]));
        if (bytes->failed)
            return DEDPUL_OK;
    }
    encoding->width = encoding_place_features(encoding);
    if (encoding->width == 0 || encoding->width > bytes->size / 16)
        bytes->failed = true;
    if (bytes->failed)
        return DEDPUL_OK;
    TRY(get_f64s(context, bytes, memory, encoding->width, false, &encoding->center));
    TRY(get_f64s(context, bytes, memory, encoding->width, false, &encoding->spread));
    for (size_t j = 0; j < encoding->width; j++)
        bytes->failed = bytes->failed || encoding->spread[j] < 0;
    return DEDPUL_OK;
}
