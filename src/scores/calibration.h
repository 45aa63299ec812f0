/*
 * Whether posteriors agree with the labeled rows, without a known negative. If labeled rows are a random draw
 * of the positives, then a bin of scores has the share alpha r / q of positives, where r and q are the shares
 * of the labeled and of the unlabeled rows in it; and that should be the mean posterior.
 */
#ifndef DEDPUL_SCORES_CALIBRATION_H
#define DEDPUL_SCORES_CALIBRATION_H

#include "guesses.h"
#include "score_groups.h"

struct calibration_bin {
    double highest, lowest;    /* scores, or logits */
    double labeled, unlabeled; /* weight of the rows */
    double posterior;          /* mean */
    struct range share;        /* of positives, by the labeled rows; at most 1 */
};

enum { CALIBRATION_BINS_MOST = 10 };

struct calibration {
    size_t n;
    struct calibration_bin
        bin[CALIBRATION_BINS_MOST]; /* (n) from the highest score down; each has about as */
                                    /* many positives by the posteriors */
    double difference;              /* mean |share - posterior| over the unlabeled rows */
    double chance;                  /* the probability that chance alone makes the bins differ so much */
};

/* Ranges are at this level, for the alpha given. */
struct calibration calibrate_posteriors(const struct score_groups *groups, double alpha, double level);

/* If chance is below this, posteriors are off. */
#define LEAST_CHANCE 0.01

#endif
