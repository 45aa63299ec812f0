/* Distinct texts, numbered as they come. */
#ifndef DEDPUL_TABLE_TEXTS_H
#define DEDPUL_TABLE_TEXTS_H

#include "dedpul_common.h"

#include <stdbool.h>

#define NO_TEXT UINT32_MAX

/* All zero: none yet. At most MOST_TEXTS. */
#define MOST_TEXTS ((size_t)1 << 31)

struct texts {
    size_t n, capacity;
    char **text;    /* (n) */
    uint32_t *slot; /* (n_slots) a hash table of numbers, NO_TEXT where free */
    size_t n_slots; /* 0 or a power of 2 */
    bool is_borrowed;
};

/* The text's number, or NO_TEXT. */
uint32_t texts_find(const struct texts *texts, const char *text, size_t length);

/* Copies a text that is not there yet. False: no memory. */
bool texts_add(struct texts *texts, const dedpul_allocator *allocator, const char *text, size_t length);

/* Makes texts find the n distinct ones given, which are borrowed. False: no memory. */
bool texts_borrow(struct texts *texts, const dedpul_allocator *allocator, size_t n, char **text);

/* Puts the texts in byte order, after which they cannot be found. False: no memory. */
bool texts_sort(struct texts *texts, const dedpul_allocator *allocator, uint32_t *number_before /* (n) */);

void texts_free(struct texts *texts, const dedpul_allocator *allocator);

#endif
