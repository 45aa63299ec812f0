/* The part of a report that tells how good the scores are, and where to cut. */
#ifndef DEDPUL_CLI_REPORT_EVALUATION_H
#define DEDPUL_CLI_REPORT_EVALUATION_H

#include "report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* An evaluation with alpha as it was estimated, or as if it were known to be at an end of its range. */
struct supposed {
    const char *words; /* "as estimated", "the low end of its range" */
    dedpul_evaluation *evaluation;
};

enum { MOST_SUPPOSED = 3 };

struct evaluations {
    size_t n; /* 0: nothing can be evaluated */
    size_t estimate;
    struct supposed item[MOST_SUPPOSED]; /* (n) alpha grows */
    dedpul_error obstacle;               /* if there are none */
};

/* Finds the ends of alpha's range: those of its interval, or of its distribution. False if neither is known.
 */
bool find_alpha_range(const struct report *report, double end[2]);

/* Evaluates with the alpha of the result, and with the ends of its range if it is known. */
void evaluations_make(const struct report *report, struct evaluations *evaluations);

void evaluations_free(struct evaluations *evaluations);

/* What the script draws; NULL if there is no memory. */
json_t *evaluations_data(const struct evaluations *evaluations);

/* The section, or a line that says why there is none. */
void evaluations_print(FILE *stream, const struct evaluations *evaluations);

#endif
