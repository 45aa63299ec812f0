#include "ratio.h"

#include "weighted.h"

#include <math.h>
#include <string.h>

/*
 * Weights are whole numbers of a small unit here, so that what a window takes in and gives back leaves
 * no rounding behind; whole weights, and halves of them, are exact.
 */
typedef int64_t mass;

static double units_for(double total)
{
    int exponent;
    (void)frexp(total, &exponent); /* total < 2^exponent */
    return ldexp(1, 60 - exponent > 40 ? 40 : 60 - exponent);
}

/* Mass by rank, with sums over blocks of 16, of 256 and so on: a tree that finds a rank by its mass. */
enum { FANOUT_BITS = 4, FANOUT = 1 << FANOUT_BITS, MOST_LEVELS = 8 };

struct mass_tree {
    int levels;
    mass *level[MOST_LEVELS]; /* level[0] by rank, then by block */
};

static dedpul_status tree_init(struct context *context, size_t m, struct mass_tree *tree)
{
    size_t size = m;
    tree->levels = 0;
    do {
        mass *level = context_allocate(context, size, sizeof *level);
        if (level == NULL)
            return DEDPUL_NO_MEMORY;
        memset(level, 0, size * sizeof *level);
        tree->level[tree->levels++] = level;
        size = (size + FANOUT - 1) / FANOUT;
    } while (size > 1);
    return DEDPUL_OK;
}

static void tree_add(struct mass_tree *tree, size_t rank, mass change)
{
    for (int l = 0; l < tree->levels; l++, rank >>= FANOUT_BITS)
        tree->level[l][rank] += change;
}

/* The lowest rank with at least `wanted` mass up to it; there is that much. */
static size_t tree_find(const struct mass_tree *tree, mass wanted)
{
    size_t at = 0;
    for (int l = tree->levels - 1; l >= 0; l--) {
        const mass *level = tree->level[l];
        at <<= FANOUT_BITS;
        while (level[at] < wanted)
            wanted -= level[at++];
    }
    return at;
}

/* The rows on the axis of cumulative mass, and the window [low, high] on it. */
struct window {
    size_t n;
    const mass *edge;     /* (n + 1) row i covers edge[i] .. edge[i + 1] */
    const uint32_t *rank; /* (n) before the median */
    mass *inside;         /* (n) mass of row i that is in the tree */
    struct mass_tree tree;
    size_t first, last; /* rows that the window's ends lie in */
};

static void refresh(struct window *window, size_t row, mass low, mass high)
{
    const mass begin = window->edge[row] > low ? window->edge[row] : low;
    const mass end = window->edge[row + 1] < high ? window->edge[row + 1] : high;
    const mass inside = end > begin ? end - begin : 0;
    if (inside != window->inside[row]) {
        tree_add(&window->tree, window->rank[row], inside - window->inside[row]);
        window->inside[row] = inside;
    }
}

/* Both ends only ever move up. */
static void move(struct window *window, mass low, mass high)
{
    size_t row = window->last;
    while (row + 1 < window->n && window->edge[row + 1] < high)
        refresh(window, row++, low, high);
    refresh(window, row, low, high);
    window->last = row;
    row = window->first;
    while (row < window->last && window->edge[row + 1] <= low)
        refresh(window, row++, low, high);
    refresh(window, row, low, high);
    window->first = row;
}

static mass least(mass a, mass b)
{
    return a < b ? a : b;
}

dedpul_status rolling_median(struct context *context, const double *weight, double total,
                             struct ratio *ratio)
{
    struct block *mark = context_mark(context);
    const size_t n = ratio->n;
    const double unit = units_for(total);
    mass *edge = context_allocate(context, n + 1, sizeof *edge);
    mass *inside = context_allocate(context, n, sizeof *inside);
    uint32_t *median = context_allocate(context, n, sizeof *median);
    if (edge == NULL || inside == NULL || median == NULL)
        return DEDPUL_NO_MEMORY;
    memset(inside, 0, n * sizeof *inside);
    edge[0] = 0;
    for (size_t i = 0; i < n; i++)
        edge[i + 1] = edge[i] + (mass)llround(weight_at(weight, i) * unit);

    struct window window = {.n = n, .edge = edge, .rank = ratio->rank, .inside = inside};
    TRY(tree_init(context, ratio->m, &window.tree));
    const mass widest = (mass)((floor(total / 20) + 0.5) * unit);
    for (size_t i = 0; i < n; i++) {
        const mass middle = edge[i] + (edge[i + 1] - edge[i]) / 2;
        const mass reach = least(widest, least(middle, edge[n] - middle));
        move(&window, middle - reach, middle + reach);
        /* An empty window is that of a row too light to have a mass: it keeps its value. */
        median[i] = reach > 0 ? (uint32_t)tree_find(&window.tree, reach) : ratio->rank[i];
    }
    memcpy(ratio->rank, median, n * sizeof *median);
    context_release(context, mark);
    return DEDPUL_OK;
}
