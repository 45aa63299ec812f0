/* Which sets, shares and methods are asked for. */
#ifndef DEDPUL_EXPERIMENTS_CHOICE_H
#define DEDPUL_EXPERIMENTS_CHOICE_H

#include "experiments.h"

#include <stdbool.h>

enum { MOST_SETS = 32, MOST_VARIANTS = 64 };

struct choice {
    bool set[MOST_SETS];
    bool variant[MOST_VARIANTS];
    bool alpha[MOST_SETS][MOST_ALPHAS]; /* by set and sample */
};

dedpul_status choice_read(const struct experiment *experiment, struct choice *choice, dedpul_error *error);

#endif
