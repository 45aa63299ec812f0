#include "row_texts.h"

#include <string.h>

enum { FIRST_TEXTS = 64, FIRST_BYTES = 1024 };

/* Makes room for that many texts. */
static bool reserve_texts(struct row_texts *texts, const dedpul_allocator *allocator, size_t wanted)
{
    size_t most = texts->most_texts > 0 ? texts->most_texts : FIRST_TEXTS;
    if (texts->offset != NULL && wanted <= texts->most_texts)
        return true;
    while (most < wanted)
        most *= 2;
    size_t *offset = allocator->resize(allocator->context, texts->offset, (most + 1) * sizeof *offset);
    if (offset == NULL)
        return false;
    if (texts->n == 0)
        offset[0] = 0;
    texts->offset = offset;
    texts->most_texts = most;
    return true;
}

static bool reserve_bytes(struct row_texts *texts, const dedpul_allocator *allocator, size_t wanted)
{
    size_t most = texts->most_bytes > 0 ? texts->most_bytes : FIRST_BYTES;
    if (texts->bytes != NULL && wanted <= texts->most_bytes)
        return true;
    while (most < wanted)
        most *= 2;
    char *bytes = allocator->resize(allocator->context, texts->bytes, most);
    if (bytes == NULL)
        return false;
    texts->bytes = bytes;
    texts->most_bytes = most;
    return true;
}

bool row_texts_add(struct row_texts *texts, const dedpul_allocator *allocator, const char *text,
                   size_t length)
{
    if (!reserve_texts(texts, allocator, texts->n + 1))
        return false;
    const size_t begin = texts->offset[texts->n];
    if (!reserve_bytes(texts, allocator, begin + length))
        return false;
    if (length > 0)
        memcpy(texts->bytes + begin, text, length);
    texts->offset[++texts->n] = begin + length;
    return true;
}

bool row_texts_append(struct row_texts *texts, const dedpul_allocator *allocator,
                      const struct row_texts *from)
{
    const size_t n_bytes = from->offset[from->n];
    if (!reserve_texts(texts, allocator, texts->n + from->n))
        return false;
    const size_t begin = texts->offset[texts->n];
    if (!reserve_bytes(texts, allocator, begin + n_bytes))
        return false;
    memcpy(texts->bytes + begin, from->bytes, n_bytes);
    for (size_t i = 1; i <= from->n; i++)
        texts->offset[texts->n + i] = begin + from->offset[i];
    texts->n += from->n;
    return true;
}

void row_texts_clear(struct row_texts *texts)
{
    texts->n = 0;
}

void row_texts_free(struct row_texts *texts, const dedpul_allocator *allocator)
{
    (void)allocator->resize(allocator->context, texts->offset, 0);
    (void)allocator->resize(allocator->context, texts->bytes, 0);
}
