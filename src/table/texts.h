/* Distinct texts, numbered as they come. */
#ifndef DEDPUL_TABLE_TEXTS_H
#define DEDPUL_TABLE_TEXTS_H

#include "dedpul_common.h"

#include <stdbool.h>

#define NO_TEXT UINT32_MAX

/* All zero means no texts yet. There are at most MOST_TEXTS. */
#define MOST_TEXTS ((size_t)1 << 31)

struct texts {
    size_t n, capacity;
    char **text;    /* (n) */
    uint32_t *slot; /* (n_slots) a hash table of numbers; NO_TEXT: free */
    size_t n_slots; /* 0 or a power of 2 */
    bool is_borrowed;
};

/* The text's number, or NO_TEXT. */
uint32_t texts_find(const struct texts *texts, const char *text, size_t length);

/* Adds a copy of a text that is new. False: no memory. */
bool texts_add(struct texts *texts, const dedpul_allocator *allocator, const char *text, size_t length);

/* Sets up the n given texts, which are distinct and borrowed. False: no memory. */
bool texts_borrow(struct texts *texts, const dedpul_allocator *allocator, size_t n, char **text);

/* Sorts the texts by bytes; texts_find finds none of them afterwards. False: no memory. */
bool texts_sort(struct texts *texts, const dedpul_allocator *allocator, uint32_t *number_before /* (n) */);

void texts_free(struct texts *texts, const dedpul_allocator *allocator);

#endif
