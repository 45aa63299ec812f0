/* One text per row, such as its identifier, all in one block. */
#ifndef DEDPUL_TABLE_ROW_TEXTS_H
#define DEDPUL_TABLE_ROW_TEXTS_H

#include "dedpul_common.h"

#include <stdbool.h>

/* All zero means no texts yet. */
struct row_texts {
    size_t n, most_texts, most_bytes;
    size_t *offset; /* (n + 1) text i is bytes offset[i] .. offset[i + 1] - 1; NULL before the first one */
    char *bytes;
};

static inline size_t row_texts_length(const struct row_texts *texts, size_t row)
{
    return texts->offset[row + 1] - texts->offset[row];
}

/* Adds a copy of a text. False: no memory. */
bool row_texts_add(struct row_texts *texts, const dedpul_allocator *allocator, const char *text,
                   size_t length);

/* Adds copies of all texts of `from`, which has some. False: no memory. */
bool row_texts_append(struct row_texts *texts, const dedpul_allocator *allocator,
                      const struct row_texts *from);

/* Forgets all texts, but keeps their room. */
void row_texts_clear(struct row_texts *texts);

void row_texts_free(struct row_texts *texts, const dedpul_allocator *allocator);

#endif
