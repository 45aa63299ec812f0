/*
 * Random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
 * Counter-based: a stream is named by (seed, stream), so what one task draws does not depend on what
 * another one has drawn.
 */
#ifndef DEDPUL_BASE_RNG_H
#define DEDPUL_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint32_t key[2];
    uint32_t counter[4]; /* the upper half holds the stream */
    uint32_t output[4];
    unsigned used; /* how many of output are taken */
};

/* Streams by what they are for; small numbers are those of densities. */
enum {
    STREAM_PARTITION = 1,
    STREAM_WATCHED,
    STREAM_NETWORK,
    STREAM_PLUGIN,
    STREAM_KERNEL_ROWS,
    STREAM_TREE_FOLDS,
    STREAM_PROJECTION,
    STREAM_RESAMPLE,
    STREAM_EXPERIMENT,
    STREAM_TREES,
    STREAM_KINDS,
    STREAM_KMEANS,
    STREAM_FOUND_KINDS,
};

static inline uint64_t rng_stream(uint32_t purpose, size_t index)
{
    return (uint64_t)purpose << 32 | (uint32_t)index;
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream);
uint32_t rng_next(struct rng *rng);

/* Uniform in [0, 1) with 53 bits. */
double rng_uniform(struct rng *rng);

/* Uniform in 0 .. bound-1, without bias; bound > 0. */
uint32_t rng_below(struct rng *rng, uint32_t bound);

#endif
