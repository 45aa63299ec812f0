/* Any bytes as the content of a model file: a model that answers or a clean error. */
#include "drift.h"
#include "interpolate.h"
#include "models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As in model_file.c: magic, format, checksum and size. So many rows that columns are compared. */
enum { HEADER = 24, ROWS = 24 };

static void put(unsigned char *to, int size, uint64_t value)
{
    for (int i = 0; i < size; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

/* A file whose header fits its content; exactly so large, so that reading past the end is noticed. */
static unsigned char *make_file(const uint8_t *data, size_t size)
{
    static const unsigned char magic[8] = {0x8d, 'D', 'P', 'U', 'L', '\r', '\n', 0x1a};
    unsigned char *file = malloc(size);
    if (file == NULL)
        abort();
    memcpy(file, magic, sizeof magic);
    memcpy(file + HEADER, data + HEADER, size - HEADER);
    put(file + 8, 4, 1 + (data[8] + 4U) % 5); /* each format */
    put(file + 12, 4, crc32_z(0, file + HEADER, size - HEADER));
    put(file + 16, 8, size - HEADER);
    return file;
}

/* Values for each column: common ones, extreme ones, missing and unseen ones. */
static struct table make_rows(struct context *context, const struct encoding *encoding)
{
    static const double numbers[] = {0.5, NAN, 1.7e308, -3};
    static double number[ROWS];
    struct table table = {.n_rows = ROWS, .n_columns = encoding->n_columns};
    table.column = context_allocate(context, encoding->n_columns, sizeof *table.column);
    for (size_t i = 0; i < ROWS; i++)
        number[i] = numbers[i % 4];
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct column_schema *schema = &encoding->column[c].schema;
        uint32_t *code = context_allocate(context, ROWS, sizeof *code);
        const uint32_t last = schema->n_levels > 0 ? (uint32_t)schema->n_levels - 1 : LEVEL_MISSING;
        const uint32_t codes[] = {schema->n_levels > 0 ? 0 : LEVEL_UNSEEN, LEVEL_MISSING, LEVEL_UNSEEN, last};
        for (size_t i = 0; i < ROWS; i++)
            code[i] = codes[i % 4];
        table.column[c] = (struct column){*schema, schema->kind == COLUMN_NUMBER ? number : NULL,
                                          schema->kind == COLUMN_TEXT ? code : NULL};
    }
    return table;
}

static void compare_columns(struct context *context, const struct model *model)
{
    const struct table table = make_rows(context, &model->encoding);
    struct column_counts *counts;
    struct drift_table found;
    if (column_counts_make(context, &model->encoding, &model->profiles, &counts) != DEDPUL_OK ||
        column_counts_add(context, &model->encoding, &model->profiles, &table, counts) != DEDPUL_OK ||
        find_drift(context, &model->encoding, &model->profiles, ROWS, counts, context->arena, &found) !=
            DEDPUL_OK)
        abort();
    for (size_t i = 0; i < found.n; i++) {
        const struct drift *drift = &found.column[i];
        if (!(drift->chance >= 0 && drift->chance < DRIFT_CHANCE) || !(drift->distance >= 0) ||
            drift->change[0] == '\0')
            abort();
    }
}

static void score_rows(struct context *context, const struct model *model, const struct scorer *scorer)
{
    const struct table table = make_rows(context, &model->encoding);
    float *x = context_allocate(context, ROWS, model->encoding.width * sizeof *x);
    double logit[ROWS];
    if (encoding_apply(context, &model->encoding, &table, x) != DEDPUL_OK)
        abort();
    const dedpul_status status = scorer_score(context, scorer, ROWS, x, NULL, logit);
    if (status != DEDPUL_OK && status != DEDPUL_INVALID_DATA) /* finite weights may still overflow */
        abort();
    for (size_t i = 0; status == DEDPUL_OK && i < ROWS; i++)
        if (!isfinite(logit[i]) ||
            !(interpolate(model->curve.n, model->curve.logit, model->curve.ratio, logit[i]) >= 0))
            abort();
}

static void predict_rows(const dedpul_model *model, int pn)
{
    const size_t cells = ROWS * model->model.encoding.n_columns;
    double *x = malloc(cells * sizeof *x), posterior[ROWS];
    const dedpul_predict_options options = {.size = sizeof options, .pn = pn, .threads = 1};
    const dedpul_matrix rows = {ROWS, model->model.encoding.n_columns, x, NULL};
    dedpul_error error;
    if (x == NULL)
        abort();
    for (size_t i = 0; i < cells; i++)
        x[i] = i % 5 == 0 ? NAN : (double)i - 3;
    if (dedpul_model_predict(model, &rows, &options, NULL, posterior, NULL, &error) == DEDPUL_OK)
        for (size_t i = 0; i < ROWS; i++)
            if (!(posterior[i] >= 0 && posterior[i] <= 1 + 1e-9))
                abort();
    free(x);
}

static void use(const dedpul_model *model)
{
    const dedpul_model_info *info = dedpul_model_describe(model);
    struct arena arena;
    dedpul_error error;
    if (!(info->alpha >= 0 && info->alpha <= 1) || info->n_members == 0 || info->n_features == 0)
        abort();
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    score_rows(&context, &model->model, &model->model.ntc);
    if (model->model.profiles.rows > 0)
        compare_columns(&context, &model->model);
    if (info->has_pn)
        score_rows(&context, &model->model, &model->model.pn.scorer);
    arena_free(&arena);
    for (int pn = 0; pn <= info->has_pn; pn++)
        predict_rows(model, pn);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dedpul_model *model;
    dedpul_error error;
    /* XGBoost trusts the bytes of its trees. */
    if (size < HEADER || memmem(data, size, "gbdt", 4) != NULL)
        return 0;
    unsigned char *file = make_file(data, size);
    const dedpul_status status = model_of_bytes("fuzz", size, file, NULL, &model, &error);
    free(file); /* a model keeps none of it */
    if (status == DEDPUL_OK) {
        use(model);
        dedpul_model_free(model);
    } else if (status != DEDPUL_INVALID_DATA) {
        abort();
    }
    return 0;
}
