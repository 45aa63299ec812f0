/* When training is likely to end: it stops early, when its loss no longer falls. */
#ifndef DEDPUL_CLASSIFY_TRAINING_END_H
#define DEDPUL_CLASSIFY_TRAINING_END_H

#include "classifier.h"

/* Nothing is said before this many epochs or rounds. */
enum { TRAINING_WARM_UP = 8 };

struct training_end {
    struct schedule schedule;
    struct training_time time;
    double first, middle; /* losses at the beginning and in the middle of the warm-up */
};

struct training_end training_end_init(struct schedule schedule, struct training_time time);

/* Takes the loss of the next epoch; they count from 1. */
void training_end_note(struct training_end *end, unsigned epoch, double loss);

/*
 * Returns the epoch that is likely to be the last, at least the present one. `best` is the one with the
 * lowest loss so far, or 0 if there is none yet. Returns 0 during the warm-up.
 */
double training_end_guess(const struct training_end *end, unsigned epoch, unsigned best);

#endif
