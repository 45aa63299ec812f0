/* Two Gaussian blobs, which may pass for images of 2x2, and members that each leave out a fold of them: for
 * tests of classifiers. */
#ifndef DEDPUL_TESTS_BLOBS_H
#define DEDPUL_TESTS_BLOBS_H

#include "classifier.h"
#include "support.h"

enum { WIDTH = 4, MEMBERS = 3, MOST_ROWS = 2000 };

struct blobs {
    size_t n;
    float x[MOST_ROWS * WIDTH];
    unsigned char label[MOST_ROWS], fold[MOST_ROWS];
    uint32_t watched[MEMBERS][MOST_ROWS];
    double logit[MEMBERS][MOST_ROWS];
    double weight[MOST_ROWS];
    struct examples examples;
    struct member member[MEMBERS];
    struct training_settings settings;
    struct training training;
};

/* Class 1 comes first. Column 1 tells the classes apart, with some values missing; the others are noise. */
struct blobs *blobs_make(size_t n_1, size_t n_0);

/* The same without missing values, which networks do not know. */
struct blobs *whole_blobs(size_t n_1, size_t n_0);

/* Rounds of training; models in the state after `kept` of them. */
dedpul_status train(struct context *context, const struct classifier *classifier,
                    const struct training *training, unsigned rounds, unsigned kept, void **set,
                    void *model[MEMBERS]);

/* The same, but the set is destroyed at the end. */
void train_models(struct context *context, const struct classifier *classifier, struct blobs *blobs,
                  unsigned epochs, unsigned kept, void *model[MEMBERS]);

void close_all(const struct classifier *classifier, void *set, void *model[MEMBERS]);

/* Held-out logits by row: each row is watched by one member. */
void logits_by_row(const struct blobs *blobs, double *logit /* (n) */);

double auc_of(const struct blobs *blobs, const double *logit /* (n) */);

/* From create to load, for every n, the n-th allocation fails: nothing is leaked. */
void check_allocations(const struct classifier *classifier, const struct plugin *plugin);

/* Whether these bytes, which may be damaged, load as an ensemble; whatever loads gives logits. */
bool loads(const unsigned char *data, size_t size, size_t width);

#endif
