/* Samples whose positives are of several kinds, which were labeled at different rates. */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_DRAW_H
#define DEDPUL_EXPERIMENTS_SELECTED_DRAW_H

#include "context.h"
#include "rng.h"
#include "selected_approach.h"
#include "table.h"

enum { MOST_CLASSES = 10, MOST_SHARES = 4, MOST_STRENGTHS = 3 };

/* The rates of shuttle's protocol, which is published. */
#define AS_PUBLISHED 0

struct selected_set {
    const char *name;
    const char *file, *labels; /* below the set's directory; labels is NULL if a column 'target' has them */
    const char *directory;     /* NULL: the name */
    const char *positive;      /* the target of positives, if it is a text; then there is one kind */
    const char *propensity; /* columns on which the chance of a positive to be labeled depends, separated */
                            /* by commas; NULL: rates are those of kinds */
    size_t n_kinds;
    int kind[MOST_CLASSES];      /* (n_kinds) the classes that are positive */
    unsigned labeled, unlabeled; /* rows, if there are enough of each kind */
    size_t n_shares, n_strengths;
    double share[MOST_SHARES];
    const char *classifier;            /* NULL: the default */
    unsigned strength[MOST_STRENGTHS]; /* the highest rate of labels over the lowest; 1: a random draw. */
                                       /* With propensities: the odds of being labeled */
    bool takes[N_APPROACHES];
};

/* NULL for an index out of range. */
const struct selected_set *selected_set_at(size_t index);

/* What is drawn: rows of a set. */
struct selected_draw {
    struct table table;             /* with the kinds of labeled rows, or with propensities */
    size_t unlabeled[MOST_CLASSES]; /* (n_kinds) unlabeled rows of each kind */
    size_t n_unlabeled;
};

struct selected_data;

/* Reads the set from its directory below `directory`. Free it with selected_data_free, also after a failure.
 */
dedpul_status selected_data_open(const struct selected_set *set, const char *directory,
                                 struct selected_data **result, dedpul_error *error);
void selected_data_free(struct selected_data *data); /* NULL is fine */

/* Draws rows without replacement. The repeat decides which kinds are labeled most. */
dedpul_status selected_draw_rows(struct context *context, const struct selected_data *data, double share,
                                 unsigned strength, unsigned repeat, struct rng *rng,
                                 struct selected_draw *draw);

#endif
