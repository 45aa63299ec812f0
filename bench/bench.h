/* What the benchmarks share: clocks, medians, and a table of measured values next to their limits. */
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

/* Both end the program if something failed. */
void *checked(void *block);
void check(dedpul_status status, const dedpul_error *error);

/*
 * Runs a Python script that prints a line for each setting that it tries: its name, a colon and n numbers of
 * seconds. Prints these and finds the lowest over settings. False if the package is not installed.
 */
bool time_python(const char *package, const char *script, const char *arguments, size_t n,
                 double *lowest /* (n) */);

/* A piece of work that PyTorch does too. */
struct race {
    const char *name;
    double (*time)(size_t width); /* our time in seconds */
    size_t width;                 /* of a row */
    double times_as_fast;         /* the limit: we must be at least this many times as fast */
};
enum { MOST_RACES = 4 };

/* Reports how many times as long PyTorch takes. The script prints the seconds of each race. */
void race_torch(const char *script, size_t n, const struct race *race /* (n), at most MOST_RACES */);

double rng_normal(struct rng *rng);

#endif
