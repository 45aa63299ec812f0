/* Whether labeled rows may be a random draw of the positives, checked on the rows of a fit. */
#ifndef DEDPUL_FIT_FIT_CHECK_H
#define DEDPUL_FIT_FIT_CHECK_H

#include "fit_kinds.h"
#include "label_check.h"

/* A check and the kinds that it looked at. All is in the memory given. */
struct checked_labels {
    bool is_done; /* otherwise nothing else is set */
    struct label_check check;
    bool has_found_kinds; /* nobody has told of them */
    char **name;          /* (check.n_kinds) */
    char **traits; /* (check.n_kinds) what its labeled rows have that others do not; "": nothing is known */
};

/* Checks by kinds that a classifier was trained for; rows are not corrected yet. An alarm is a warning. */
dedpul_status fit_check_kinds(struct context *context, const struct encoding *encoding,
                              const struct fit_rows *rows, const struct fitted_kinds *fitted,
                              struct arena *memory, struct checked_labels *checked);

/*
 * The same by kinds that are found among the labeled rows: clusters of their features. If that is not
 * possible, a warning says why.
 */
dedpul_status fit_check_rows(struct context *context, const struct encoding *encoding,
                             const struct fit_rows *rows, struct arena *memory,
                             struct checked_labels *checked);

/* The same, and keeps the kinds, as fit_kinds_read gives them, if there is an alarm; else their number is 0.
 */
dedpul_status fit_check_and_keep(struct context *context, const struct encoding *encoding,
                                 const struct fit_rows *rows, struct arena *memory,
                                 struct checked_labels *checked, struct fitted_kinds *fitted);

#endif
