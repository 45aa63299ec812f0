#include "sort.h"

#include <string.h>

/*
 * Radix sort, least significant byte first: the bit patterns of non-negative doubles are ordered like
 * the doubles. One pass over the keys counts all digits; a digit that is the same everywhere costs no
 * pass of its own.
 */
enum { DIGITS = 8, DIGIT_BITS = 8, BUCKETS = 1 << DIGIT_BITS };

static uint64_t bits_of(double key)
{
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static unsigned digit_of(double key, unsigned digit)
{
    return (unsigned)(bits_of(key) >> (digit * DIGIT_BITS)) & (BUCKETS - 1);
}

static void count_digits(size_t n, const double *key, uint32_t count[DIGITS][BUCKETS])
{
    memset(count, 0, sizeof(uint32_t) * DIGITS * BUCKETS);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = bits_of(key[i]);
        for (unsigned digit = 0; digit < DIGITS; digit++)
            count[digit][(bits >> (digit * DIGIT_BITS)) & (BUCKETS - 1)]++;
    }
}

dedpul_status sort_with_rows(struct context *context, size_t n, double *key, uint32_t *row)
{
    struct block *mark = context_mark(context);
    uint32_t count[DIGITS][BUCKETS];
    double *other_key = context_allocate(context, n, sizeof *other_key);
    uint32_t *other_row = context_allocate(context, n, sizeof *other_row);
    if (other_key == NULL || other_row == NULL)
        return DEDPUL_NO_MEMORY;

    double *from_key = key, *to_key = other_key;
    uint32_t *from_row = row, *to_row = other_row;
    count_digits(n, key, count);
    for (unsigned digit = 0; digit < DIGITS && n > 0; digit++) {
        uint32_t *next = count[digit];
        if (next[digit_of(from_key[0], digit)] == n)
            continue;
        uint32_t start = 0;
        for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
            const uint32_t size = next[bucket];
            next[bucket] = start;
            start += size;
        }
        for (size_t i = 0; i < n; i++) {
            const uint32_t place = next[digit_of(from_key[i], digit)]++;
            to_key[place] = from_key[i];
            to_row[place] = from_row[i];
        }
        double *const swap_key = from_key;
        uint32_t *const swap_row = from_row;
        from_key = to_key;
        from_row = to_row;
        to_key = swap_key;
        to_row = swap_row;
    }
    if (from_key != key) {
        memcpy(key, from_key, n * sizeof *key);
        memcpy(row, from_row, n * sizeof *row);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
