/* A fit whose labeled rows are of several kinds, which may have been labeled at different rates. */
#ifndef DEDPUL_FIT_FIT_KINDS_H
#define DEDPUL_FIT_FIT_KINDS_H

#include "fit_rows.h"
#include "kind_shares.h"
#include "kinds.h"

/* What one kind is among the unlabeled rows. */
struct kind_estimate {
    const char *name;
    size_t rows;       /* labeled */
    double weight;     /* of these */
    double share;      /* of the unlabeled rows that are positive and of this kind */
    double low, high;  /* an interval of it */
    double *posterior; /* (n_unlabeled) */
};

struct kind_estimates {
    size_t n;                   /* 0: the table has no kinds */
    struct kind_estimate *kind; /* (n) */
    double *weight;   /* (n_rows) what each row counts, as if kinds had been labeled at the same rate */
    uint32_t *of_row; /* (n_rows) the kind of a labeled row; n: the row is unlabeled */
};

/* Kinds on the way from scores to the answer. */
struct fitted_kinds {
    struct kinds kinds;        /* as fit_kinds_read gives them */
    const double *density;     /* (n_rows, kinds.n) as in model_kinds.h; from fit_kinds_train */
    const uint32_t *likeliest; /* (n_rows) the kind that has the highest density; from fit_kinds_train */
    struct kind_shares found;  /* from fit_kinds_share or fit_kinds_rate */
};

/*
 * Reads the kinds, as kinds_read, or makes sure that there are rows enough to find some later. It is an error
 * if rows are in groups: shares of kinds and their resamples take rows to be independent.
 */
dedpul_status fit_kinds_read(struct context *context, const struct fit_rows *rows, struct kinds *kinds);

/*
 * Trains a classifier of each kind against the others, with the kinds of classifiers in `ntc`. What it fits
 * is in `memory`; the caller closes `own`, also after a failure.
 */
dedpul_status fit_kinds_train(struct context *context, const struct fit_plan *plan, const struct scorer *ntc,
                              const struct fit_rows *rows, struct arena *memory, struct model_kinds *own,
                              struct fitted_kinds *fitted);

/* The rows, before they are corrected, with their likeliest kinds. */
struct kind_rows fitted_kind_rows(const struct fit_rows *rows, const struct fitted_kinds *fitted);

/* Finds the shares of kinds that are known: the largest that fit. */
dedpul_status fit_kinds_share(struct context *context, const struct fit_rows *rows,
                              struct fitted_kinds *fitted);

/* Finds those of kinds that were found, by the rates at which they may have been labeled. */
dedpul_status fit_kinds_rate(struct context *context, const struct fit_rows *rows,
                             struct fitted_kinds *fitted);

/*
 * Corrects logits and weights of the rows by the shares of the kinds: from here on, the rows are as if kinds
 * had been labeled at the same rate.
 */
dedpul_status fit_kinds_correct(struct context *context, struct model_kinds *own, struct fit_rows *rows,
                                const struct fitted_kinds *fitted);

/* Splits the estimate by kinds, and widens its interval, because the shares of the kinds are uncertain. */
dedpul_status fit_kinds_answer(struct context *context, const struct fit_rows *rows,
                               const struct model *model, const struct fitted_kinds *fitted,
                               struct arena *memory, struct estimate *estimate,
                               struct kind_estimates *answer);

#endif
