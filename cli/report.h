/* The answer as one HTML page that needs nothing but itself. */
#ifndef DEDPUL_CLI_REPORT_H
#define DEDPUL_CLI_REPORT_H

#include <dedpul.h>

#include <stdbool.h>

/* What a page is about: one estimate, the evaluation of a model, or a comparison. */
struct report {
    const char *file; /* the input */
    int argc;         /* of the command line; argv[0] is the command's name */
    char *const *argv;

    const dedpul_result *result;
    dedpul_sample rows;             /* that the result was made from */
    const unsigned char *label;     /* (rows.n) */
    const dedpul_ids *ids;          /* of the rows; NULL: there are none */
    const dedpul_model_info *model; /* NULL: the scores were given */
    const dedpul_table *table;      /* of the model */
    const dedpul_model *fitted;     /* a model whose fit is evaluated; then there is no result and no rows */
    const unsigned char *truth; /* (rows.n) classes of unlabeled rows, as in a dedpul_score_table; or NULL */
    const dedpul_evaluate_options *evaluate; /* how the estimate is evaluated */
    bool has_labels_of_fit;                  /* the labeled rows are not of the file, but of a model's fit */

    const dedpul_comparison *comparison; /* NULL: one estimate */
    double level;                        /* of its intervals */
};

/* The file appears whole or not at all. */
dedpul_status report_write(const char *path, const struct report *report, dedpul_error *error);

#endif
