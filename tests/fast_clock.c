/*
 * A clock for tests of times that are shown, to be preloaded: it counts the processor time of the process, so
 * that other work on the machine does not matter, times CLOCK_FACTOR, so that little work looks like much.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Programs know it as clock_gettime. */
__attribute__((visibility("default"))) int fast_clock(clockid_t clock,
                                                      struct timespec *time) __asm__("clock_gettime");

int fast_clock(clockid_t clock, struct timespec *time)
{
    const char *factor = getenv("CLOCK_FACTOR");
    const clockid_t used = clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock;
    const int result = (int)syscall(SYS_clock_gettime, used, time);
    if (clock == CLOCK_MONOTONIC && factor != NULL) {
        const double seconds = atof(factor) * ((double)time->tv_sec + 1e-9 * (double)time->tv_nsec);
        time->tv_sec = (time_t)seconds;
        time->tv_nsec = (long)(1e9 * (seconds - (double)time->tv_sec));
    }
    return result;
}
