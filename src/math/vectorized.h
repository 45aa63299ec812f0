/* Loops over arrays, compiled for several kinds of processors; the program takes the best for the one it runs
 * on. */
#ifndef DEDPUL_MATH_VECTORIZED_H
#define DEDPUL_MATH_VECTORIZED_H

/*
 * All kinds give the same bits, since no operations are fused or reordered. Not under sanitizers, which are
 * not ready yet when the choice is made.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define VECTORIZED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORIZED
#endif

#endif
