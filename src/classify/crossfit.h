/* Cross-fitting: each row is scored by models that have not seen it. */
#ifndef DEDPUL_CLASSIFY_CROSSFIT_H
#define DEDPUL_CLASSIFY_CROSSFIT_H

#include "ensemble.h"

/*
 * Trains options->folds members for each of the schedule's partitions of the rows, all side by side. Each
 * row's logit is the mean over the partitions of that of the member which has not seen the row. What they
 * minimise is the risk; one other than of classes only where the classifier takes risks. The trained
 * members are in `ensemble`, whose memory is `memory`; the caller closes it, also after a failure.
 */
dedpul_status crossfit(struct context *context, const struct classifier *classifier,
                       const struct examples *examples,
                       const unsigned char *stratum /* (n_rows) as in folds.h */, const struct risk *risk,
                       const dedpul_fit_options *options, const char *stage, struct context *memory,
                       struct ensemble *ensemble, double *logit /* (n_rows) */);

#endif
