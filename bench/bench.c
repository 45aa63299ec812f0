#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool all_met = true;

void report(const char *what, double value, const char *unit, const char *relation, double limit)
{
    const bool met = relation[0] == '<' ? value <= limit : value >= limit;
    printf("%-58s %10.3g %-6s limit %s %g%s\n", what, value, unit, relation, limit, met ? "" : "   MISSED");
    all_met = all_met && met;
}

bool all_limits_met(void)
{
    return all_met;
}

double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(size_t n, double *value)
{
    qsort(value, n, sizeof *value, compare_doubles);
    return value[n / 2];
}

void *checked(void *block)
{
    if (block == NULL) {
        (void)fputs("out of memory\n", stderr);
        exit(1);
    }
    return block;
}

void check(dedpul_status status, const dedpul_error *error)
{
    if (status != DEDPUL_OK) {
        (void)fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

double rng_normal(struct rng *rng)
{
    return sqrt(-2 * log(1 - rng_uniform(rng))) * cos(6.283185307179586 * rng_uniform(rng));
}
