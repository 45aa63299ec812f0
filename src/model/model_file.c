/*
 * Model files: a header (magic, format, size and checksum of the rest), then the account of the fit,
 * encoding, curve and classifiers, all little-endian.
 */
#include "model_file.h"

#include "output_file.h"
#include "stream.h"
#include "train.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* As PNG's: a high byte, CR LF and ^Z notice transfers that are not binary. */
static const unsigned char magic[8] = {0x8d, 'D', 'P', 'U', 'L', '\r', '\n', 0x1a};

/* Of what follows: 1 had no shape of images. A reader refuses any later one. */
enum { FIRST_FORMAT = 1, FORMAT = 2 };

static uint32_t checksum(size_t size, const unsigned char *data)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, size);
}

/* ---- saving ---- */

static dedpul_status save_scorer(struct context *context, const struct scorer *scorer, struct bytes *bytes)
{
    bytes_put_u32(bytes, (uint32_t)scorer->n_parts);
    bytes_put_f64(bytes, scorer->center);
    bytes_put_f64(bytes, scorer->spread);
    for (size_t k = 0; k < scorer->n_parts; k++) {
        bytes_put_f64(bytes, scorer->part_center[k]);
        bytes_put_f64(bytes, scorer->part_spread[k]);
        TRY(ensemble_save(context, &scorer->part[k], bytes));
    }
    return DEDPUL_OK;
}

static dedpul_status save_content(struct context *context, const dedpul_model *model, struct bytes *bytes)
{
    const dedpul_model_info *info = &model->info;
    const double numbers[] = {info->alpha,      info->alpha_c, info->alpha_n,  info->scale,
                              info->mean_ratio, info->auc,     model->pn_shift};
    bytes_put_text(bytes, info->version);
    bytes_put_text(bytes, info->method);
    bytes_put_text(bytes, info->settings);
    bytes_put_u32(bytes, info->rule);
    bytes_put_u64(bytes, info->n_positive);
    bytes_put_u64(bytes, info->n_unlabeled);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bytes_put_f64(bytes, numbers[i]);
    bytes_put_u64(bytes, model->image.height);
    bytes_put_u64(bytes, model->image.width);
    bytes_put_u64(bytes, model->image.channels);
    encoding_save(&model->encoding, bytes);
    bytes_put_u64(bytes, model->curve.n);
    for (size_t i = 0; i < model->curve.n; i++) {
        bytes_put_f64(bytes, model->curve.logit[i]);
        bytes_put_f64(bytes, model->curve.ratio[i]);
    }
    TRY(save_scorer(context, &model->ntc, bytes));
    TRY(save_scorer(context, &model->pn, bytes));
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

static dedpul_status save(struct context *context, const dedpul_model *model, struct output_file *file,
                          const char *path)
{
    struct bytes content, header;
    bytes_init(&content, context);
    TRY(save_content(context, model, &content));
    bytes_init(&header, context);
    bytes_put(&header, sizeof magic, magic);
    bytes_put_u32(&header, FORMAT);
    bytes_put_u32(&header, checksum(content.size, content.data));
    bytes_put_u64(&header, content.size);
    if (header.failed)
        return DEDPUL_NO_MEMORY;
    TRY(output_file_open(file, path, context->error));
    (void)fwrite(header.data, 1, header.size, file->stream);
    (void)fwrite(content.data, 1, content.size, file->stream);
    TRY(output_file_close(file, context->error));
    return output_file_commit(file, context->error);
}

dedpul_status dedpul_model_save(const dedpul_model *model, const char *path, dedpul_error *error)
{
    struct output_file file = OUTPUT_FILE_NONE;
    struct context context;
    if (model == NULL || path == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and path must not be NULL");
    context_init(&context, &model->memory.allocator, error);
    const dedpul_status status = save(&context, model, &file, path);
    output_file_discard(&file);
    context_free(&context);
    return status;
}

/* ---- loading ---- */

static dedpul_status load_scorer(struct context *memory, size_t width, const dedpul_classifier *plugin,
                                 struct bytes_reader *bytes, struct scorer *scorer)
{
    const uint32_t n_parts = bytes_get_u32(bytes);
    scorer->center = bytes_get_f64(bytes);
    scorer->spread = bytes_get_f64(bytes);
    if (n_parts > MOST_PARTS || !isfinite(scorer->center) || !isfinite(scorer->spread))
        bytes->failed = true;
    for (size_t k = 0; !bytes->failed && k < n_parts; k++) {
        scorer->part_center[k] = bytes_get_f64(bytes);
        scorer->part_spread[k] = bytes_get_f64(bytes);
        if (!isfinite(scorer->part_center[k]) || !(scorer->part_spread[k] > 0))
            bytes->failed = true;
        else
            TRY(ensemble_load(memory, width, plugin, bytes, &scorer->part[k]));
        scorer->n_parts++;
    }
    return DEDPUL_OK;
}

static dedpul_status load_curve(struct context *memory, struct bytes_reader *bytes, struct curve *curve)
{
    curve->n = bytes_get_count(bytes, 16);
    curve->logit = context_allocate(memory, curve->n, sizeof *curve->logit);
    curve->ratio = context_allocate(memory, curve->n, sizeof *curve->ratio);
    if (curve->logit == NULL || curve->ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < curve->n; i++) {
        curve->logit[i] = bytes_get_f64(bytes);
        curve->ratio[i] = bytes_get_f64(bytes);
        if (!isfinite(curve->logit[i]) || !(curve->ratio[i] >= 0) ||
            (i > 0 && !(curve->logit[i] > curve->logit[i - 1])))
            bytes->failed = true;
    }
    bytes->failed = bytes->failed || curve->n == 0;
    return DEDPUL_OK;
}

static dedpul_status load_content(dedpul_model *model, uint32_t format, const dedpul_classifier *plugin,
                                  struct bytes_reader *bytes)
{
    struct context *memory = &model->memory;
    dedpul_model_info *info = &model->info;
    double *const numbers[] = {&info->alpha,      &info->alpha_c, &info->alpha_n,  &info->scale,
                               &info->mean_ratio, &info->auc,     &model->pn_shift};
    info->version = bytes_get_text(bytes, memory);
    info->method = bytes_get_text(bytes, memory);
    info->settings = bytes_get_text(bytes, memory);
    if (info->version == NULL || info->method == NULL || info->settings == NULL)
        return DEDPUL_NO_MEMORY;
    const uint32_t rule = bytes_get_u32(bytes);
    info->rule = rule <= DEDPUL_RULE_GIVEN ? (dedpul_rule)rule : DEDPUL_RULE_ROOT;
    info->n_positive = (size_t)bytes_get_u64(bytes);
    info->n_unlabeled = (size_t)bytes_get_u64(bytes);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = bytes_get_f64(bytes);
    bytes->failed = bytes->failed || rule > DEDPUL_RULE_GIVEN || !(info->alpha >= 0 && info->alpha <= 1) ||
                    !(info->scale >= 0) || !isfinite(model->pn_shift);
    if (format > FIRST_FORMAT) {
        model->image.height = (size_t)bytes_get_u64(bytes);
        model->image.width = (size_t)bytes_get_u64(bytes);
        model->image.channels = (size_t)bytes_get_u64(bytes);
    }
    TRY(encoding_load(memory, bytes, &model->encoding));
    if (image_shape_is_set(model->image) && !image_shape_fits(model->image, model->encoding.n_columns))
        bytes->failed = true;
    TRY(load_curve(memory, bytes, &model->curve));
    TRY(load_scorer(memory, model->encoding.width, plugin, bytes, &model->ntc));
    TRY(load_scorer(memory, model->encoding.width, plugin, bytes, &model->pn));
    bytes->failed = bytes->failed || bytes->size > 0 || model->ntc.n_parts == 0 ||
                    (method_trains(info->method) && model->pn.n_parts == 0);
    return bytes->failed ? DEDPUL_OK : model_describe_parts(model, plugin);
}

/* Leaves the content to be read. */
static dedpul_status check_header(const char *name, struct bytes_reader *bytes, uint32_t *format,
                                  dedpul_error *error)
{
    const unsigned char *begin = bytes_get(bytes, sizeof magic);
    if (begin == NULL || memcmp(begin, magic, sizeof magic) != 0)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s is no model file of dedpul (as 'dedpul fit --model' writes)", name);
    *format = bytes_get_u32(bytes);
    const uint32_t expected = bytes_get_u32(bytes);
    const uint64_t size = bytes_get_u64(bytes);
    if (!bytes->failed && *format < FIRST_FORMAT)
        return error_set(error, DEDPUL_INVALID_DATA, "%s is damaged (it has no model format)", name);
    if (!bytes->failed && *format > FORMAT)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s has model format %lu, but dedpul %s reads formats up to %d: use a newer dedpul",
                         name, (unsigned long)*format, dedpul_version(), FORMAT);
    if (bytes->failed || size > bytes->size)
        return error_set(error, DEDPUL_INVALID_DATA, "%s is cut off; copy it again", name);
    if (size < bytes->size || checksum(bytes->size, bytes->data) != expected)
        return error_set(error, DEDPUL_INVALID_DATA, "%s is damaged (its checksum is wrong); copy it again",
                         name);
    return DEDPUL_OK;
}

dedpul_status model_from_bytes(const char *name, size_t size, const unsigned char *data,
                               const dedpul_classifier *plugin, const dedpul_allocator *allocator,
                               dedpul_model **result, dedpul_error *error)
{
    struct bytes_reader bytes = {data, size, false};
    uint32_t format;
    TRY(check_header(name, &bytes, &format, error));
    dedpul_model *model = model_create(allocator, error);
    if (model == NULL)
        return DEDPUL_NO_MEMORY;
    dedpul_status status = load_content(model, format, plugin, &bytes);
    if (status == DEDPUL_OK && bytes.failed)
        status = error_set(error, DEDPUL_INVALID_DATA, "%s: its content makes no sense", name);
    model->memory.error = NULL; /* the caller's, and only for this call */
    if (status != DEDPUL_OK)
        dedpul_model_free(model);
    else
        *result = model;
    return status;
}

/* The whole stream. */
static dedpul_status read_all(struct context *context, struct stream *stream, struct bytes *bytes)
{
    enum { PIECE = 1 << 16 };
    char *piece = context_allocate(context, PIECE, 1);
    if (piece == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t got = 1; got > 0;) {
        TRY(stream->read(stream, piece, PIECE, &got, context->error));
        bytes_put(bytes, got, piece);
        if (bytes->failed)
            return DEDPUL_NO_MEMORY;
    }
    return DEDPUL_OK;
}

dedpul_status dedpul_model_load(const char *path, const dedpul_classifier *plugin,
                                const dedpul_allocator *allocator, dedpul_model **model, dedpul_error *error)
{
    struct stream stream;
    struct context context;
    struct bytes bytes;
    if (path == NULL || model == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "path and model must not be NULL");
    TRY(stream_open(&stream, path, error));
    context_init(&context, allocator, error);
    bytes_init(&bytes, &context);
    dedpul_status status = read_all(&context, &stream, &bytes);
    if (status == DEDPUL_OK)
        status = model_from_bytes(stream.name, bytes.size, bytes.data, plugin, allocator, model, error);
    context_free(&context);
    stream_close(&stream);
    return status;
}
