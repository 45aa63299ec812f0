/* How long a fit may still take: the training that is under way, and those that follow. */
#ifndef DEDPUL_FIT_FORECAST_H
#define DEDPUL_FIT_FORECAST_H

#include "fit_rows.h"

/* A fit has at most this many trainings: those of kinds, and others. */
enum { MOST_TRAININGS = 16 + MOST_KINDS * MOST_PARTS };

/* What a training is expected to take, by the measure of struct training_time. */
struct expected_time {
    double epoch, all; /* seconds of all threads together */
};

struct forecast {
    dedpul_progress_function *progress; /* the listener */
    void *progress_context;
    size_t n, at; /* trainings; the present one, from 1; 0 comes before them */
    struct expected_time training[MOST_TRAININGS]; /* (n) */
    struct expected_time faster; /* that of the settings that may be advised; 0: there are none */
    const char *stage;
    size_t step;                             /* of the present training */
    double began, training_began, last_told; /* when */
    double speed;                            /* seconds here for a second expected; 0: not measured yet */
    bool is_advised;
};

/*
 * From now on, what the context reports of trainings has the time left of all trainings of the plan: those
 * of the classifier, of so many kinds and, if is_whole, those of its method and of positives against
 * negatives.
 */
void forecast_begin(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                    size_t n_kinds, bool is_whole, struct forecast *forecast);

#endif
