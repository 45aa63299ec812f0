#include "ratio.h"

#include "weighted.h"

#include <math.h>
#include <string.h>

/*
 * Weights are whole numbers of a small unit here. So a window that takes in a weight and gives it back later
 * has no rounding left over. Whole weights, and halves of them, are exact.
 */
typedef int64_t mass;

static double units_for(double total)
{
    int exponent;
    (void)frexp(total, &exponent); /* total < 2^exponent */
    /* Sums stay below 2^60, and 2^40 units to a weight of 1 are fine enough. */
    return ldexp(1, 60 - exponent > 40 ? 40 : 60 - exponent);
}

/*
 * Mass by rank, with sums over blocks of 16, of 256 and so on: a tree that finds a rank by its mass. It
 * remembers the last block found and the mass below it, because the next median is mostly near.
 */
enum { FANOUT_BITS = 4, FANOUT = 1 << FANOUT_BITS, MOST_LEVELS = 9, NEAR = 8 };

struct mass_tree {
    int levels;
    mass *level[MOST_LEVELS]; /* level[0] by rank, then by block */
    size_t block;
    mass below;
};

static dedpul_status tree_init(struct context *context, size_t m, struct mass_tree *tree)
{
    *tree = (struct mass_tree){.levels = 0};
    for (size_t size = m; tree->levels < 2 || size > 1; size = (size + FANOUT - 1) / FANOUT) {
        mass *level = context_allocate(context, size, sizeof *level);
        if (level == NULL)
            return DEDPUL_NO_MEMORY;
        memset(level, 0, size * sizeof *level);
        tree->level[tree->levels++] = level;
    }
    return DEDPUL_OK;
}

static void tree_add(struct mass_tree *tree, size_t rank, mass change)
{
    /* `below` must stay the mass below the remembered block. */
    if (rank >> FANOUT_BITS < tree->block)
        tree->below += change;
    for (int l = 0; l < tree->levels; l++, rank >>= FANOUT_BITS)
        tree->level[l][rank] += change;
}

/* Finds the block where `wanted` is reached, from the top of the tree down, and remembers it. */
static void find_block(struct mass_tree *tree, mass wanted)
{
    size_t at = 0;
    tree->below = 0;
    for (int l = tree->levels - 1; l > 0; l--) {
        at <<= FANOUT_BITS;
        while (tree->below + tree->level[l][at] < wanted)
            tree->below += tree->level[l][at++];
    }
    tree->block = at;
}

/* Returns the lowest rank with at least `wanted` > 0 mass up to it. The tree must hold that much. */
static size_t tree_find(struct mass_tree *tree, mass wanted)
{
    const mass *const block_mass = tree->level[1];
    /* Walk from the remembered block, up or down; after NEAR steps a search from the top is cheaper. */
    for (int step = 0; tree->below >= wanted || tree->below + block_mass[tree->block] < wanted; step++) {
        if (step == NEAR) {
            find_block(tree, wanted);
            break;
        }
        if (tree->below >= wanted)
            tree->below -= block_mass[--tree->block];
        else
            tree->below += block_mass[tree->block++];
    }
    size_t rank = tree->block << FANOUT_BITS;
    for (wanted -= tree->below; tree->level[0][rank] < wanted; rank++)
        wanted -= tree->level[0][rank];
    return rank;
}

static mass least(mass a, mass b)
{
    return a < b ? a : b;
}

/* The rows on the axis of cumulative mass, and the part [low, high] of it whose mass is in the tree. */
struct window {
    mass one;             /* the mass of a row if there are no weights */
    const mass *edge;     /* (n + 1) where rows begin, and the end of the last; NULL: multiples of `one` */
    const uint32_t *rank; /* (n) before the median */
    struct mass_tree tree;
    mass low, high;
    size_t first, last; /* the rows that low and high lie in, or at whose end they lie */
};

/* Row i covers the axis from edge i to edge i + 1. */
static mass edge_at(const struct window *window, size_t i)
{
    return window->edge != NULL ? window->edge[i] : (mass)i * window->one;
}

/* Adds (sign 1) or takes out (sign -1) the mass between an end of the window and its new place. */
static void move_end(struct window *window, mass *end, size_t *row, mass place, int sign)
{
    while (*end < place) {
        if (edge_at(window, *row + 1) <= *end) {
            ++*row;
            continue;
        }
        const mass stop = least(edge_at(window, *row + 1), place);
        tree_add(&window->tree, window->rank[*row], sign * (stop - *end));
        *end = stop;
    }
}

static dedpul_status fill_edges(struct context *context, size_t n, const double *weight, double unit,
                                struct window *window)
{
    if (weight == NULL)
        return DEDPUL_OK;
    mass *edge = context_allocate(context, n + 1, sizeof *edge);
    if (edge == NULL)
        return DEDPUL_NO_MEMORY;
    edge[0] = 0;
    for (size_t i = 0; i < n; i++)
        edge[i + 1] = edge[i] + (mass)(weight[i] * unit);
    window->edge = edge;
    return DEDPUL_OK;
}

dedpul_status rolling_median(struct context *context, struct ratio *ratio)
{
    struct block *mark = context_mark(context);
    const size_t n = ratio->n;
    const double unit = units_for(ratio->total);
    struct window window = {.one = (mass)unit, .rank = ratio->rank};
    uint32_t *median = context_allocate(context, n, sizeof *median);
    if (median == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fill_edges(context, n, ratio->weight, unit, &window));
    TRY(tree_init(context, ratio->m, &window.tree));
    /* The reach counts from a row's middle, so it includes half of the row itself. */
    const mass widest = (mass)((floor(ratio->total / 20) + 0.5) * unit);
    for (size_t i = 0; i < n; i++) {
        const mass middle = (edge_at(&window, i) + edge_at(&window, i + 1)) / 2;
        const mass reach = least(widest, least(middle, edge_at(&window, n) - middle));
        /* Both ends only ever move up. */
        move_end(&window, &window.high, &window.last, middle + reach, 1);
        move_end(&window, &window.low, &window.first, middle - reach, -1);
        /*
         * The window holds 2 * reach, so the median is where the mass arrives at reach. A window is empty if
         * the row is too light to have a mass; such a row keeps its value.
         */
        median[i] = reach > 0 ? (uint32_t)tree_find(&window.tree, reach) : ratio->rank[i];
    }
    memcpy(ratio->rank, median, n * sizeof *median);
    context_release(context, mark);
    return DEDPUL_OK;
}
