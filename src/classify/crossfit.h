/* Cross-fitting: each row is scored by models that have not seen it. */
#ifndef DEDPUL_CLASSIFY_CROSSFIT_H
#define DEDPUL_CLASSIFY_CROSSFIT_H

#include "ensemble.h"

/* What to train, on what. */
struct crossfit_request {
    const struct classifier *classifier;
    const struct examples *examples;
    const unsigned char *stratum; /* (n_rows) as in folds.h */
    const struct risk *risk;      /* one other than of classes only if the classifier takes risks */
    const struct training_settings *settings;
    const char *stage; /* what progress is called */
};

/*
 * Trains settings->folds members for each of the schedule's partitions of the rows, all side by side. Each
 * row's logit is the mean over the partitions of that of the member which has not seen the row. The trained
 * members are in `ensemble`, whose memory is `memory`; the caller closes it, also after a failure.
 */
dedpul_status crossfit(struct context *context, const struct crossfit_request *request, struct arena *memory,
                       struct ensemble *ensemble, double *logit /* (n_rows) */);

#endif
