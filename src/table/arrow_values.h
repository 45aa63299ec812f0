/* The values of one array of Arrow. */
#ifndef DEDPUL_TABLE_ARROW_VALUES_H
#define DEDPUL_TABLE_ARROW_VALUES_H

#include "arrow_type.h"
#include "cell.h"
#include "number.h"

#include "dedpul_arrow.h"

/* All is borrowed from the array. */
struct arrow_values {
    struct arrow_type type;
    size_t n;                      /* values are numbered from 0 to n-1 */
    size_t offset;                 /* value 0 stands here in the buffers */
    const unsigned char *validity; /* bits; NULL: no value is null */
    const unsigned char *data;     /* numbers, bits, offsets of texts, or views */
    const char *text;              /* bytes of texts that are no views */
    const void *const *parts;      /* (n_parts) bytes of texts that are views */
    size_t n_parts;
    const unsigned char *part_sizes; /* (n_parts) of 8 bytes */
};

/* Returns what is wrong with the array, as far as it can be known without its values, or NULL. */
const char *arrow_values_set(struct arrow_values *values, const struct ArrowArray *array);

/*
 * Sets the cell's text or number; a null is an empty text. Returns what is wrong with the value, or NULL.
 * value < values->n.
 */
const char *arrow_values_get(const struct arrow_values *values, size_t value, struct cell *cell);

/*
 * Fills n numbers from this value on; those of nulls are NaN. False: the values are no numbers, or one is not
 * finite.
 */
bool arrow_values_fill(const struct arrow_values *values, size_t value, size_t n, double *number /* (n) */);

/* Reads an index of a dictionary; not for nulls. False: it is negative. */
bool arrow_values_index(const struct arrow_values *values, size_t value, uint64_t *index);

/* Writes an integer with all its digits, which a double may not have. False: the value is none. */
bool arrow_values_write(const struct arrow_values *values, size_t value, char digits[NUMBER_SIZE]);

static inline bool arrow_values_is_null(const struct arrow_values *values, size_t value)
{
    const size_t at = values->offset + value;
    return values->validity != NULL && (values->validity[at / 8] >> at % 8 & 1) == 0;
}

static inline void arrow_set_missing(struct cell *cell)
{
    cell->text = "";
    cell->length = 0;
}

#endif
