/* Cross-fitting with a classifier that does what a script says. */
#ifndef DEDPUL_TESTS_SCRIPTED_H
#define DEDPUL_TESTS_SCRIPTED_H

#include "crossfit.h"
#include "support.h"

#include <stdatomic.h>

enum { FEATURES = 2, MOST_MODELS = 12, MOST_EPOCHS = 16 };

enum step { NOTHING, CREATE, CREATE_NULL, ADVANCE, WATCH, KEEP, FINISH, SCORE };

/* Column 0 of the matrix is the number of the row. */
struct script {
    struct schedule schedule;
    /* The logit that a member finds for a row in an epoch. */
    double (*logit)(size_t member, unsigned epoch, size_t row);
    enum step fails;
    unsigned after; /* calls of the step that do not fail */

    /* What happened. */
    unsigned creates, destroys, finishes, keeps;
    atomic_uint closes, scores, calls[SCORE + 1];
    double alpha[MOST_EPOCHS + 1]; /* of the risk, by epochs */
    unsigned epochs[MOST_MODELS], watched[MOST_MODELS], kept[MOST_MODELS];
    size_t n_members;
    unsigned char *fold[MOST_MODELS]; /* (n_rows) copies */
    unsigned held_out[MOST_MODELS];
    size_t n_watched[MOST_MODELS];
};

extern struct script script;
extern const struct classifier fake;

/* A row that the model has learned from gives itself away. */
double answer(size_t member, unsigned epoch, size_t row, bool seen);

struct reports {
    unsigned n, cancel_at; /* 0: never */
    dedpul_progress progress[MOST_EPOCHS];
};

/* Rows 0 .. n_1-1 are of class 1, the others of class 0; one example for each. */
struct run {
    struct context context, memory;
    struct reports reports;
    struct training_settings settings;
    struct risk risk;
    struct examples examples;
    float *x;
    unsigned char *label, *stratum;
    const struct row_groups *groups; /* NULL: none */
    double *logit;
    struct ensemble ensemble;
};

struct run *run_make(size_t n_1, size_t n_0, unsigned folds, struct schedule schedule);
dedpul_status run_crossfit(struct run *run);
/* What was created is destroyed, and what was finished closed. */
void run_free(struct run *run);

/* ---- answers of the script ---- */

extern size_t n_positive; /* rows of class 1 */

/* By members, or one for all: a digit for each epoch; the higher, the higher is the loss. */
extern const char *losses[MOST_MODELS];
double digit_logit(size_t member, unsigned epoch);
/* A run of these losses. */
struct run *run_digits(unsigned folds, struct schedule schedule);

/* A logit for each member, epoch and row, and the loss of these: of one member, or of all (member =
 * n_members). */
double by_row(size_t member, unsigned epoch, size_t row);
double expected_loss(const struct examples *examples, unsigned epoch, size_t member);

/* For the group's end. */
int script_end(void **state);

#endif
