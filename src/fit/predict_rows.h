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
 * By the model's classifier of labeled against unlabeled rows and its curve, or by that of positives against
 * negatives, which the model must have then. If the method trained networks, these answer in any case.
 */
dedpul_status predict_matrix(struct context *context, const struct model *model, bool by_pn,
                             const struct matrix *rows, double *score /* (n) */, double *posterior /* (n) */);

/* From a file in pieces of bounded size, to a file or to standard output for "-". */
dedpul_status predict_file(struct context *context, const struct model *model, bool by_pn, const char *path,
                           const char *out, struct prediction *prediction);

#endif
