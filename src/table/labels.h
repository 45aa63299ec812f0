/* What the label column of a file says. */
#ifndef DEDPUL_TABLE_LABELS_H
#define DEDPUL_TABLE_LABELS_H

#include "error.h"

#include <stdbool.h>

enum {
    MOST_LABELS = 16, /* distinct values that are told apart; all further ones share one code */
    LONGEST_LABEL = 255
};

struct label {
    char text[LONGEST_LABEL + 1];
    size_t length;
    size_t first; /* line or row where it was first seen; 0: not yet */
};

struct labels {
    const char *file;     /* its name, for messages */
    const char *unit;     /* what they count its rows by: "line" or "row" */
    const char *column;   /* its name */
    const char *positive; /* the value of labeled positives, or several with commas between; NULL: by the */
                          /* vocabularies below */
    size_t n_positive;    /* how many of the values are that, the first ones */
    size_t n;
    bool has_others; /* that share the code MOST_LABELS */
    struct label value[MOST_LABELS];
};

/* The strings are borrowed. */
dedpul_status labels_init(struct labels *labels, const char *file, const char *unit, const char *column,
                          const char *positive, dedpul_error *error);

/* The code of a label in the given line or row: its index among the values, or MOST_LABELS. */
dedpul_status labels_code(struct labels *labels, const char *text, size_t length, size_t number,
                          dedpul_error *error, unsigned char *code);

/*
 * Which codes mean labeled positive: that of `positive` as it is, or where no row has that, those of its
 * parts between commas, every other value meaning unlabeled; or where it is NULL, by the one vocabulary that
 * all values fit: 1/0, 1/-1, true/false or p/u. Only at the end of a file (`is_whole`) is it an error that no
 * row has one of these values.
 */
dedpul_status labels_decide(const struct labels *labels, bool is_whole, dedpul_error *error,
                            bool is_positive[MOST_LABELS + 1]);

#endif
