/* Numbers from text and as text, the same in every locale. */
#ifndef DEDPUL_BASE_NUMBER_H
#define DEDPUL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A decimal number ("-1.5e3", "nan", "inf"; blanks around it are allowed), rounded correctly. False
 * where the text is anything else; hexadecimal too.
 */
bool parse_double(const char *text, size_t length, double *value);

/* A whole number of at most 64 bits, digits only. */
bool parse_whole(const char *text, uint64_t *value);

/* The largest weight of a row, and the largest sum of weights: weights are counts of rows. */
#define LARGEST_WEIGHT 1e15

static inline bool is_weight(double value)
{
    return value >= 0 && value <= LARGEST_WEIGHT;
}

/* Size of a buffer for format_double. */
#define NUMBER_SIZE 32

/*
 * A finite number in the fewest of 15 to 17 significant digits that give it back, as by printf's %g; -0 is
 * "0". Returns buffer.
 */
const char *format_double(char buffer[NUMBER_SIZE], double value);

#endif
