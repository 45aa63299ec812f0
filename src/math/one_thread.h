/*
 * oneDNN in the calling thread alone: work is shared out above, and so a result does not depend on how many
 * threads there are.
 */
#ifndef DEDPUL_MATH_ONE_THREAD_H
#define DEDPUL_MATH_ONE_THREAD_H

/* OpenMP's own functions; its header comes with some compilers only. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

/* The setting is the calling thread's own. Gives what it was before, for one_thread_end to put back. */
static inline int one_thread_begin(void)
{
    const int threads = omp_get_max_threads();
    if (threads != 1)
        omp_set_num_threads(1);
    return threads;
}

static inline void one_thread_end(int threads)
{
    if (threads != 1)
        omp_set_num_threads(threads);
}

#endif
