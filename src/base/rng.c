#include "rng.h"

static uint32_t high_half(uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a * b) >> 32);
}

static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t output[4])
{
    const uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
    const uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        const uint32_t high_0 = high_half(multiplier_0, c0), low_0 = multiplier_0 * c0;
        const uint32_t high_1 = high_half(multiplier_1, c2), low_1 = multiplier_1 * c2;
        c0 = high_1 ^ c1 ^ k0;
        c1 = low_1;
        c2 = high_0 ^ c3 ^ k1;
        c3 = low_0;
        k0 += weyl_0;
        k1 += weyl_1;
    }
    output[0] = c0;
    output[1] = c1;
    output[2] = c2;
    output[3] = c3;
}

void rng_init(struct rng *rng, uint64_t seed, uint64_t stream)
{
    *rng = (struct rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, 0, (uint32_t)stream, (uint32_t)(stream >> 32)},
        .used = 4,
    };
}

uint32_t rng_next(struct rng *rng)
{
    if (rng->used == 4) {
        philox(rng->counter, rng->key, rng->output);
        rng->used = 0;
        if (++rng->counter[0] == 0)
            rng->counter[1]++;
    }
    return rng->output[rng->used++];
}

double rng_uniform(struct rng *rng)
{
    const uint64_t high = rng_next(rng) >> 5, low = rng_next(rng) >> 6; /* 27 + 26 bits */
    return (double)(high << 26 | low) * 0x1p-53;
}

uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    const uint32_t reject = -bound % bound; /* 2^32 mod bound */
    uint32_t draw;
    do
        draw = rng_next(rng);
    while (draw < reject);
    return draw % bound;
}
