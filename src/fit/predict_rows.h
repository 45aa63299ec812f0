/* Scores and posteriors of new rows. */
#ifndef DEDPUL_FIT_PREDICT_ROWS_H
#define DEDPUL_FIT_PREDICT_ROWS_H

#include "matrix_table.h"
#include "model.h"

struct prediction {
    size_t rows;
    double sum;                /* of posteriors */
    size_t unseen;             /* cells of text columns with a level that the fit had not seen */
    const char *unseen_column; /* the first column with one, or NULL */
};

/*
 * Uses the model's classifier of labeled against unlabeled rows and its curve. If by_pn is true, it uses the
 * classifier of positives against negatives, which the model must then have. If the method trained networks,
 * it always uses these.
 */
dedpul_status predict_matrix(struct context *context, const struct model *model, bool by_pn,
                             const struct matrix *rows, double *score /* (n) */, double *posterior /* (n) */);

/* The same from a file, read in pieces of bounded size, to a file; "-" is standard output. */
dedpul_status predict_file(struct context *context, const struct model *model, bool by_pn, const char *path,
                           const struct text_format *format, const char *out, struct prediction *prediction);

#endif
