/*
 * Model files: a header (magic, format, size and checksum of the rest), then the account of the fit,
 * encoding, profiles, curve, what an evaluation needs, kinds, and classifiers, all little-endian.
 */
#include "model_bytes.h"

#include "version.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

/* Like PNG's: a high byte, CR LF and ^Z show if a transfer was not binary. */
static const unsigned char magic[8] = {0x8d, 'D', 'P', 'U', 'L', '\r', '\n', 0x1a};

/*
 * Format 1 had no shape of images, format 2 had one scale of posteriors, up to format 3 all networks were in
 * single precision, up to format 4 models had no profiles of columns, no scores, no distribution of alpha and
 * no threshold, and up to format 5 no kinds. A reader accepts its own format and all earlier ones.
 */
enum {
    FIRST_FORMAT = 1,
    FORMAT_OF_SHAPES = 2,
    FORMAT_OF_SCALES = 3,
    FORMAT_OF_HALVES = 4,
    FORMAT_OF_EVALUATIONS = 5,
    FORMAT_OF_KINDS = 6,
    FORMAT = FORMAT_OF_KINDS
};

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

/* What an evaluation needs beyond what a prediction does. */
static void save_evaluation(const struct model *model, struct bytes *bytes)
{
    const struct solution *solution = &model->solution;
    bytes_put_u32(bytes, solution->has_quantiles);
    for (size_t k = 0; solution->has_quantiles && k < N_QUANTILES; k++)
        bytes_put_f64(bytes, solution->quantiles.logit[k]);
    bytes_put_u32(bytes, model->threshold.is_set);
    bytes_put_u32(bytes, model->threshold.request.rule);
    bytes_put_f64(bytes, model->threshold.request.value);
    bytes_put_f64(bytes, model->threshold.score);
    fit_scores_save(&model->kept, bytes);
}

static dedpul_status save_kinds(struct context *context, const struct model_kinds *kinds, struct bytes *bytes)
{
    bytes_put_u32(bytes, (uint32_t)kinds->n);
    for (size_t k = 0; k < kinds->n; k++) {
        bytes_put_text(bytes, kinds->name[k]);
        bytes_put_f64(bytes, kinds->labeled[k]);
        bytes_put_f64(bytes, kinds->actual[k]);
    }
    for (size_t k = 0; k < n_kind_scorers(kinds->n); k++)
        TRY(save_scorer(context, &kinds->scorer[k], bytes));
    return DEDPUL_OK;
}

static dedpul_status save_content(struct context *context, const struct model *model, struct bytes *bytes)
{
    const struct solution *solution = &model->solution;
    const struct proportion *proportion = &solution->proportion;
    const double numbers[] = {proportion->alpha,    proportion->alpha_c, proportion->alpha_n, solution->scale,
                              solution->mean_ratio, model->auc,          model->pn.shift};
    bytes_put_text(bytes, model->version);
    bytes_put_text(bytes, model->method->name);
    bytes_put_text(bytes, model->settings);
    bytes_put_u32(bytes, proportion->rule);
    bytes_put_u64(bytes, model->n_positive);
    bytes_put_u64(bytes, model->n_unlabeled);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        bytes_put_f64(bytes, numbers[i]);
    bytes_put_u32(bytes, (uint32_t)solution->scales.n);
    for (size_t k = 0; k < solution->scales.n; k++) {
        bytes_put_f64(bytes, solution->scales.scale[k]);
        bytes_put_f64(bytes, solution->scales.weight[k]);
    }
    bytes_put_u64(bytes, model->image.height);
    bytes_put_u64(bytes, model->image.width);
    bytes_put_u64(bytes, model->image.channels);
    encoding_save(&model->encoding, bytes);
    column_profiles_save(&model->profiles, &model->encoding, bytes);
    bytes_put_u64(bytes, model->curve.n);
    for (size_t i = 0; i < model->curve.n; i++) {
        bytes_put_f64(bytes, model->curve.logit[i]);
        bytes_put_f64(bytes, model->curve.ratio[i]);
    }
    save_evaluation(model, bytes);
    TRY(save_kinds(context, &model->kinds, bytes));
    TRY(save_scorer(context, &model->ntc, bytes));
    TRY(save_scorer(context, &model->pn.scorer, bytes));
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

dedpul_status model_to_bytes(struct context *context, const struct model *model, struct bytes *bytes)
{
    struct bytes content;
    bytes_init(&content, context);
    TRY(save_content(context, model, &content));
    bytes_put(bytes, sizeof magic, magic);
    bytes_put_u32(bytes, FORMAT);
    bytes_put_u32(bytes, checksum(content.size, content.data));
    bytes_put_u64(bytes, content.size);
    bytes_put(bytes, content.size, content.data);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

/* ---- loading ---- */

static dedpul_status load_scorer(struct context *context, const struct loading *loading,
                                 struct bytes_reader *bytes, struct arena *memory, struct scorer *scorer)
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
            TRY(ensemble_load(context, loading, bytes, memory, &scorer->part[k]));
        scorer->n_parts++;
    }
    return DEDPUL_OK;
}

static dedpul_status load_kinds(struct context *context, const struct loading *loading,
                                struct bytes_reader *bytes, struct arena *memory, struct model_kinds *kinds)
{
    const uint32_t n = bytes_get_u32(bytes);
    bytes->failed = bytes->failed || n == 1 || n > MOST_KINDS;
    if (bytes->failed || n == 0)
        return DEDPUL_OK;
    TRY(model_kinds_init(context, n, memory, kinds));
    for (size_t k = 0; k < n; k++) {
        kinds->name[k] = bytes_get_text(context, bytes, memory);
        if (kinds->name[k] == NULL)
            return DEDPUL_NO_MEMORY;
        kinds->labeled[k] = bytes_get_f64(bytes);
        kinds->actual[k] = bytes_get_f64(bytes);
        bytes->failed = bytes->failed || !(kinds->labeled[k] > 0 && kinds->labeled[k] < 1) ||
                        !(kinds->actual[k] >= 0 && kinds->actual[k] <= 1);
    }
    for (size_t k = 0; !bytes->failed && k < n_kind_scorers(n); k++) {
        TRY(load_scorer(context, loading, bytes, memory, &kinds->scorer[k]));
        bytes->failed = bytes->failed || kinds->scorer[k].n_parts == 0;
    }
    return DEDPUL_OK;
}

static dedpul_status load_curve(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                                struct curve *curve)
{
    curve->n = bytes_get_count(bytes, 16);
    curve->logit = context_allocate_in(context, memory, curve->n, sizeof *curve->logit);
    curve->ratio = context_allocate_in(context, memory, curve->n, sizeof *curve->ratio);
    if (curve->logit == NULL || curve->ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < curve->n; i++) {
        curve->logit[i] = bytes_get_f64(bytes);
        curve->ratio[i] = bytes_get_f64(bytes);
        if (!isfinite(curve->logit[i]) || !(curve->ratio[i] >= 0 && curve->ratio[i] < INFINITY) ||
            (i > 0 && !(curve->logit[i] > curve->logit[i - 1])))
            bytes->failed = true;
    }
    bytes->failed = bytes->failed || curve->n == 0;
    return DEDPUL_OK;
}

static dedpul_status load_account(struct context *context, struct bytes_reader *bytes, struct model *model)
{
    struct solution *solution = &model->solution;
    struct proportion *proportion = &solution->proportion;
    double *const numbers[] = {&proportion->alpha, &proportion->alpha_c,  &proportion->alpha_n,
                               &solution->scale,   &solution->mean_ratio, &model->auc,
                               &model->pn.shift};
    model->version = bytes_get_text(context, bytes, &model->memory);
    const char *method = bytes_get_text(context, bytes, &model->memory);
    model->settings = bytes_get_text(context, bytes, &model->memory);
    if (model->version == NULL || method == NULL || model->settings == NULL)
        return DEDPUL_NO_MEMORY;
    model->method = estimator_find(method, NULL);
    const uint32_t rule = bytes_get_u32(bytes);
    proportion->rule = rule <= RULE_MEDIAN ? (enum rule)rule : RULE_ROOT;
    model->n_positive = (size_t)bytes_get_u64(bytes);
    model->n_unlabeled = (size_t)bytes_get_u64(bytes);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = bytes_get_f64(bytes);
    bytes->failed = bytes->failed || model->method == NULL || rule > RULE_MEDIAN ||
                    !(proportion->alpha >= 0 && proportion->alpha <= 1) ||
                    !(solution->scale >= 0 && solution->scale < INFINITY) || !isfinite(model->pn.shift);
    return DEDPUL_OK;
}

static void load_scales(uint32_t format, struct bytes_reader *bytes, struct solution *solution)
{
    struct scales *scales = &solution->scales;
    *scales = one_scale(solution->scale);
    if (format < FORMAT_OF_SCALES)
        return;
    const uint32_t n = bytes_get_u32(bytes);
    double total = 0; /* of weights: at most 1, so that no posterior exceeds 1 */
    bytes->failed = bytes->failed || n < 1 || n > MOST_SCALES;
    for (scales->n = 0; !bytes->failed && scales->n < n; scales->n++) {
        const double scale = bytes_get_f64(bytes), weight = bytes_get_f64(bytes);
        scales->scale[scales->n] = scale;
        scales->weight[scales->n] = weight;
        total += weight;
        bytes->failed =
            bytes->failed || !(scale >= 0 && scale < INFINITY) || !(weight >= 0 && total <= 1 + 1e-9);
    }
}

static void load_quantiles(struct bytes_reader *bytes, struct solution *solution)
{
    solution->has_quantiles = bytes_get_u32(bytes) != 0;
    for (size_t k = 0; solution->has_quantiles && k < N_QUANTILES; k++) {
        double *logit = solution->quantiles.logit;
        logit[k] = bytes_get_f64(bytes);
        bytes->failed = bytes->failed || !isfinite(logit[k]) || (k > 0 && logit[k] < logit[k - 1]);
    }
}

static void load_threshold(struct bytes_reader *bytes, struct model_threshold *threshold)
{
    threshold->is_set = bytes_get_u32(bytes) != 0;
    const uint32_t rule = bytes_get_u32(bytes);
    threshold->request.rule = rule <= CUT_SCORE ? (enum cut_rule)rule : CUT_COST;
    threshold->request.value = bytes_get_f64(bytes);
    threshold->score = bytes_get_f64(bytes);
    bytes->failed = bytes->failed || rule > CUT_SCORE || !(threshold->request.value >= 0);
}

static dedpul_status load_content(struct context *context, uint32_t format, const struct loading *given,
                                  struct bytes_reader *bytes, struct model *model)
{
    struct loading loading = *given;
    struct arena *memory = &model->memory;
    TRY(load_account(context, bytes, model));
    load_scales(format, bytes, &model->solution);
    if (format >= FORMAT_OF_SHAPES) {
        model->image.height = (size_t)bytes_get_u64(bytes);
        model->image.width = (size_t)bytes_get_u64(bytes);
        model->image.channels = (size_t)bytes_get_u64(bytes);
    }
    TRY(encoding_load(context, bytes, memory, &model->encoding));
    if (format >= FORMAT_OF_EVALUATIONS && !bytes->failed)
        TRY(column_profiles_load(context, bytes, &model->encoding, memory, &model->profiles));
    if (image_shape_is_set(model->image) && !image_shape_fits(model->image, model->encoding.n_columns))
        bytes->failed = true;
    loading.width = model->encoding.width;
    loading.only_singles = format < FORMAT_OF_HALVES;
    TRY(load_curve(context, bytes, memory, &model->curve));
    if (format >= FORMAT_OF_EVALUATIONS) {
        load_quantiles(bytes, &model->solution);
        load_threshold(bytes, &model->threshold);
        TRY(fit_scores_load(context, bytes, memory, &model->kept));
    }
    if (format >= FORMAT_OF_KINDS)
        TRY(load_kinds(context, &loading, bytes, memory, &model->kinds));
    TRY(load_scorer(context, &loading, bytes, memory, &model->ntc));
    TRY(load_scorer(context, &loading, bytes, memory, &model->pn.scorer));
    bytes->failed = bytes->failed || bytes->size > 0 || model->ntc.n_parts == 0 ||
                    (estimator_trains(model->method) && model->pn.scorer.n_parts == 0);
    return DEDPUL_OK;
}

/* ---- the header ---- */

bool model_bytes_begin(size_t n, const unsigned char *begin)
{
    return n >= sizeof magic && memcmp(begin, magic, sizeof magic) == 0;
}

struct header {
    uint32_t format, checksum;
    uint64_t size; /* of the content */
};

/* Reads and checks the header. The reader is then at the content. */
static dedpul_status read_header(struct context *context, const char *name, struct bytes_reader *bytes,
                                 struct header *header)
{
    if (!model_bytes_begin(bytes->size, bytes->data))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "%s is not a model file of dedpul (as 'dedpul fit --model' writes)", name);
    (void)bytes_get(bytes, sizeof magic);
    header->format = bytes_get_u32(bytes);
    header->checksum = bytes_get_u32(bytes);
    header->size = bytes_get_u64(bytes);
    if (bytes->failed)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s is cut off; copy it again", name);
    if (header->format < FIRST_FORMAT)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s is damaged (it has no model format)", name);
    if (header->format > FORMAT)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "%s has model format %lu, but dedpul %s reads formats up to %d: use a newer dedpul",
                         name, (unsigned long)header->format, LIBRARY_VERSION, FORMAT);
    return DEDPUL_OK;
}

dedpul_status model_file_size(struct context *context, const char *name, size_t n, const unsigned char *begin,
                              uint64_t *size)
{
    struct bytes_reader bytes = {begin, n, false};
    struct header header;
    TRY(read_header(context, name, &bytes, &header));
    *size = (uint64_t)(n - bytes.size) + header.size;
    return DEDPUL_OK;
}

dedpul_status model_from_bytes(struct context *context, const char *name, size_t size,
                               const unsigned char *data, const struct loading *loading, struct model *model)
{
    struct bytes_reader bytes = {data, size, false};
    struct header header;
    TRY(read_header(context, name, &bytes, &header));
    if (header.size > bytes.size)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s is cut off; copy it again", name);
    if (header.size < bytes.size || checksum(bytes.size, bytes.data) != header.checksum)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "%s is damaged (its checksum is wrong); copy it again", name);
    TRY(load_content(context, header.format, loading, &bytes, model));
    if (bytes.failed)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s: the file is corrupt: invalid content",
                         name);
    return DEDPUL_OK;
}
