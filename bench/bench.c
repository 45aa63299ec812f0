#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

bool time_python(const char *package, const char *script, const char *arguments, size_t n, double *lowest)
{
    char command[512], line[256];
    bool found = false;
    (void)snprintf(command, sizeof command, "/usr/bin/python3 '%s' %s 2>/dev/null", script, arguments);
    FILE *output = checked(popen(command, "r"));
    for (size_t i = 0; i < n; i++)
        lowest[i] = INFINITY;
    while (fgets(line, sizeof line, output) != NULL) {
        char *at = line + strcspn(line, ":");
        printf("%s, %.*s, in ms:", package, (int)(at - line), line);
        at += *at == ':';
        for (size_t i = 0; i < n; i++) {
            const double seconds = strtod(at, &at);
            lowest[i] = fmin(lowest[i], seconds);
            printf(" %.3g", 1e3 * seconds);
        }
        printf("\n");
        found = true;
    }
    (void)pclose(output);
    return found;
}

/* Times are noisy, so both programs are measured in turn, and the median of the quotients counts. */
void race_torch(const char *script, size_t n, const struct race *race)
{
    enum { REPEATS = 5 };
    double ours[MOST_RACES][REPEATS], torch[MOST_RACES][REPEATS], quotient[MOST_RACES][REPEATS];
    bool has_torch = true;
    for (int r = 0; r < REPEATS; r++) {
        double lowest[MOST_RACES];
        for (size_t i = 0; i < n; i++)
            ours[i][r] = race[i].time(race[i].width);
        has_torch = has_torch && time_python("PyTorch", script, "", n, lowest);
        for (size_t i = 0; has_torch && i < n; i++) {
            torch[i][r] = lowest[i];
            quotient[i][r] = lowest[i] / ours[i][r];
        }
    }
    if (!has_torch)
        printf("PyTorch: not installed (python3-torch)\n");
    for (size_t i = 0; i < n; i++) {
        printf("%s, one thread: %.3g ms", race[i].name, 1e3 * median(REPEATS, ours[i]));
        if (has_torch) {
            printf("; PyTorch: %.3g ms; quotients", 1e3 * median(REPEATS, torch[i]));
            const double middle = median(REPEATS, quotient[i]);
            printf(" %.3g to %.3g\n", quotient[i][0], quotient[i][REPEATS - 1]);
            report("PyTorch against ours", middle, "x", ">=", race[i].times_as_fast);
        } else {
            printf("\n");
        }
    }
}
