/*
 * What every call of oneDNN's kernels needs around it.
 *
 * The kernels run in the calling thread alone. The callers divide the work among threads, so that a result
 * does not depend on their number.
 *
 * Signals wait until the call is over: some kernels use the stack pointer for data on the heap, and a signal
 * handler's frame would overwrite what lies below it (oneDNN's issue 4845).
 */
#ifndef DEDPUL_MATH_ONEDNN_CALL_H
#define DEDPUL_MATH_ONEDNN_CALL_H

#include <pthread.h>
#include <signal.h>

/* OpenMP's functions, declared here because not every compiler comes with its header. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

/* The settings from before the call, which onednn_end restores. Both belong to the calling thread. */
struct onednn_call {
    int threads;
    sigset_t signals;
};

static inline void onednn_begin(struct onednn_call *call)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &call->signals);
    call->threads = omp_get_max_threads();
    if (call->threads != 1)
        omp_set_num_threads(1);
}

static inline void onednn_end(const struct onednn_call *call)
{
    if (call->threads != 1)
        omp_set_num_threads(call->threads);
    (void)pthread_sigmask(SIG_SETMASK, &call->signals, NULL);
}

#endif
