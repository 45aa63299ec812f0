#include "row_texts.h"

#include <string.h>

enum { FIRST_TEXTS = 64, FIRST_BYTES = 1024 };

static bool reserve_text(struct row_texts *texts, const dedpul_allocator *allocator)
{
    if (texts->n < texts->most_texts)
        return true;
    const size_t most = texts->most_texts > 0 ? 2 * texts->most_texts : FIRST_TEXTS;
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
    if (!reserve_text(texts, allocator))
        return false;
    const size_t begin = texts->offset[texts->n];
    if (!reserve_bytes(texts, allocator, begin + length))
        return false;
    if (length > 0)
        memcpy(texts->bytes + begin, text, length);
    texts->offset[++texts->n] = begin + length;
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
