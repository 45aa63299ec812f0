/*
 * Memory as a stack of blocks from the user's allocator. A function that succeeds releases its temporaries
 * back to the mark it took at the start; a function that fails just returns, and the owner of the arena frees
 * everything. So no function needs a clean-up path of its own. What a call hands out (a result, a model)
 * lives in an arena of its own.
 */
#ifndef DEDPUL_BASE_ARENA_H
#define DEDPUL_BASE_ARENA_H

#include "dedpul_common.h"

struct block;

struct arena {
    dedpul_allocator allocator;
    struct block *newest; /* top of the stack */
    struct block *spare;  /* large blocks that were released and are kept for reuse */
};

/* Returns the given allocator, or malloc's if it is NULL. */
dedpul_allocator allocator_or_default(const dedpul_allocator *allocator);

void arena_init(struct arena *arena, const dedpul_allocator *allocator);

/* Frees all blocks. */
void arena_free(struct arena *arena);

/* Returns uninitialised memory for count elements, or NULL if memory runs out; not NULL for count 0. */
void *arena_allocate(struct arena *arena, size_t count, size_t element_size);

/* arena_mark returns the present height of the stack; arena_release frees everything above such a mark. */
struct block *arena_mark(const struct arena *arena);
void arena_release(struct arena *arena, struct block *mark);

/* Hands one allocation over to another arena, which then owns it. */
void arena_give(struct arena *from, void *memory, struct arena *to);

/* arena_move_spare hands the blocks kept for reuse over to another arena; arena_free_spare frees them. */
void arena_move_spare(struct arena *from, struct arena *to);
void arena_free_spare(struct arena *arena);

#endif
