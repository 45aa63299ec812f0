/* Time. */
#ifndef DEDPUL_BASE_CLOCK_H
#define DEDPUL_BASE_CLOCK_H

#include <time.h>

static inline double clock_read(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time since some fixed moment in the past: only differences mean something. */
static inline double clock_seconds(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/* Time that the calling thread has spent on a processor. */
static inline double clock_thread_seconds(void)
{
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
