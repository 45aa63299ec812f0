/* The data of a run: labeled and unlabeled rows whose true classes are known. */
#ifndef DEDPUL_EXPERIMENTS_DRAW_H
#define DEDPUL_EXPERIMENTS_DRAW_H

#include "context.h"
#include "protocol.h"
#include "rng.h"
#include "table.h"

struct drawing {
    struct table table;   /* labeled rows first */
    size_t n_labeled;     /* the others are unlabeled */
    unsigned char *truth; /* (n_rows) 1 = positive */
    double target;        /* the share of positives that can be told from the data */
    double *posterior;    /* (n_rows) true posteriors; NULL if they are not known */
};

/* Makes a table with this many rows and columns in the context's memory, and fills in the labels. */
dedpul_status drawing_create(struct context *context, const struct sample_size *size, size_t n_columns,
                             struct drawing *drawing);

/* Draws labeled and unlabeled rows from known densities; the target is alpha* = inf f_u / f_p. */
dedpul_status draw_synthetic(struct context *context, const struct set *set, const struct sample_size *size,
                             struct rng *rng, struct drawing *drawing);

/* ---- data sets ---- */

struct dataset;

/*
 * Reads a set of the protocol from its directory below `directory`. As published, text becomes codes and
 * numbers are standardised over all rows; otherwise columns stay as they are.
 */
dedpul_status dataset_open(const struct set *set, const char *directory, bool as_published,
                           struct dataset **dataset, dedpul_error *error);

/* Tells whether the files of the set are there. */
dedpul_status dataset_check(const struct set *set, const char *directory, dedpul_error *error);

/* Draws rows without replacement. */
dedpul_status draw_rows(struct context *context, const struct dataset *dataset,
                        const struct sample_size *size, struct rng *rng, struct drawing *drawing);

void dataset_free(struct dataset *dataset); /* NULL is fine */

#endif
