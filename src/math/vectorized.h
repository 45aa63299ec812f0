/* Compiles loops over arrays for several kinds of processors. The program picks the best at its start. */
#ifndef DEDPUL_MATH_VECTORIZED_H
#define DEDPUL_MATH_VECTORIZED_H

/*
 * All kinds give the same bits, because no operations are fused or reordered. This is switched off under
 * sanitizers, which are not ready yet when the program chooses.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define VECTORIZED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORIZED
#endif

#endif
