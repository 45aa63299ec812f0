/* Cross-fitting: each row is scored by models that have not seen it. */
#ifndef DEDPUL_CLASSIFY_CROSSFIT_H
#define DEDPUL_CLASSIFY_CROSSFIT_H

#include "ensemble.h"
#include "group_folds.h"

/* What to train, and on which examples. */
struct crossfit_request {
    const struct classifier *classifier;
    const struct examples *examples;
    const unsigned char *stratum;    /* (n_rows) as in folds.h */
    const struct row_groups *groups; /* each is in one fold; NULL: every row is dealt by itself */
    const struct risk *risk;         /* other than RISK_CLASSES only if the classifier takes risks */
    const struct training_settings *settings;
    const char *stage; /* the name of this training in progress reports */
};

/*
 * Trains settings->folds members for each of the schedule's partitions of the rows, all side by side. In each
 * partition one member has not seen a row, or any of its group; the row's logit is the mean of what these
 * members say. The trained members are in `ensemble`, which lives in `memory`. The caller closes it, also
 * after a failure.
 */
dedpul_status crossfit(struct context *context, const struct crossfit_request *request, struct arena *memory,
                       struct ensemble *ensemble, double *logit /* (n_rows) */);

#endif
