/* Score files: columns of labels, scores, and perhaps weights and true classes of a delimited text file. */
#ifndef DEDPUL_TABLE_SCORE_TABLE_H
#define DEDPUL_TABLE_SCORE_TABLE_H

#include "dialect.h"
#include "labels.h"
#include "row_texts.h"
#include "stream.h"

/* What a file's scores are. */
enum score_scale { SCORES_PROBABILITIES, SCORES_PERCENTS, SCORES_LOGITS };

/* The names of the columns, and of the positives' label. */
struct score_columns {
    const char *label, *score;
    const char *weight;   /* NULL: each row counts once */
    const char *positive; /* as in struct table_request */
    const char *truth;    /* true classes; NULL: none is known */
    const char *id;       /* identifiers; NULL: rows have none */
    const char *squares;  /* sums of squares of weights; NULL: none */
    const char *kind;     /* kinds of labeled rows that a model scores; NULL: none are known */
    enum score_scale scale;
    struct text_format format;
};

struct score_table {
    dedpul_allocator allocator;
    size_t n, capacity;
    double *score;        /* (n) in [0, 1] */
    double *weight;       /* (n) or NULL */
    unsigned char *label; /* (n) 1 = labeled positive, 0 = unlabeled */
    unsigned char *truth; /* (n) 1 = positive, 0 = negative, TRUTH_NOT_KNOWN; or NULL */
    struct row_texts id;  /* (n) or none */
    double *squares;      /* (n) or NULL */
};

/* The table is to be freed whatever the outcome. */
dedpul_status score_table_read(struct stream *stream, const struct score_columns *columns,
                               const dedpul_allocator *allocator, struct score_table *table,
                               dedpul_error *error);

/* Makes room for row number n, with what else there are columns of. */
dedpul_status score_table_reserve(struct score_table *table, const struct score_columns *wanted,
                                  const char *file, dedpul_error *error);

void score_table_free(struct score_table *table);

#endif
