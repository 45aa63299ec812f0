/* New rows: scored piece by piece, held against those of the fit, and decided. */
#ifndef DEDPUL_FIT_BATCH_H
#define DEDPUL_FIT_BATCH_H

#include "decision.h"
#include "drift.h"

struct prediction {
    size_t rows, flagged;
    double sum;                  /* of posteriors */
    struct decision decision;    /* by which they were made */
    struct share_estimate share; /* of positives among the rows, by their scores */
    size_t unseen;               /* cells of text columns with a level that the fit had not seen */
    const char *unseen_column;   /* the first column with one, or NULL */
    struct drift_table drift;
};

struct batch {
    const struct model *model;
    const struct predict_plan *plan;
    double *count; /* (kept.n) rows at the kept logits; NULL: there is nothing to compare with */
    struct column_counts *counts; /* (n_columns) NULL: there is nothing to compare with */
    bool is_decided;
    struct prediction prediction;
};

/* Decides at once if the scores are not needed for that. */
dedpul_status batch_begin(struct context *context, const struct model *model, const struct predict_plan *plan,
                          struct batch *batch);

/* What a model says of rows before a decision. */
struct scored_piece {
    double *logit; /* (n) */
    double *part; /* (n, kinds.n) how likely a positive row is of each kind; not used if there are no kinds */
};

/* Scores a piece. The table is not needed any more when the work beside begins. */
dedpul_status batch_score(struct context *context, struct batch *batch, const struct table *table,
                          const struct beside *beside, struct scored_piece piece);

/* Decides by all scores, unless that is done. */
dedpul_status batch_decide(struct context *context, struct batch *batch, size_t n,
                           const double *logit /* (n) */);

/* What a decision makes of rows. */
struct predicted {
    double *score, *posterior; /* (n) */
    double *kind_posterior;    /* (n, kinds.n) of being positive and of this kind; not used without kinds */
};

/* Applies the decision. */
void batch_predict(struct batch *batch, size_t n, struct scored_piece piece, struct predicted rows);

/* Compares all rows with those of the fit. The arrays of the prediction are in `memory`. */
dedpul_status batch_end(struct context *context, struct batch *batch, struct arena *memory);

#endif
