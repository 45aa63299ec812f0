/* What the benchmarks share: clocks, medians and the table of measured values next to their limits. */
#ifndef DEDPUL_BENCH_H
#define DEDPUL_BENCH_H

#include "dedpul.h"

#include "rng.h"

#include <stdbool.h>

enum { MILLION = 1000000 };

/* Prints a value next to its limit; `relation` is "<=" or ">=". */
void report(const char *what, double value, const char *unit, const char *relation, double limit);
bool all_limits_met(void);

double now(void); /* seconds */

int compare_doubles(const void *a, const void *b);
double median(size_t n, double *value /* (n), gets sorted */);

/* Both end the program where something failed. */
void *checked(void *block);
void check(dedpul_status status, const dedpul_error *error);

double rng_normal(struct rng *rng);

#endif
