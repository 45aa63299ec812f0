/* Samples whose positives are labeled with a chance that depends on columns. */
#ifndef DEDPUL_EXPERIMENTS_PROPENSITY_DRAW_H
#define DEDPUL_EXPERIMENTS_PROPENSITY_DRAW_H

#include "selected_draw.h"

/*
 * Draws positives, labels each with its chance, and adds negatives. The odds of being labeled go up with the
 * rank of a number among the positives, or down in every second repeat, and with a random order of texts; of
 * several columns, each does an equal part. Three in ten positives are labeled.
 */
dedpul_status propensity_draw_rows(struct context *context, const struct selected_data *data, double share,
                                   unsigned strength, unsigned repeat, struct rng *rng,
                                   struct selected_draw *draw);

#endif
