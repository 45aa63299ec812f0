#include "texts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 16 };

/* FNV-1a. The upper half is folded in, since only lower bits are used. */
static size_t hash(const char *text, size_t length)
{
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)text[i]) * 1099511628211u;
    return (size_t)(value ^ (value >> 32));
}

/* The slot of a text, or the free one where it belongs. */
static size_t find_slot(const struct texts *texts, const char *text, size_t length)
{
    size_t at = hash(text, length) & (texts->n_slots - 1);
    for (; texts->slot[at] != NO_TEXT; at = (at + 1) & (texts->n_slots - 1)) {
        const char *other = texts->text[texts->slot[at]];
        if (strncmp(other, text, length) == 0 && other[length] == '\0')
            break;
    }
    return at;
}

uint32_t texts_find(const struct texts *texts, const char *text, size_t length)
{
    return texts->n_slots > 0 ? texts->slot[find_slot(texts, text, length)] : NO_TEXT;
}

/* Builds a hash table of that many slots from the texts. */
static bool rebuild_slots(struct texts *texts, const dedpul_allocator *allocator, size_t n_slots)
{
    uint32_t *slot = allocator->resize(allocator->context, texts->slot, n_slots * sizeof *slot);
    if (slot == NULL)
        return false;
    memset(slot, 0xff, n_slots * sizeof *slot);
    texts->slot = slot;
    texts->n_slots = n_slots;
    for (size_t i = 0; i < texts->n; i++)
        slot[find_slot(texts, texts->text[i], strlen(texts->text[i]))] = (uint32_t)i;
    return true;
}

bool texts_add(struct texts *texts, const dedpul_allocator *allocator, const char *text, size_t length)
{
    if (2 * texts->n >= texts->n_slots) { /* keep it at most half full */
        const size_t n_slots = texts->n_slots > 0 ? 2 * texts->n_slots : FIRST_SLOTS;
        if (!rebuild_slots(texts, allocator, n_slots))
            return false;
    }
    if (texts->n == texts->capacity) {
        const size_t capacity = texts->capacity > 0 ? 2 * texts->capacity : FIRST_SLOTS / 2;
        char **grown = allocator->resize(allocator->context, texts->text, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        texts->text = grown;
        texts->capacity = capacity;
    }
    char *copy = allocator->resize(allocator->context, NULL, length + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    texts->slot[find_slot(texts, text, length)] = (uint32_t)texts->n;
    texts->text[texts->n++] = copy;
    return true;
}

bool texts_borrow(struct texts *texts, const dedpul_allocator *allocator, size_t n, char **text)
{
    size_t n_slots = FIRST_SLOTS;
    while (n_slots < 2 * n)
        n_slots *= 2;
    *texts = (struct texts){.n = n, .capacity = n, .text = text, .is_borrowed = true};
    return rebuild_slots(texts, allocator, n_slots);
}

struct numbered_text {
    char *text;
    uint32_t number;
};

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const struct numbered_text *)a)->text, ((const struct numbered_text *)b)->text);
}

bool texts_sort(struct texts *texts, const dedpul_allocator *allocator, uint32_t *number_before)
{
    struct numbered_text *sorted = allocator->resize(allocator->context, NULL, texts->n * sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < texts->n; i++)
        sorted[i] = (struct numbered_text){texts->text[i], (uint32_t)i};
    qsort(sorted, texts->n, sizeof *sorted, by_bytes);
    for (size_t i = 0; i < texts->n; i++) {
        texts->text[i] = sorted[i].text;
        number_before[i] = sorted[i].number;
    }
    (void)allocator->resize(allocator->context, sorted, 0);
    (void)allocator->resize(allocator->context, texts->slot, 0);
    texts->slot = NULL;
    texts->n_slots = 0;
    return true;
}

void texts_free(struct texts *texts, const dedpul_allocator *allocator)
{
    if (!texts->is_borrowed) {
        for (size_t i = 0; i < texts->n; i++)
            (void)allocator->resize(allocator->context, texts->text[i], 0);
        (void)allocator->resize(allocator->context, texts->text, 0);
    }
    (void)allocator->resize(allocator->context, texts->slot, 0);
}
