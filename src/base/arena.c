#include "arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Stands in front of each allocation, and has the alignment of the allocator's blocks. */
struct block {
    alignas(max_align_t) struct block *older;
    size_t size; /* in bytes, without this header */
};

/*
 * Large blocks are rounded up to whole pages and used again within the call, because the system hands out
 * fresh memory page by page and clears each page. This is switched off under the address sanitizer, which
 * must see every use of memory that was released.
 */
static const size_t page_size = 4096;
#ifdef __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
static const size_t reused_from = SIZE_MAX;
#else
static const size_t reused_from = 1 << 20;
#endif

static void *resize_with_malloc(void *unused, void *block, size_t size)
{
    (void)unused;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

dedpul_allocator allocator_or_default(const dedpul_allocator *allocator)
{
    const dedpul_allocator standard = {NULL, resize_with_malloc};
    return allocator != NULL ? *allocator : standard;
}

void arena_init(struct arena *arena, const dedpul_allocator *allocator)
{
    *arena = (struct arena){.allocator = allocator_or_default(allocator)};
}

static void free_blocks(const struct arena *arena, struct block **list)
{
    while (*list != NULL) {
        struct block *older = (*list)->older;
        (void)arena->allocator.resize(arena->allocator.context, *list, 0);
        *list = older;
    }
}

void arena_free_spare(struct arena *arena)
{
    free_blocks(arena, &arena->spare);
}

void arena_free(struct arena *arena)
{
    free_blocks(arena, &arena->newest);
    arena_free_spare(arena);
}

void arena_give(struct arena *from, void *memory, struct arena *to)
{
    struct block *block = (struct block *)memory - 1, **link = &from->newest;
    while (*link != block)
        link = &(*link)->older;
    *link = block->older;
    block->older = to->newest;
    to->newest = block;
}

void arena_move_spare(struct arena *from, struct arena *to)
{
    assert(to->spare == NULL);
    to->spare = from->spare;
    from->spare = NULL;
}

/* Asks the system for all pages of a large block at once, instead of one by one on first use. */
static void populate(struct block *block)
{
#ifdef MADV_POPULATE_WRITE
    char *const begin = (char *)block + page_size - (uintptr_t)block % page_size;
    const size_t size = (size_t)((char *)(block + 1) + block->size - begin) / page_size * page_size;
    (void)madvise(begin, size, MADV_POPULATE_WRITE); /* only speed depends on it */
#else
    (void)block;
#endif
}

/* Takes a spare block that is not much too large off the list. Returns NULL if there is none. */
static struct block *take_spare(struct arena *arena, size_t size)
{
    for (struct block **link = &arena->spare; *link != NULL; link = &(*link)->older)
        if ((*link)->size >= size && (*link)->size / 2 <= size) {
            struct block *block = *link;
            *link = block->older;
            return block;
        }
    return NULL;
}

void *arena_allocate(struct arena *arena, size_t count, size_t element_size)
{
    struct block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block - page_size) / element_size) {
        size_t size = count * element_size;
        if (size >= reused_from) {
            size = (size + page_size - 1) / page_size * page_size;
            block = take_spare(arena, size);
        }
        if (block == NULL) {
            block = arena->allocator.resize(arena->allocator.context, NULL, sizeof *block + size);
            if (block != NULL) {
                block->size = size;
                if (size >= reused_from)
                    populate(block);
            }
        }
    }
    if (block == NULL)
        return NULL;
    block->older = arena->newest;
    arena->newest = block;
    return block + 1;
}

struct block *arena_mark(const struct arena *arena)
{
    return arena->newest;
}

void arena_release(struct arena *arena, struct block *mark)
{
    while (arena->newest != mark) {
        struct block *block = arena->newest;
        arena->newest = block->older;
        if (block->size >= reused_from) {
            block->older = arena->spare;
            arena->spare = block;
        } else {
            (void)arena->allocator.resize(arena->allocator.context, block, 0);
        }
    }
}
