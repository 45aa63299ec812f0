/*
 * Gradient boosted trees, by XGBoost. Each member is always trained by the same thread: XGBoost keeps the
 * margins of the rows it learns from per thread, and on another thread would compute them again from all
 * trees.
 */
#include "balance.h"
#include "crew.h"
#include "number.h"
#include "rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xgboost/c_api.h>
#include <zlib.h>

struct trees {
    DMatrixHandle learned, watched;
    BoosterHandle booster;
    int rounds, kept;
    size_t bins; /* number of bins that the values of a feature are sorted into */
};

struct gbdt_set {
    const struct training *training;
    struct crew *crew;
    struct trees *member; /* (n_members) */
    const bool *active;   /* (n_members) in the present call */
};

struct gbdt {
    BoosterHandle booster;
    size_t width;
};

/* ---- talking to XGBoost ---- */

/* Passes on the first line of XGBoost's message, without the time and place in front of it. */
static dedpul_status check(struct context *context, int result)
{
    if (result == 0)
        return DEDPUL_OK;
    const char *message = XGBGetLastError();
    if (strstr(message, "bad_alloc") != NULL)
        return error_set(context->error, DEDPUL_NO_MEMORY, "out of memory in XGBoost");
    const size_t length = strcspn(message, "\n");
    const char *text = message[0] == '[' ? strstr(message, ": ") : NULL;
    text = text != NULL && text < message + length ? text + 2 : message;
    return error_set(context->error, DEDPUL_INVALID_DATA, "XGBoost: %.*s", (int)(message + length - text),
                     text);
}

/* Asks for predictions that are the sums over all trees, which are logits. */
static const char margins[] =
    "{\"type\": 1, \"training\": false, \"iteration_begin\": 0, \"iteration_end\": 0, "
    "\"strict_shape\": false, \"cache_id\": 0, \"missing\": NaN}";

enum { ARRAY_TEXT_SIZE = 160 };

static const char *array_text(char text[ARRAY_TEXT_SIZE], size_t n, size_t width, const float *x)
{
    (void)snprintf(text, ARRAY_TEXT_SIZE,
                   "{\"data\": [%ju, true], \"shape\": [%zu, %zu], \"typestr\": \"<f4\", \"version\": 3}",
                   (uintmax_t)(uintptr_t)x, n, width);
    return text;
}

static dedpul_status set_number(struct context *context, BoosterHandle booster, const char *name,
                                double value)
{
    char text[NUMBER_SIZE];
    return check(context, XGBoosterSetParam(booster, name, format_double(text, value)));
}

/* Stops XGBoost from printing and from starting threads. */
static dedpul_status make_quiet(struct context *context, BoosterHandle booster)
{
    TRY(check(context, XGBoosterSetParam(booster, "verbosity", "0")));
    return check(context, XGBoosterSetParam(booster, "nthread", "1"));
}

/* ---- the rows that a member learns from: fed in batches, so that XGBoost stores only their bins ---- */

enum { BATCH_CELLS = 1 << 20 };

/* A member learns from about this many examples of a class at most: more make it slower, hardly better. */
static const double most_learned = 100000;

struct feed {
    const struct training *training;
    size_t member;
    struct balance balance;
    double share[2]; /* of the examples of each class that are drawn */
    double scale;    /* of weights */
    uint64_t seed;
    struct rng rng; /* that draws them: the same ones in each pass */
    DMatrixHandle proxy;
    size_t next;     /* the next example */
    size_t capacity; /* of a batch, in examples */
    float *x;        /* (capacity, width) */
    float *label;    /* (capacity) */
    float *weight;   /* (capacity) */
    int result;      /* what XGBoost's functions returned */
};

static void feed_restart(DataIterHandle handle)
{
    struct feed *feed = handle;
    feed->next = 0;
    rng_init(&feed->rng, feed->seed, rng_stream(STREAM_TREES, feed->member));
}

/* Returns the weight of the next example; 0: it is not learned from. */
static double draw_weight(struct feed *feed)
{
    const double weight = balanced_weight(feed->training, feed->member, &feed->balance, feed->next);
    const double share = feed->share[feed->training->examples->label[feed->next]];
    if (share < 1 && weight > 0 && rng_uniform(&feed->rng) >= share)
        return 0;
    return feed->scale * weight / share;
}

static int feed_next(DataIterHandle handle)
{
    struct feed *feed = handle;
    const struct examples *examples = feed->training->examples;
    size_t n = 0;
    for (; feed->next < examples->n && n < feed->capacity; feed->next++) {
        const double weight = draw_weight(feed);
        if (weight > 0) {
            const uint32_t row = (uint32_t)example_row(examples, feed->next);
            examples_gather(examples, 1, &row, feed->x + n * examples->width);
            feed->label[n] = examples->label[feed->next];
            feed->weight[n] = (float)weight;
            n++;
        }
    }
    if (n == 0)
        return 0;
    char text[ARRAY_TEXT_SIZE];
    feed->result =
        XGProxyDMatrixSetDataDense(feed->proxy, array_text(text, n, examples->width, feed->x)) != 0 ||
        XGDMatrixSetFloatInfo(feed->proxy, "label", feed->label, n) != 0 ||
        XGDMatrixSetFloatInfo(feed->proxy, "weight", feed->weight, n) != 0;
    return feed->result == 0;
}

/* Few rows get fewer bins: a round takes time in proportion to bins, and bins of under 4 rows are useless. */
static size_t bins_for(double rows)
{
    return (size_t)fmin(fmax(rows / 4, 32), 256);
}

/* Drawn examples weigh more, so that classes stay balanced; the mean weight of all stays what it was. */
static void choose_shares(struct feed *feed)
{
    const struct training *training = feed->training;
    double n[2] = {0, 0}, drawn = 0;
    for (size_t i = 0; i < training->examples->n; i++)
        n[training->examples->label[i]] += balanced_weight(training, feed->member, &feed->balance, i) > 0;
    for (int label = 0; label < 2; label++) {
        feed->share[label] = fmin(1, most_learned / n[label]);
        drawn += feed->share[label] * n[label];
    }
    feed->scale = drawn / (n[0] + n[1]);
}

static dedpul_status make_learned(struct context *context, struct gbdt_set *set, size_t member)
{
    const size_t width = set->training->examples->width;
    struct feed feed = {.training = set->training, .member = member, .seed = context->seed};
    TRY(balance_member(context, set->training, member, &feed.balance));
    choose_shares(&feed);
    feed.capacity = width < BATCH_CELLS ? BATCH_CELLS / width : 1;
    if (feed.capacity > feed.balance.n)
        feed.capacity = feed.balance.n;
    feed.x = context_allocate(context, feed.capacity * width, sizeof *feed.x);
    feed.label = context_allocate(context, feed.capacity, sizeof *feed.label);
    feed.weight = context_allocate(context, feed.capacity, sizeof *feed.weight);
    if (feed.x == NULL || feed.label == NULL || feed.weight == NULL)
        return DEDPUL_NO_MEMORY;
    set->member[member].bins = bins_for(feed.balance.total);
    char config[64];
    (void)snprintf(config, sizeof config, "{\"missing\": NaN, \"nthread\": 1, \"max_bin\": %zu}",
                   set->member[member].bins);
    TRY(check(context, XGProxyDMatrixCreate(&feed.proxy)));
    int result = XGQuantileDMatrixCreateFromCallback(&feed, feed.proxy, NULL, feed_restart, feed_next, config,
                                                     &set->member[member].learned);
    if (feed.result != 0)
        result = feed.result; /* to XGBoost a batch that fails looks like the end of the data */
    const dedpul_status status = check(context, result);
    (void)XGDMatrixFree(feed.proxy);
    return status;
}

static dedpul_status make_watched(struct context *context, struct gbdt_set *set, size_t index)
{
    const struct examples *examples = set->training->examples;
    const struct member *member = &set->training->member[index];
    float *x = context_allocate(context, member->n_watched * examples->width, sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    examples_gather(examples, member->n_watched, member->watched, x);
    char text[ARRAY_TEXT_SIZE];
    return check(context,
                 XGDMatrixCreateFromDense(array_text(text, member->n_watched, examples->width, x),
                                          "{\"missing\": NaN, \"nthread\": 1}", &set->member[index].watched));
}

/* ---- training ---- */

static double rate_of(const struct training_settings *settings)
{
    static const double rate[N_EFFORTS] = {0.2, 0.1, 0.05};
    return isnan(settings->trees.rate) ? rate[settings->effort] : settings->trees.rate;
}

static struct schedule gbdt_schedule(const struct examples *examples,
                                     const struct training_settings *settings)
{
    static const unsigned partitions[N_EFFORTS] = {1, 3, 5};
    (void)examples;
    return (struct schedule){
        .fewest = 1,
        .most = settings->trees.rounds,
        .patience = settings->trees.patience,
        .partitions = partitions_of(settings, partitions),
    };
}

/* The times were measured with 3000 to 100,000 rows and 8 to 120 features. */
static struct training_time gbdt_time(const struct examples *examples,
                                      const struct training_settings *settings)
{
    const double row = 6e-9, cell = 6e-10, bin = 1.2e-8, sketched_cell = 1.2e-7;
    const double learned_share = 1 - 1.0 / settings->folds, width = (double)examples->width;
    const double members = gbdt_schedule(examples, settings).partitions * settings->folds;
    double n[2] = {0, 0};
    for (size_t i = 0; i < examples->n; i++)
        n[examples->label[i]]++;
    const double rows = fmin(learned_share * n[0], most_learned) + fmin(learned_share * n[1], most_learned);
    const double nodes = exp2(settings->trees.depth);
    return (struct training_time){
        .epochs = 14 / rate_of(settings),
        .start = members * rows * width * sketched_cell,
        .epoch = members * (rows * settings->trees.depth * (row + width * cell) +
                            width * nodes * (double)bins_for(rows) * bin),
    };
}

/* XGBoost itself samples nothing with these settings, so there is no seed to set. */
static dedpul_status make_booster(struct context *context, const struct training_settings *settings,
                                  struct trees *trees)
{
    const struct tree_settings *own = &settings->trees;
    const DMatrixHandle matrices[] = {trees->learned, trees->watched};
    TRY(check(context, XGBoosterCreate(matrices, trees->watched != NULL ? 2 : 1, &trees->booster)));
    TRY(make_quiet(context, trees->booster));
    TRY(check(context, XGBoosterSetParam(trees->booster, "objective", "binary:logistic")));
    TRY(check(context, XGBoosterSetParam(trees->booster, "base_score", "0.5")));
    TRY(check(context, XGBoosterSetParam(trees->booster, "tree_method", "hist")));
    TRY(set_number(context, trees->booster, "max_bin", (double)trees->bins));
    TRY(set_number(context, trees->booster, "max_depth", own->depth));
    TRY(set_number(context, trees->booster, "eta", rate_of(settings)));
    return set_number(context, trees->booster, "lambda", own->l2);
}

static dedpul_status create_member(struct context *context, void *argument, size_t index)
{
    struct gbdt_set *set = argument;
    TRY(make_learned(context, set, index));
    if (set->training->member[index].n_watched > 0)
        TRY(make_watched(context, set, index));
    return make_booster(context, set->training->settings, &set->member[index]);
}

static dedpul_status gbdt_create(struct context *context, const struct training *training, void **out)
{
    struct gbdt_set *set = context_allocate(context, 1, sizeof *set);
    struct trees *member = context_allocate(context, training->n_members, sizeof *member);
    if (set == NULL || member == NULL)
        return DEDPUL_NO_MEMORY;
    memset(member, 0, training->n_members * sizeof *member);
    *set = (struct gbdt_set){.training = training, .member = member};
    *out = set;
    set->crew = crew_start(context, training->n_members);
    if (set->crew == NULL)
        return DEDPUL_NO_MEMORY;
    return crew_run(set->crew, context, create_member, set);
}

static dedpul_status advance_member(struct context *context, void *argument, size_t index)
{
    struct gbdt_set *set = argument;
    struct trees *trees = &set->member[index];
    if (!set->active[index])
        return DEDPUL_OK;
    TRY(check(context, XGBoosterUpdateOneIter(trees->booster, trees->rounds, trees->learned)));
    trees->rounds++;
    return DEDPUL_OK;
}

static dedpul_status gbdt_advance(struct context *context, void *argument, const bool *active)
{
    struct gbdt_set *set = argument;
    set->active = active;
    return crew_run(set->crew, context, advance_member, set);
}

static dedpul_status watch_member(struct context *context, void *argument, size_t index)
{
    struct gbdt_set *set = argument;
    const struct member *member = &set->training->member[index];
    const struct trees *trees = &set->member[index];
    if (!set->active[index] || trees->watched == NULL)
        return DEDPUL_OK;
    const bst_ulong *shape;
    bst_ulong dimensions;
    const float *margin;
    TRY(check(context, XGBoosterPredictFromDMatrix(trees->booster, trees->watched, margins, &shape,
                                                   &dimensions, &margin)));
    for (size_t i = 0; i < member->n_watched; i++)
        member->logit[i] = margin[i];
    return DEDPUL_OK;
}

static dedpul_status gbdt_watch(struct context *context, void *argument, const bool *active)
{
    struct gbdt_set *set = argument;
    set->active = active;
    return crew_run(set->crew, context, watch_member, set);
}

static dedpul_status gbdt_keep(struct context *context, void *argument, const bool *which)
{
    struct gbdt_set *set = argument;
    (void)context;
    for (size_t i = 0; i < set->training->n_members; i++)
        if (which[i])
            set->member[i].kept = set->member[i].rounds;
    return DEDPUL_OK;
}

static dedpul_status gbdt_finish(struct context *context, void *argument, size_t index, struct arena *memory,
                                 void **out)
{
    struct gbdt_set *set = argument;
    const struct trees *trees = &set->member[index];
    struct gbdt *model = context_allocate_in(context, memory, 1, sizeof *model);
    if (model == NULL)
        return DEDPUL_NO_MEMORY;
    model->width = set->training->examples->width;
    TRY(check(context, XGBoosterSlice(trees->booster, 0, trees->kept, 1, &model->booster)));
    *out = model;
    return DEDPUL_OK;
}

static void gbdt_destroy(void *argument)
{
    struct gbdt_set *set = argument;
    if (set == NULL)
        return;
    crew_stop(set->crew);
    for (size_t i = 0; i < set->training->n_members; i++) {
        const struct trees *trees = &set->member[i];
        if (trees->booster != NULL)
            (void)XGBoosterFree(trees->booster);
        if (trees->watched != NULL)
            (void)XGDMatrixFree(trees->watched);
        if (trees->learned != NULL)
            (void)XGDMatrixFree(trees->learned);
    }
}

/* ---- models ---- */

/* Rows per call: XGBoost keeps their margins for as long as the model and the thread live. */
enum { SCORED_AT_ONCE = 1 << 13 };

static dedpul_status gbdt_score(struct context *context, const void *argument, size_t n, const float *x,
                                double *logit)
{
    const struct gbdt *model = argument;
    for (size_t begin = 0, end; begin < n; begin = end) {
        char text[ARRAY_TEXT_SIZE];
        const bst_ulong *shape;
        bst_ulong dimensions;
        const float *margin;
        end = n - begin > SCORED_AT_ONCE ? begin + SCORED_AT_ONCE : n;
        (void)array_text(text, end - begin, model->width, x + begin * model->width);
        TRY(check(context, XGBoosterPredictFromDense(model->booster, text, margins, NULL, &shape, &dimensions,
                                                     &margin)));
        for (size_t i = begin; i < end; i++)
            logit[i] = margin[i - begin];
    }
    return DEDPUL_OK;
}

static dedpul_status gbdt_save(struct context *context, const void *argument, struct bytes *bytes)
{
    const struct gbdt *model = argument;
    bst_ulong size;
    const char *data;
    TRY(check(context, XGBoosterSaveModelToBuffer(model->booster, "{\"format\": \"ubj\"}", &size, &data)));
    bytes_put_u32(bytes, (uint32_t)crc32_z(0, (const unsigned char *)data, size));
    bytes_put_u64(bytes, size);
    bytes_put(bytes, size, data);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

static dedpul_status load_booster(struct context *context, size_t size, const unsigned char *data,
                                  size_t width, BoosterHandle booster)
{
    bst_ulong n_features;
    TRY(make_quiet(context, booster));
    /* Loading starts threads unless our settings are in force. Asking for the feature count applies them. */
    TRY(set_number(context, booster, "num_feature", (double)width));
    TRY(check(context, XGBoosterGetNumFeature(booster, &n_features)));
    TRY(check(context, XGBoosterLoadModelFromBuffer(booster, data, size)));
    TRY(check(context, XGBoosterGetNumFeature(booster, &n_features)));
    if (n_features != width)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "the trees of the model have %zu features, not %zu", (size_t)n_features, width);
    return DEDPUL_OK;
}

static dedpul_status gbdt_load(struct context *context, const struct loading *loading,
                               struct bytes_reader *bytes, struct arena *memory, void **out)
{
    struct gbdt *model = context_allocate_in(context, memory, 1, sizeof *model);
    if (model == NULL)
        return DEDPUL_NO_MEMORY;
    const uint32_t checksum = bytes_get_u32(bytes);
    const size_t size = bytes_get_count(bytes, 1);
    const unsigned char *data = bytes_get(bytes, size);
    /* XGBoost trusts what it loads, so we must check it. */
    if (bytes->failed || (uint32_t)crc32_z(0, data, size) != checksum)
        return error_set(context->error, DEDPUL_INVALID_DATA, "the trees of the model are damaged");
    *model = (struct gbdt){.width = loading->width};
    if (!loading->only_described) {
        TRY(check(context, XGBoosterCreate(NULL, 0, &model->booster)));
        const dedpul_status status = load_booster(context, size, data, loading->width, model->booster);
        if (status != DEDPUL_OK) {
            (void)XGBoosterFree(model->booster);
            return status;
        }
    }
    *out = model;
    return DEDPUL_OK;
}

static void gbdt_close(void *argument)
{
    struct gbdt *model = argument;
    if (model != NULL && model->booster != NULL)
        (void)XGBoosterFree(model->booster);
}

const struct classifier classifier_gbdt = {
    .name = "gbdt",
    .summary = "gradient boosted trees, by XGBoost",
    .unit = "rounds",
    .limit_option = "--tree-rounds",
    .schedule = gbdt_schedule,
    .time = gbdt_time,
    .create = gbdt_create,
    .advance = gbdt_advance,
    .watch = gbdt_watch,
    .keep = gbdt_keep,
    .finish = gbdt_finish,
    .destroy = gbdt_destroy,
    .score = gbdt_score,
    .save = gbdt_save,
    .load = gbdt_load,
    .close = gbdt_close,
};
