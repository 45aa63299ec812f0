/* Time. */
#ifndef DEDPUL_BASE_CLOCK_H
#define DEDPUL_BASE_CLOCK_H

#include <time.h>

/* Time since some fixed moment in the past: only differences mean something. */
static inline double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
