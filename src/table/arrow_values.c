#include "arrow_values.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arrays ---- */

/* Counts are below this, so that no size in bytes can overflow. */
#define MOST_VALUES (INT64_MAX / 64)

static const char *check_counts(const struct ArrowArray *array, struct arrow_type type)
{
    const int64_t buffers = (int64_t)arrow_type_buffers(type);
    if (array->length < 0 || array->offset < 0 || array->length > MOST_VALUES || array->offset > MOST_VALUES)
        return "its length or offset is out of range";
    if (array->null_count < -1 || array->null_count > array->length)
        return "its count of nulls is out of range";
    /* Producers before version 1.0 of the format give an array of nulls a buffer. */
    if (type.kind == ARROW_NULL)
        return NULL;
    if (type.kind == ARROW_TEXT_VIEW ? array->n_buffers < buffers : array->n_buffers != buffers)
        return "it has not as many buffers as its type needs";
    return array->buffers == NULL ? "its buffers are missing" : NULL;
}

const char *arrow_values_set(struct arrow_values *values, const struct ArrowArray *array)
{
    const struct arrow_type type = values->type;
    const char *const problem = check_counts(array, type);
    if (problem != NULL)
        return problem;
    *values =
        (struct arrow_values){.type = type, .n = (size_t)array->length, .offset = (size_t)array->offset};
    if (type.kind == ARROW_NULL || values->n == 0)
        return NULL;
    values->validity = array->null_count != 0 ? array->buffers[0] : NULL;
    if (array->null_count > 0 && values->validity == NULL)
        return "it has nulls, but no buffer that says which";
    values->data = array->buffers[1];
    if (values->data == NULL)
        return "its buffer of values is missing";
    if (type.kind == ARROW_TEXT)
        values->text = array->buffers[2];
    if (type.kind == ARROW_TEXT_VIEW) {
        values->parts = array->buffers + 2;
        values->n_parts = (size_t)array->n_buffers - 3;
        values->part_sizes = array->buffers[array->n_buffers - 1];
        if (values->n_parts > 0 && values->part_sizes == NULL)
            return "the sizes of its buffers are missing";
    }
    return NULL;
}

/* ---- numbers ---- */

/* Reads a signed number of 1, 2, 4 or 8 bytes. */
static inline int64_t load_signed(const unsigned char *at, size_t width)
{
    int8_t of_1;
    int16_t of_2;
    int32_t of_4;
    int64_t of_8;
    switch (width) {
    case 1:
        memcpy(&of_1, at, sizeof of_1);
        return of_1;
    case 2:
        memcpy(&of_2, at, sizeof of_2);
        return of_2;
    case 4:
        memcpy(&of_4, at, sizeof of_4);
        return of_4;
    default:
        memcpy(&of_8, at, sizeof of_8);
        return of_8;
    }
}

static inline uint64_t load_unsigned(const unsigned char *at, size_t width)
{
    const uint64_t bits = (uint64_t)load_signed(at, width);
    return width < 8 ? bits & (((uint64_t)1 << 8 * width) - 1) : bits;
}

/* A float of 16 bits: a sign, 5 bits of exponent and 10 of the fraction. */
static double load_half(const unsigned char *at)
{
    const unsigned bits = (unsigned)load_unsigned(at, 2);
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    const double size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(1024 + fraction, exponent - 25);
    return (bits >> 15) != 0 ? -size : size;
}

static inline double load_float(const unsigned char *at, size_t width)
{
    double wide;
    float narrow;
    if (width == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (width == 2)
        return load_half(at);
    memcpy(&narrow, at, sizeof narrow);
    return (double)narrow;
}

/* ---- decimals ---- */

enum { MOST_LIMBS = 8, MOST_DIGITS = 80 };

/* Writes the digits of an unsigned number of 32-bit limbs, the lowest first, and uses it up. */
static size_t write_digits(uint32_t *limb, size_t n, char *digits)
{
    char reversed[MOST_DIGITS];
    size_t n_digits = 0;
    for (bool is_zero = false; !is_zero || n_digits == 0;) {
        uint64_t rest = 0;
        is_zero = true;
        for (size_t i = n; i-- > 0;) {
            const uint64_t value = rest << 32 | limb[i];
            limb[i] = (uint32_t)(value / 10);
            rest = value % 10;
            is_zero = is_zero && limb[i] == 0;
        }
        reversed[n_digits++] = (char)('0' + rest);
    }
    for (size_t i = 0; i < n_digits; i++)
        digits[i] = reversed[n_digits - 1 - i];
    return n_digits;
}

/* Loads a decimal's limbs, the lowest first, without its sign. Returns whether it is negative. */
static bool load_limbs(const unsigned char *at, size_t n, uint32_t *limb)
{
    bool is_negative = false;
    uint64_t carry = 1;
    for (size_t i = 0; i < n; i++) { /* numbers have the machine's order of bytes */
        const size_t place = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : n - 1 - i;
        limb[i] = (uint32_t)load_unsigned(at + place * sizeof *limb, sizeof *limb);
        is_negative = limb[i] >> 31 != 0; /* as the highest says */
    }
    for (size_t i = 0; is_negative && i < n; i++) {
        carry += (uint32_t)~limb[i];
        limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return is_negative;
}

/* The number nearest to a decimal, as if its digits were read from a file. */
static double load_decimal(const unsigned char *at, struct arrow_type type)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const size_t n = type.width / sizeof(uint32_t);
    uint32_t limb[MOST_LIMBS] = {0};
    char text[MOST_DIGITS + 16];
    double number = 0;
    const bool is_negative = load_limbs(at, n, limb);
    const uint64_t low = (uint64_t)limb[1] << 32 | limb[0];
    bool is_short = low <= (uint64_t)1 << DBL_MANT_DIG;
    for (size_t i = 2; i < MOST_LIMBS; i++)
        is_short = is_short && limb[i] == 0;
    if (is_short && type.scale >= 0 && (size_t)type.scale < sizeof power / sizeof *power) {
        number = (double)low / power[type.scale]; /* both are exact, so that it is rounded once */
    } else {
        const size_t n_digits = write_digits(limb, n, text);
        const int n_more = snprintf(text + n_digits, sizeof text - n_digits, "e%d", -type.scale);
        (void)parse_double(text, n_digits + (size_t)n_more, &number);
    }
    return is_negative ? -number : number;
}

/* ---- texts ---- */

static const char *get_text(const struct arrow_values *values, size_t at, struct cell *cell)
{
    const size_t width = values->type.width;
    const unsigned char *const offset = values->data + at * width;
    const unsigned char *const last = values->data + (values->offset + values->n) * width;
    const int64_t begin = load_signed(offset, width), end = load_signed(offset + width, width);
    if (begin < 0 || end < begin || end > load_signed(last, width))
        return "its offsets are out of order";
    if (end > begin && values->text == NULL)
        return "its buffer of texts is missing";
    cell->text = end > begin ? values->text + begin : "";
    cell->length = (size_t)(end - begin);
    return NULL;
}

static const char *get_view(const struct arrow_values *values, size_t at, struct cell *cell)
{
    enum { LONGEST_WITHIN = 12 };
    const unsigned char *const view = values->data + at * values->type.width;
    const int64_t length = load_signed(view, 4), part = load_signed(view + 8, 4),
                  begin = load_signed(view + 12, 4);
    if (length < 0)
        return "the length of a text is negative";
    cell->length = (size_t)length;
    cell->text = (const char *)view + 4;
    if (length <= LONGEST_WITHIN)
        return NULL;
    if (part < 0 || (size_t)part >= values->n_parts || values->parts[part] == NULL)
        return "a text is in a buffer that does not exist";
    if (begin < 0 || begin + length > load_signed(values->part_sizes + 8 * (size_t)part, 8))
        return "a text is not within its buffer";
    cell->text = (const char *)values->parts[part] + begin;
    return NULL;
}

/* ---- values ---- */

bool arrow_values_index(const struct arrow_values *values, size_t value, uint64_t *index)
{
    const size_t width = values->type.width;
    const unsigned char *const at = values->data + (values->offset + value) * width;
    if (values->type.kind == ARROW_UNSIGNED) {
        *index = load_unsigned(at, width);
        return true;
    }
    const int64_t number = load_signed(at, width);
    *index = (uint64_t)number;
    return number >= 0;
}

bool arrow_values_write(const struct arrow_values *values, size_t value, char digits[NUMBER_SIZE])
{
    const enum arrow_kind kind = values->type.kind;
    const size_t width = values->type.width;
    if (kind != ARROW_SIGNED && kind != ARROW_UNSIGNED)
        return false;
    const unsigned char *const at = values->data + (values->offset + value) * width;
    if (kind == ARROW_SIGNED)
        (void)snprintf(digits, NUMBER_SIZE, "%" PRId64, load_signed(at, width));
    else
        (void)snprintf(digits, NUMBER_SIZE, "%" PRIu64, load_unsigned(at, width));
    return true;
}

const char *arrow_values_get(const struct arrow_values *values, size_t value, struct cell *cell)
{
    const struct arrow_type type = values->type;
    const size_t at = values->offset + value;
    const char *problem = NULL;
    arrow_set_missing(cell);
    if (type.kind == ARROW_NULL || arrow_values_is_null(values, value))
        return NULL;
    cell->text = NULL;
    switch (type.kind) {
    case ARROW_BOOLEAN:
        cell->number = values->data[at / 8] >> at % 8 & 1;
        break;
    case ARROW_SIGNED:
        cell->number = (double)load_signed(values->data + at * type.width, type.width);
        break;
    case ARROW_UNSIGNED:
        cell->number = (double)load_unsigned(values->data + at * type.width, type.width);
        break;
    case ARROW_FLOAT:
        cell->number = load_float(values->data + at * type.width, type.width);
        break;
    case ARROW_DECIMAL:
        cell->number = load_decimal(values->data + at * type.width, type);
        break;
    case ARROW_TEXT:
        problem = get_text(values, at, cell);
        break;
    default:
        problem = get_view(values, at, cell);
    }
    if (problem == NULL && cell->text != NULL && memchr(cell->text, '\0', cell->length) != NULL)
        problem = "a text has a byte 0 in it; take it out";
    return problem;
}

/* Inlined for each type, so that the loop is about one. */
static inline void fill_numbers(const unsigned char *at, enum arrow_kind kind, size_t width, size_t n,
                                double *number)
{
    for (size_t i = 0; i < n; i++, at += width)
        number[i] = kind == ARROW_FLOAT    ? load_float(at, width)
                    : kind == ARROW_SIGNED ? (double)load_signed(at, width)
                                           : (double)load_unsigned(at, width);
}

/* Fills numbers, whatever stands where there is a null. */
static void fill_any(const struct arrow_values *values, size_t value, size_t n, double *number)
{
    const enum arrow_kind kind = values->type.kind;
    const size_t width = values->type.width;
    const unsigned char *const at = values->data + (values->offset + value) * width;
    if (kind == ARROW_FLOAT && width == 8)
        fill_numbers(at, ARROW_FLOAT, 8, n, number);
    else if (kind == ARROW_FLOAT && width == 4)
        fill_numbers(at, ARROW_FLOAT, 4, n, number);
    else if (kind == ARROW_SIGNED && width == 8)
        fill_numbers(at, ARROW_SIGNED, 8, n, number);
    else
        fill_numbers(at, kind, width, n, number);
}

bool arrow_values_fill(const struct arrow_values *values, size_t value, size_t n, double *number)
{
    const enum arrow_kind kind = values->type.kind;
    int infinite = 0;
    if (kind != ARROW_FLOAT && kind != ARROW_SIGNED && kind != ARROW_UNSIGNED)
        return false;
    fill_any(values, value, n, number);
    for (size_t i = 0; values->validity != NULL && i < n; i++)
        if (arrow_values_is_null(values, value + i))
            number[i] = NAN;
    for (size_t i = 0; i < n; i++)
        infinite |= fabs(number[i]) > DBL_MAX;
    return infinite == 0;
}
