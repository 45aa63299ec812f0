/* What the label column of a file says. */
#ifndef DEDPUL_TABLE_LABELS_H
#define DEDPUL_TABLE_LABELS_H

#include "error.h"

#include <stdbool.h>

enum {
    MOST_LABELS = 16, /* this many distinct values have codes of their own; all others share one code */
    LONGEST_LABEL = 255
};

struct label {
    char text[LONGEST_LABEL + 1];
    size_t length;
    size_t first; /* line or row where it was first seen; 0: not yet */
};

struct labels {
    const char *file;     /* its name, for messages */
    const char *unit;     /* how messages count its rows: "line" or "row" */
    const char *column;   /* its name */
    const char *positive; /* the value that means labeled positive, or several, separated by commas; */
                          /* NULL: labels_decide chooses a vocabulary */
    size_t n_positive;    /* how many of the first values come from `positive` */
    size_t n;
    bool has_others; /* some values share the code MOST_LABELS */
    struct label value[MOST_LABELS];
};

/* The strings are borrowed. */
dedpul_status labels_init(struct labels *labels, const char *file, const char *unit, const char *column,
                          const char *positive, dedpul_error *error);

/* Gives the code of a label: its index among the values, or MOST_LABELS. `number` is its line or row. */
dedpul_status labels_code(struct labels *labels, const char *text, size_t length, size_t number,
                          dedpul_error *error, unsigned char *code);

/*
 * Decides which codes mean labeled positive; all others mean unlabeled. If a row has the whole text of
 * `positive`, it is that value; else it is the values that commas separate in it. If `positive` is NULL, all
 * values must fit one vocabulary: 1/0, 1/-1, true/false or p/u. That no row has a value of `positive` is an
 * error only at the end of the file (`is_whole`).
 */
dedpul_status labels_decide(const struct labels *labels, bool is_whole, dedpul_error *error,
                            bool is_positive[MOST_LABELS + 1]);

/* ---- true classes ---- */

/* Beside 1 and 0: nobody knows. */
enum { TRUTH_NOT_KNOWN = 2 };

/* Gives the code of a true class, or one that stands for those that are not known, such as an empty text. */
dedpul_status labels_code_truth(struct labels *labels, const char *text, size_t length, size_t number,
                                dedpul_error *error, unsigned char *code);

/*
 * Turns codes into 1, 0 and TRUTH_NOT_KNOWN. Every value that does not mean positive means negative. If
 * `positive` is NULL, values must be 1/0, 1/-1, true/false or p/n. is_whole is as for labels_decide.
 */
dedpul_status labels_decide_truth(const struct labels *labels, bool is_whole, size_t n,
                                  unsigned char *truth /* (n) */, dedpul_error *error);

#endif
