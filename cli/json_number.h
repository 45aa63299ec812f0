/* JSON has no NaN and no infinity. */
#ifndef DEDPUL_CLI_JSON_NUMBER_H
#define DEDPUL_CLI_JSON_NUMBER_H

#include <jansson.h>
#include <math.h>

static inline json_t *number_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

#endif
