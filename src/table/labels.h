/* What the label column of a file says. */
#ifndef DEDPUL_TABLE_LABELS_H
#define DEDPUL_TABLE_LABELS_H

#include "csv.h"

enum {
    MOST_LABELS = 16, /* distinct values that are told apart; all further ones share one code */
    LONGEST_LABEL = 255
};

struct label {
    char text[LONGEST_LABEL + 1];
    size_t length;
    size_t line; /* of the file, where it was first seen; 0: not yet */
};

struct labels {
    const char *column;   /* its name */
    const char *positive; /* the value of labeled positives; NULL: by the vocabularies below */
    size_t n;
    bool has_others; /* that share the code MOST_LABELS */
    struct label value[MOST_LABELS];
};

dedpul_status labels_init(struct labels *labels, const char *column, const char *positive,
                          dedpul_error *error);

/* The code of a label: its index among the values, or MOST_LABELS. */
dedpul_status labels_code(struct labels *labels, const struct csv *csv, size_t field, unsigned char *code);

/*
 * Which codes mean labeled positive: that of `positive`, every other value meaning unlabeled; or where
 * it is NULL, by the one vocabulary that all values fit: 1/0, 1/-1, true/false or p/u.
 */
dedpul_status labels_decide(const struct labels *labels, const struct csv *csv,
                            bool is_positive[MOST_LABELS + 1]);

#endif
