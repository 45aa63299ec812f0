/* exp for floats, with the same bits on every processor, and without a call, so that loops can use vectors.
 */
#ifndef DEDPUL_ESTIMATORS_FLOAT_EXP_H
#define DEDPUL_ESTIMATORS_FLOAT_EXP_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Relative error below 1e-6; beyond +-87 as at +-87. */
static inline float float_exp(float x)
{
    const float bounded = x > 87 ? 87 : x < -87 ? -87 : x;
    const float magic = 12582912; /* adding it rounds to a whole number: its last bit is worth 1 */
    const float whole = (bounded * 1.44269504F + magic) - magic;
    const float rest = (bounded - whole * 0.693359375F) + whole * 2.12194440e-4F; /* x - whole ln 2 */
    float power = 1.98756915e-4F;
    power = power * rest + 1.39819994e-3F;
    power = power * rest + 8.33345186e-3F;
    power = power * rest + 4.16657962e-2F;
    power = power * rest + 1.66666655e-1F;
    power = power * rest + 0.5F;
    power = (power * rest * rest + rest) + 1;
    const int32_t exponent = ((int32_t)whole + 127) << 23;
    float scale;
    memcpy(&scale, &exponent, sizeof scale);
    return power * scale;
}

static inline float float_sigmoid(float x)
{
    return 1 / (1 + float_exp(-x));
}

#endif
