/* Converts numbers from and to text, the same way in every locale. */
#ifndef DEDPUL_BASE_NUMBER_H
#define DEDPUL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads a decimal number ("-1.5e3", "nan", "inf"; blanks around it are allowed), rounded correctly. False if
 * the text is anything else, hexadecimal numbers included.
 */
bool parse_double(const char *text, size_t length, double *value);

/* The same for numbers with this sign in place of the point, such as a decimal comma. */
bool parse_decimal(const char *text, size_t length, char sign, double *value);

/* Reads a whole number of at most 64 bits, digits only. */
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
 * Writes a finite number as printf's %g does, with as many digits (15 to 17) as are needed to read the same
 * number back; -0 becomes "0". Returns buffer.
 */
const char *format_double(char buffer[NUMBER_SIZE], double value);

/* Writes a number as printf's %.9g does, but faster for most shares. Returns buffer. */
const char *format_share(char buffer[NUMBER_SIZE], double value);

#endif
