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

/*
 * Fills what a check has found, with what each kind is like, and warns if it is an alarm, or if there were
 * too few rows; nothing is done then. The warning of an alarm ends with the advice.
 */
dedpul_status fit_check_tell(struct context *context, const struct encoding *encoding,
                             const struct fit_rows *rows, const struct kinds *kinds,
                             const struct label_check *check, bool has_found_kinds, const char *advice,
                             struct arena *memory, struct checked_labels *checked);

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

#endif
