#include "sort.h"

#include "parallel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Radix sort: the bit patterns of non-negative doubles are ordered like the doubles. The range of patterns
 * from the smallest positive to the largest key is cut into equal buckets, which are about equal stretches of
 * log(key). A bucket holds few enough keys to be sorted within a fast cache, by the bytes that still differ,
 * least significant first.
 */
enum { FEWEST_BUCKETS = 256, MOST_BUCKETS = 1 << 13, PER_BUCKET = 64, SMALL = 64 };

enum { BYTES = 8, UPPER_BYTES = 3, BYTE_BUCKETS = 256 };

struct items {
    double *key;
    uint32_t *row;
};

static uint64_t bits_of(double key)
{
    uint64_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

struct cut {
    uint64_t lowest; /* smallest positive key; zeros go to the first bucket too */
    int shift;
    size_t buckets;
};

static struct cut make_cut(size_t n, const double *key)
{
    struct cut cut = {UINT64_MAX, 0, FEWEST_BUCKETS};
    uint64_t highest = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = bits_of(key[i]);
        if (bits > highest)
            highest = bits;
        if (bits > 0 && bits < cut.lowest)
            cut.lowest = bits;
    }
    while (cut.buckets < MOST_BUCKETS && cut.buckets < n / PER_BUCKET)
        cut.buckets *= 2;
    /* A bucket is 2^shift patterns wide; find the narrowest width with which all keys fit. */
    while (highest > cut.lowest && (highest - cut.lowest) >> cut.shift >= cut.buckets)
        cut.shift++;
    return cut;
}

static size_t bucket_of(const struct cut *cut, double key)
{
    const uint64_t bits = bits_of(key);
    return bits > cut->lowest ? (size_t)((bits - cut->lowest) >> cut->shift) : 0;
}

static size_t byte_of(double key, int byte)
{
    return (size_t)(bits_of(key) >> (8 * byte)) % BYTE_BUCKETS;
}

static struct items items_from(struct items items, size_t begin)
{
    return (struct items){items.key + begin, items.row + begin};
}

static void put(struct items to, size_t place, struct items from, size_t i)
{
    to.key[place] = from.key[i];
    to.row[place] = from.row[i];
}

/* Turns counts into the places where the buckets begin. */
static void counts_to_starts(size_t buckets, uint32_t *count)
{
    uint32_t start = 0;
    for (size_t b = 0; b < buckets; b++) {
        const uint32_t size = count[b];
        count[b] = start;
        start += size;
    }
}

/* Sorts by insertion. Gives up after `most` moves: false, with the items in some order. */
static bool insertion_sort(size_t n, struct items items, size_t most)
{
    size_t moves = 0;
    for (size_t i = 1; i < n; i++) {
        const double key = items.key[i];
        const uint32_t row = items.row[i];
        size_t k = i;
        for (; k > 0 && items.key[k - 1] > key; k--)
            put(items, k, items, k - 1);
        items.key[k] = key;
        items.row[k] = row;
        moves += i - k;
        if (moves > most)
            return false;
    }
    return true;
}

static void copy(size_t n, struct items from, struct items to)
{
    memcpy(to.key, from.key, n * sizeof *to.key);
    memcpy(to.row, from.row, n * sizeof *to.row);
}

/* Sorts by the given bytes, in the order given, from `from` into `to`; overwrites both. */
static void sort_by_bytes(size_t n, struct items from, struct items to, int n_bytes, const int *byte)
{
    /* Each pass swaps the arrays. If their number is even, start in `to`, so that the last ends there. */
    if (n_bytes % 2 == 0) {
        copy(n, from, to);
        const struct items swap = from;
        from = to;
        to = swap;
    }
    for (int pass = 0; pass < n_bytes; pass++) {
        uint32_t next[BYTE_BUCKETS] = {0};
        for (size_t i = 0; i < n; i++)
            next[byte_of(from.key[i], byte[pass])]++;
        counts_to_starts(BYTE_BUCKETS, next);
        for (size_t i = 0; i < n; i++)
            put(to, next[byte_of(from.key[i], byte[pass])]++, from, i);
        const struct items swap = from;
        from = to;
        to = swap;
    }
}

/*
 * Sorts one bucket's items from `from` into `to`; overwrites both. The upper bytes that differ nearly always
 * settle the order, so we sort by these alone and mend the rest by insertion. If that takes too many moves,
 * we sort by all bytes.
 */
static void sort_bucket(size_t n, struct items from, struct items to)
{
    if (n <= SMALL) {
        copy(n, from, to);
        (void)insertion_sort(n, to, SIZE_MAX);
        return;
    }
    uint64_t differing = 0; /* bits in which any key differs from the first */
    int byte[BYTES], n_bytes = 0;
    for (size_t i = 1; i < n; i++)
        differing |= bits_of(from.key[i]) ^ bits_of(from.key[0]);
    for (int b = 0; b < BYTES; b++)
        if (differing >> (8 * b) & 0xff)
            byte[n_bytes++] = b;
    const int skipped = n_bytes > UPPER_BYTES ? n_bytes - UPPER_BYTES : 0;
    sort_by_bytes(n, from, to, n_bytes - skipped, byte + skipped);
    /* Both steps keep equal keys in their order, so starting again from their result is still stable. */
    if (skipped > 0 && !insertion_sort(n, to, n)) {
        copy(n, to, from);
        sort_by_bytes(n, from, to, n_bytes, byte);
    }
}

/* The buckets, to be sorted from `from` into `to` in as many tasks as there are chunks of keys. */
struct job {
    size_t n, buckets;
    struct items from, to;
    const uint32_t *end; /* (buckets) */
};

static dedpul_status sort_buckets(struct context *context, void *argument, size_t task)
{
    const struct job *job = argument;
    const size_t tasks = parallel_chunks(job->n), last = (task + 1) * job->buckets / tasks;
    (void)context;
    for (size_t b = task * job->buckets / tasks; b < last; b++) {
        const size_t begin = b > 0 ? job->end[b - 1] : 0;
        sort_bucket(job->end[b] - begin, items_from(job->from, begin), items_from(job->to, begin));
    }
    return DEDPUL_OK;
}

dedpul_status sort_with_rows(struct context *context, size_t n, double *key, uint32_t *row)
{
    struct block *mark = context_mark(context);
    const struct cut cut = make_cut(n, key);
    struct items items = {key, row}, other;
    other.key = context_allocate(context, n, sizeof *other.key);
    other.row = context_allocate(context, n, sizeof *other.row);
    uint32_t *next = context_allocate(context, cut.buckets, sizeof *next);
    if (other.key == NULL || other.row == NULL || next == NULL)
        return DEDPUL_NO_MEMORY;

    memset(next, 0, cut.buckets * sizeof *next);
    for (size_t i = 0; i < n; i++)
        next[bucket_of(&cut, key[i])]++;
    counts_to_starts(cut.buckets, next);
    for (size_t i = 0; i < n; i++)
        put(other, next[bucket_of(&cut, key[i])]++, items, i);
    struct job job = {n, cut.buckets, other, items, next}; /* each start has moved to its bucket's end */
    TRY(parallel_for(context, parallel_chunks(n), sort_buckets, &job));
    context_release(context, mark);
    return DEDPUL_OK;
}

static void reverse(size_t n, struct items items)
{
    for (size_t i = 0, k = n; i + 1 < k; i++) {
        k--;
        const double key = items.key[i];
        const uint32_t row = items.row[i];
        put(items, i, items, k);
        items.key[k] = key;
        items.row[k] = row;
    }
}

/*
 * Negative keys come first and are sorted by their size, then reversed. They are also put in reverse order
 * before the stable sort: reversing twice keeps equal keys in the order of the input.
 */
dedpul_status sort_numbers(struct context *context, size_t n, double *key, uint32_t *row)
{
    struct block *mark = context_mark(context);
    struct items other = {context_allocate(context, n, sizeof *key),
                          context_allocate(context, n, sizeof *row)};
    size_t negative = 0, rest = 0;
    if (other.key == NULL || other.row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        negative += key[i] < 0;
    const struct items items = {key, row};
    size_t next_negative = negative;
    for (size_t i = 0; i < n; i++) {
        const bool is_negative = key[i] < 0;
        const size_t place = is_negative ? --next_negative : negative + rest++;
        put(other, place, items, i);
        other.key[place] = fabs(key[i]); /* also of -0.0 */
    }
    TRY(sort_with_rows(context, negative, other.key, other.row));
    TRY(sort_with_rows(context, n - negative, other.key + negative, other.row + negative));
    copy(n, other, items);
    reverse(negative, items);
    for (size_t i = 0; i < negative; i++)
        key[i] = -key[i];
    context_release(context, mark);
    return DEDPUL_OK;
}
