#include "protocol.h"

#include <stddef.h>
#include <string.h>

const char *kind_name(enum kind kind)
{
    return kind == KIND_SYNTHETIC ? "synthetic" : "datasets";
}

/* 1000 labeled and 10,000 unlabeled rows, of which floor(10000 (1 - alpha)) are negative. */
#define SYNTHETIC(name, location, scale)                                                  \
    {                                                                                     \
        name, KIND_SYNTHETIC, {(location), (scale)}, 1e-3,                                \
            {{0.01, 1000, 100, 9900}, {0.05, 1000, 500, 9500},  {0.25, 1000, 2500, 7500}, \
             {0.5, 1000, 5000, 5000}, {0.75, 1000, 7500, 2500}, {0.95, 1000, 9500, 500},  \
             {0.99, 1000, 9900, 100}},                                                    \
            7                                                                             \
    }
#define DATASET(name, rate, ...)                              \
    {                                                         \
        name, KIND_DATASETS, {0, 0}, (rate), {__VA_ARGS__}, 5 \
    }

static const struct set sets[] = {
    SYNTHETIC("L(1,1)", 1, 1),
    SYNTHETIC("L(2,1)", 2, 1),
    SYNTHETIC("L(4,1)", 4, 1),
    SYNTHETIC("L(0,2)", 0, 2),
    SYNTHETIC("L(0,4)", 0, 4),
    DATASET("bank", 5e-4, {0.05, 1000, 2101, 39922}, {0.25, 1000, 4289, 12867}, {0.5, 1000, 4289, 4289},
            {0.75, 1000, 4289, 1429}, {0.95, 1000, 4289, 225}),
    DATASET("concrete", 1e-4, {0.05, 100, 28, 540}, {0.25, 100, 180, 540}, {0.5, 100, 390, 390},
            {0.75, 100, 390, 130}, {0.95, 100, 380, 20}),
    DATASET("landsat", 1e-5, {0.05, 1000, 189, 3594}, {0.25, 1000, 1000, 3000}, {0.5, 1000, 1841, 1841},
            {0.75, 1000, 1841, 613}, {0.95, 1000, 1841, 96}),
    DATASET("mushroom", 1e-4, {0.05, 1000, 200, 3800}, {0.25, 1000, 1000, 3000}, {0.5, 1000, 2000, 2000},
            {0.75, 1000, 2916, 972}, {0.95, 990, 2926, 154}),
    DATASET("pageblock", 1e-4, {0.05, 100, 234, 4446}, {0.25, 100, 460, 1380}, {0.5, 100, 460, 460},
            {0.75, 101, 459, 153}, {0.95, 104, 456, 24}),
    DATASET("shuttle", 1e-4, {0.05, 1000, 2399, 45586}, {0.25, 1000, 11414, 34242}, {0.5, 1000, 11414, 11414},
            {0.75, 1000, 11414, 3804}, {0.95, 1000, 11414, 600}),
    DATASET("spambase", 1e-5, {0.05, 400, 147, 2788}, {0.25, 400, 929, 2788}, {0.5, 400, 1413, 1413},
            {0.75, 400, 1413, 471}, {0.95, 407, 1406, 74}),
    DATASET("wine", 5e-5, {0.05, 500, 257, 4898}, {0.25, 500, 1099, 3297}, {0.5, 500, 1099, 1099},
            {0.75, 500, 1099, 366}, {0.95, 500, 1099, 57}),
    DATASET("mnist", 1e-4, {0.05, 1000, 1811, 34418}, {0.25, 1000, 11472, 34418}, {0.5, 1000, 34418, 34418},
            {0.75, 1000, 34582, 11527}, {0.95, 1000, 34582, 1820}),
    DATASET("cifar10", 1e-4, {0.05, 1000, 1578, 30000}, {0.25, 1000, 10000, 30000}, {0.5, 1000, 19000, 19000},
            {0.75, 1000, 19000, 6333}, {0.95, 1000, 19000, 1000}),
};

const struct set *set_at(unsigned index)
{
    return index < sizeof sets / sizeof sets[0] ? &sets[index] : NULL;
}

static const struct variant variants[] = {
    {"dedpul", "DEDPUL", "dedpul", 0, 0, {{"method", "dedpul"}}},
    {"dedpul_bbe", "DEDPUL + BBE", NULL, 0, 0, {{"method", "dedpul_bbe"}}},
    {"dedpul_paper", "DEDPUL, the paper's smoothing", NULL, 1, 0, {{"smoothing", "paper"}}},
    {"dedpul_gmm", "DEDPUL, Gaussian mixtures", "dedpul_gmm", 1, 0, {{"density", "gmm"}}},
    {"dedpul_hist", "DEDPUL, histograms", "dedpul_hist", 1, 0, {{"density", "hist"}}},
    {"dedpul_no_smooth", "DEDPUL, no smoothing", "dedpul_no_smooth", 1, 0, {{"smoothing", "none"}}},
    {"simple_alpha", "DEDPUL, simple alpha", "simple_alpha", 1, 0, {{"method", "simple_alpha"}}},
    {"bbe", "BBE", NULL, 0, 0, {{"method", "bbe"}}},
    {"en_e1", "EN e1", "en_e1", 0, 0, {{"method", "en_e1"}}},
    {"en_e3", "EN e3", "en_e3", 0, 0, {{"method", "en_e3"}}},
    {"en_em", "EN em", "en_em", 0, 0, {{"method", "en_em"}}},
    {"ntc_tice", "NTC + TIcE", "ntc_tice", 0, 0, {{"method", "ntc_tice"}}},
    {"alphamax", "AlphaMax", NULL, 0, 0, {{"method", "alphamax"}}},
    {"roc", "ROC", NULL, 0, 0, {{"method", "roc"}}},
    {"tice", "TIcE", "tice", 0, 1, {{"method", "tice"}, {"pca", "200"}}},
    {"km1", "KM1", NULL, 0, 1, {{"method", "km1"}, {"pca", "50"}}},
    {"km2", "KM2", "km2", 0, 1, {{"method", "km2"}, {"pca", "50"}}},
    {"nnpu_sigmoid", "nnPU, sigmoid", "nnpu_sigmoid", 0, 1, {{"method", "nnpu"}, {"loss", "sigmoid"}}},
    {"nnpu_brier", "nnPU, Brier", "nnpu_brier", 0, 1, {{"method", "nnpu"}, {"loss", "brier"}}},
    {"upu", "uPU", NULL, 0, 1, {{"method", "upu"}, {"loss", "brier"}}},
    {"tedn", "TED^n", NULL, 0, 1, {{"method", "tedn"}}},
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
