/* The paper's experiments. */
#ifndef DEDPUL_EXPERIMENTS_EXPERIMENTS_H
#define DEDPUL_EXPERIMENTS_EXPERIMENTS_H

#include <dedpul.h>

/* DEDPUL on positives L(0, 1), negatives L(2, 1), alpha = 0.5; the target is alpha* = 0.568. */
dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error);

#endif
