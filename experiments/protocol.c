#include "protocol.h"

#include <stddef.h>
#include <string.h>

const char *kind_name(enum kind kind)
{
    return kind == KIND_SYNTHETIC ? "synthetic" : "datasets";
}

/* 1000 labeled and 10,000 unlabeled rows, of which floor(10000 (1 - alpha)) are negative. */
#define SYNTHETIC(set_name, at, width)                                                              \
    {                                                                                               \
        .name = set_name, .kind = KIND_SYNTHETIC, .negative = {(at), (width)}, .classifier = "mlp", \
        .rate = "0.001", .n_samples = 7,                                                            \
        .sample = {{0.01, 1000, 100, 9900}, {0.05, 1000, 500, 9500},  {0.25, 1000, 2500, 7500},     \
                   {0.5, 1000, 5000, 5000}, {0.75, 1000, 7500, 2500}, {0.95, 1000, 9500, 500},      \
                   {0.99, 1000, 9900, 100}},                                                        \
    }
#define SAMPLES(...) .n_samples = 5, .sample = {__VA_ARGS__}

static const struct set sets[] = {
    SYNTHETIC("L(1,1)", 1, 1),
    SYNTHETIC("L(2,1)", 2, 1),
    SYNTHETIC("L(4,1)", 4, 1),
    SYNTHETIC("L(0,2)", 0, 2),
    SYNTHETIC("L(0,4)", 0, 4),
    {.name = "bank",
     .kind = KIND_DATASETS,
     .positive = "yes",
     .standardised = "balance",
     .classifier = "mlp",
     .rate = "0.0005",
     SAMPLES({0.05, 1000, 2101, 39922}, {0.25, 1000, 4289, 12867}, {0.5, 1000, 4289, 4289},
             {0.75, 1000, 4289, 1429}, {0.95, 1000, 4289, 225})},
    {.name = "concrete",
     .kind = KIND_DATASETS,
     .classifier = "mlp",
     .rate = "0.0001",
     SAMPLES({0.05, 100, 28, 540}, {0.25, 100, 180, 540}, {0.5, 100, 390, 390}, {0.75, 100, 390, 130},
             {0.95, 100, 380, 20})},
    {.name = "landsat",
     .kind = KIND_DATASETS,
     .positive = "4,5,7",
     .classifier = "mlp",
     .rate = "0.00001",
     SAMPLES({0.05, 1000, 189, 3594}, {0.25, 1000, 1000, 3000}, {0.5, 1000, 1841, 1841},
             {0.75, 1000, 1841, 613}, {0.95, 1000, 1841, 96})},
    {.name = "mushroom",
     .kind = KIND_DATASETS,
     .positive = "p",
     .classifier = "mlp",
     .rate = "0.0001",
     SAMPLES({0.05, 1000, 200, 3800}, {0.25, 1000, 1000, 3000}, {0.5, 1000, 2000, 2000},
             {0.75, 1000, 2916, 972}, {0.95, 990, 2926, 154})},
    {.name = "pageblock",
     .kind = KIND_DATASETS,
     .positive = "2,3,4,5",
     .classifier = "mlp",
     .rate = "0.0001",
     SAMPLES({0.05, 100, 234, 4446}, {0.25, 100, 460, 1380}, {0.5, 100, 460, 460}, {0.75, 101, 459, 153},
             {0.95, 104, 456, 24})},
    {.name = "shuttle",
     .kind = KIND_DATASETS,
     .positive = "2,3,4,5,6,7",
     .classifier = "mlp",
     .rate = "0.0001",
     SAMPLES({0.05, 1000, 2399, 45586}, {0.25, 1000, 11414, 34242}, {0.5, 1000, 11414, 11414},
             {0.75, 1000, 11414, 3804}, {0.95, 1000, 11414, 600})},
    {.name = "spambase",
     .kind = KIND_DATASETS,
     .positive = "1",
     .classifier = "mlp",
     .rate = "0.00001",
     SAMPLES({0.05, 400, 147, 2788}, {0.25, 400, 929, 2788}, {0.5, 400, 1413, 1413}, {0.75, 400, 1413, 471},
             {0.95, 407, 1406, 74})},
    {.name = "wine",
     .kind = KIND_DATASETS,
     .positive = "red",
     .classifier = "mlp",
     .rate = "0.00005",
     SAMPLES({0.05, 500, 257, 4898}, {0.25, 500, 1099, 3297}, {0.5, 500, 1099, 1099}, {0.75, 500, 1099, 366},
             {0.95, 500, 1099, 57})},
    {.name = "mnist",
     .kind = KIND_DATASETS,
     .positive = "1,3,5,7,9",
     .file = {"train-images-idx3-ubyte.gz", "t10k-images-idx3-ubyte.gz"},
     .classifier = "mlp",
     .rate = "0.0001",
     SAMPLES({0.05, 1000, 1811, 34418}, {0.25, 1000, 11472, 34418}, {0.5, 1000, 34418, 34418},
             {0.75, 1000, 34582, 11527}, {0.95, 1000, 34582, 1820})},
    {.name = "cifar10",
     .kind = KIND_DATASETS,
     .positive = "0,1,8,9",
     .file = {"data_batch_1.bin.gz", "data_batch_2.bin.gz", "data_batch_3.bin.gz", "data_batch_4.bin.gz",
              "data_batch_5.bin.gz"},
     .classifier = "conv",
     .rate = "0.0001",
     SAMPLES({0.05, 1000, 1578, 30000}, {0.25, 1000, 10000, 30000}, {0.5, 1000, 19000, 19000},
             {0.75, 1000, 19000, 6333}, {0.95, 1000, 19000, 1000})},
};

const struct set *set_at(unsigned index)
{
    return index < sizeof sets / sizeof sets[0] ? &sets[index] : NULL;
}

int set_has_images(const struct set *set)
{
    return set->file[0] != NULL;
}

int set_is_uci(const struct set *set)
{
    return set->kind == KIND_DATASETS && !set_has_images(set);
}

static const struct variant variants[] = {
    {"dedpul", "DEDPUL", "dedpul", 0, 0, ANSWERS_BOTH, 0, {{"method", "dedpul"}}},
    {"pooled", "Pooled", NULL, 0, 0, ANSWERS_BOTH, 0, {{"method", "pooled"}}},
    {"learned", "Learned", NULL, 0, 0, ANSWERS_BOTH, 0, {{"method", "learned"}}},
    {"dedpul_bbe", "DEDPUL + BBE", NULL, 0, 0, ANSWERS_BOTH, 0, {{"method", "dedpul_bbe"}}},
    {"dedpul_paper",
     "DEDPUL, smoothing without trend",
     NULL,
     1,
     0,
     ANSWERS_BOTH,
     0,
     {{"method", "dedpul"}, {"smoothing", "paper"}}},
    {"dedpul_gmm",
     "DEDPUL, Gaussian mixtures",
     "dedpul_gmm",
     1,
     0,
     ANSWERS_BOTH,
     0,
     {{"method", "dedpul"}, {"density", "gmm"}}},
    {"dedpul_hist",
     "DEDPUL, histograms",
     "dedpul_hist",
     1,
     0,
     ANSWERS_BOTH,
     0,
     {{"method", "dedpul"}, {"density", "hist"}}},
    {"dedpul_no_smooth",
     "DEDPUL, no smoothing",
     "dedpul_no_smooth",
     1,
     0,
     ANSWERS_BOTH,
     0,
     {{"method", "dedpul"}, {"smoothing", "none"}}},
    {"simple_alpha",
     "DEDPUL, simple alpha",
     "simple_alpha",
     1,
     0,
     ANSWERS_BOTH,
     0,
     {{"method", "simple_alpha"}}},
    {"bbe", "BBE", NULL, 0, 0, ANSWERS_ALPHA, 0, {{"method", "bbe"}}},
    {"en_e1", "EN e1", "en_e1", 0, 0, ANSWERS_BOTH, 0, {{"method", "en_e1"}}},
    {"en_e3", "EN e3", "en_e3", 0, 0, ANSWERS_BOTH, 0, {{"method", "en_e3"}}},
    {"en_em", "EN em", "en_em", 0, 0, ANSWERS_BOTH, 0, {{"method", "en_em"}}},
    {"ntc_tice", "NTC + TIcE", "ntc_tice", 0, 0, ANSWERS_ALPHA, 0, {{"method", "ntc_tice"}}},
    {"alphamax", "AlphaMax", NULL, 0, 0, ANSWERS_ALPHA, 0, {{"method", "alphamax"}}},
    {"roc", "ROC", NULL, 0, 0, ANSWERS_ALPHA, 0, {{"method", "roc"}}},
    {"tice", "TIcE", "tice", 0, 1, ANSWERS_ALPHA, 200, {{"method", "tice"}}},
    {"km1", "KM1", NULL, 0, 1, ANSWERS_ALPHA, 50, {{"method", "km1"}}},
    {"km2", "KM2", "km2", 0, 1, ANSWERS_ALPHA, 50, {{"method", "km2"}}},
    {"nnpu_sigmoid",
     "nnPU, sigmoid",
     "nnpu_sigmoid",
     0,
     1,
     ANSWERS_POSTERIORS,
     0,
     {{"method", "nnpu"}, {"loss", "sigmoid"}}},
    {"nnpu_brier",
     "nnPU, Brier",
     "nnpu_brier",
     0,
     1,
     ANSWERS_POSTERIORS,
     0,
     {{"method", "nnpu"}, {"loss", "brier"}}},
    {"upu", "uPU", NULL, 0, 1, ANSWERS_POSTERIORS, 0, {{"method", "upu"}, {"loss", "brier"}}},
    {"tedn", "TED^n", NULL, 0, 1, ANSWERS_BOTH, 0, {{"method", "tedn"}}},
};

const struct variant *variant_at(unsigned index)
{
    return index < sizeof variants / sizeof variants[0] ? &variants[index] : NULL;
}

const struct variant *variant_find(const char *name)
{
    const struct variant *variant;
    for (unsigned i = 0; (variant = variant_at(i)) != NULL; i++)
        if (strcmp(variant->name, name) == 0)
            return variant;
    return NULL;
}

/* ---- how classifiers are trained ---- */

static const char *const synthetic_options[][2] = {
    {"layers", "16"},    {"batch-norm", "off"}, {"epochs", "100"},      {"patience", "5"},
    {"tree-depth", "4"}, {"tree-rate", "0.1"},  {"tree-rounds", "250"}, {"tree-patience", "20"},
};
/* Numbers are standardised over the whole set already. */
static const char *const dataset_options[][2] = {{"scale", "none"}};

static const char *const synthetic_nnpu[][2] = {
    {"epochs", "150"}, {"patience", "10"}, {"nn-beta", "0.1"}, {"nn-gamma", "0.9"}};
static const char *const dataset_nnpu[][2] = {{"patience", "10"}};

static dedpul_status set_all(dedpul_options *options, size_t n, const char *const (*option)[2],
                             dedpul_error *error)
{
    for (size_t i = 0; i < n && option[i][0] != NULL; i++) {
        const dedpul_status status = dedpul_options_set(options, option[i][0], option[i][1], error);
        if (status != DEDPUL_OK)
            return status;
    }
    return DEDPUL_OK;
}

#define SET_ALL(options, list, error) set_all((options), sizeof(list) / sizeof(list)[0], (list), (error))

dedpul_status protocol_set_options(const struct set *set, dedpul_options *options, dedpul_error *error)
{
    const char *const network[][2] = {{"classifier", set->classifier}, {"rate", set->rate}};
    const dedpul_status status = SET_ALL(options, network, error);
    if (status != DEDPUL_OK)
        return status;
    return set->kind == KIND_SYNTHETIC ? SET_ALL(options, synthetic_options, error)
                                       : SET_ALL(options, dataset_options, error);
}

dedpul_status protocol_set_variant(const struct set *set, const struct variant *variant,
                                   dedpul_options *options, dedpul_error *error)
{
    if (set_has_images(set) && variant->components > 0)
        options->pca = variant->components;
    return SET_ALL(options, variant->options, error);
}

dedpul_status protocol_set_nnpu(const struct set *set, dedpul_options *options, dedpul_error *error)
{
    return set->kind == KIND_SYNTHETIC ? SET_ALL(options, synthetic_nnpu, error)
                                       : SET_ALL(options, dataset_nnpu, error);
}
