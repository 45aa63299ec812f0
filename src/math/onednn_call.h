/*
 * What every call of oneDNN's kernels needs around it.
 *
 * They run in the calling thread alone: work is shared out above, and so a result does not depend on how many
 * threads there are.
 *
 * No signal is handled meanwhile: some kernels use the stack pointer for data on the heap, where a handler's
 * frame would overwrite what lies below (oneDNN's issue 4845). A signal waits until the call is over.
 */
#ifndef DEDPUL_MATH_ONEDNN_CALL_H
#define DEDPUL_MATH_ONEDNN_CALL_H

#include <pthread.h>
#include <signal.h>

/* OpenMP's own functions; its header comes with some compilers only. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

/* What was set before, for onednn_end to put back; both are the calling thread's own. */
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
