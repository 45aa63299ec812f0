#include "ratio.h"

#include "weighted.h"

#include <math.h>

/* What a kept value loses if a smaller one comes, as a share of what it gains otherwise. */
static const double loss = 0.25;

/*
 * The kept values by rank, as a tree with 16 children to a node. Each node knows the least support below it.
 * Two kinds of additions are never carried out one by one: `gained` holds what all kept values have gained,
 * and the `pending` of a node holds what its whole subtree has lost. So
 *
 *   support of a rank = support[0][rank] + pending of the nodes above it + gained,
 *
 * which is +infinity if the rank is not kept.
 */
enum { FANOUT_BITS = 4, FANOUT = 1 << FANOUT_BITS, MOST_LEVELS = 9 };

struct kept {
    int levels;
    size_t size[MOST_LEVELS];
    double *support[MOST_LEVELS]; /* level 0 by rank; above, the least of the children plus pending */
    double *pending[MOST_LEVELS]; /* from level 1 on */
    double gained;
};

static dedpul_status kept_init(struct context *context, size_t m, struct kept *kept)
{
    *kept = (struct kept){.levels = 0};
    size_t size = m;
    for (;;) {
        const int l = kept->levels++;
        kept->size[l] = size;
        kept->support[l] = context_allocate(context, size, sizeof *kept->support[l]);
        kept->pending[l] = l > 0 ? context_allocate(context, size, sizeof *kept->pending[l]) : NULL;
        if (kept->support[l] == NULL || (l > 0 && kept->pending[l] == NULL))
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < size; i++) {
            kept->support[l][i] = INFINITY;
            if (l > 0)
                kept->pending[l][i] = 0;
        }
        if (l > 0 && size == 1)
            return DEDPUL_OK;
        size = (size + FANOUT - 1) / FANOUT;
    }
}

static size_t end_of_siblings(const struct kept *kept, int level, size_t at)
{
    const size_t end = (at | (FANOUT - 1)) + 1;
    return end < kept->size[level] ? end : kept->size[level];
}

/* Computes the support of the node's parent from all its children. Returns the parent. */
static size_t update_parent(struct kept *kept, int level, size_t at)
{
    const double *support = kept->support[level];
    const size_t parent = at >> FANOUT_BITS, end = end_of_siblings(kept, level, at);
    double lowest = INFINITY;
    for (size_t i = parent << FANOUT_BITS; i < end; i++)
        lowest = support[i] < lowest ? support[i] : lowest;
    kept->support[level + 1][parent] = lowest + kept->pending[level + 1][parent];
    return parent;
}

static int is_kept(const struct kept *kept, size_t rank)
{
    return kept->support[0][rank] < INFINITY;
}

static void insert(struct kept *kept, size_t rank, double support)
{
    /* Take off everything that the formula above adds, so that it gives `support` from now on. */
    double stored = support - kept->gained;
    for (int l = 1; l < kept->levels; l++)
        stored -= kept->pending[l][rank >> (l * FANOUT_BITS)];
    kept->support[0][rank] = stored;
    for (int l = 1; l < kept->levels; l++) {
        rank >>= FANOUT_BITS;
        stored += kept->pending[l][rank];
        if (stored >= kept->support[l][rank])
            break; /* the least support of this node, and so of those above, stays the same */
        kept->support[l][rank] = stored;
    }
}

static void take_out(struct kept *kept, size_t rank)
{
    kept->support[0][rank] = INFINITY;
    for (int l = 0; l + 1 < kept->levels; l++)
        rank = update_parent(kept, l, rank);
}

/* Takes `amount` from the support of all ranks above this one. */
static void lower_above(struct kept *kept, size_t rank, double amount)
{
    for (int l = 0; l + 1 < kept->levels; l++) {
        /* The right siblings of the path to the rank are the largest subtrees that lie wholly above it. */
        const size_t end = end_of_siblings(kept, l, rank);
        for (size_t i = rank + 1; i < end; i++) {
            kept->support[l][i] -= amount;
            if (l > 0)
                kept->pending[l][i] -= amount;
        }
        rank = update_parent(kept, l, rank);
    }
}

/* Removes all ranks whose support has fallen to 0. */
static void remove_unsupported(struct kept *kept)
{
    while (kept->support[kept->levels - 1][0] + kept->gained <= 0) {
        /* The root says that there is one: go down to it, each time to the first child that has one. */
        double above = kept->gained; /* plus pending of the nodes passed */
        size_t at = 0;
        for (int l = kept->levels - 1; l > 0; l--) {
            above += kept->pending[l][at];
            at <<= FANOUT_BITS;
            while (kept->support[l - 1][at] + above > 0)
                at++;
        }
        take_out(kept, at);
    }
}

/* Returns the largest rank kept. There must be one. */
static size_t largest(const struct kept *kept)
{
    size_t at = 0;
    for (int l = kept->levels - 1; l > 0; l--) {
        at = end_of_siblings(kept, l - 1, at << FANOUT_BITS) - 1;
        while (!(kept->support[l - 1][at] < INFINITY))
            at--;
    }
    return at;
}

/*
 * Weights are rounded down to multiples of this unit, a power of two. It is so small that the weights lose
 * nothing that matters, but so large that supports are exact: they are multiples of a quarter of it, up to a
 * few totals. So rounding does not decide whether a support arrives at 0.
 */
static double unit_for(double total)
{
    int exponent;
    (void)frexp(total, &exponent); /* total < 2^exponent */
    return ldexp(1, exponent - 48);
}

dedpul_status trend(struct context *context, struct ratio *ratio)
{
    struct block *mark = context_mark(context);
    const double unit = unit_for(ratio->total);
    struct kept kept;
    TRY(kept_init(context, ratio->m, &kept));
    size_t top = 0; /* largest rank kept */
    for (size_t i = 0; i < ratio->n; i++) {
        const size_t rank = ratio->rank[i];
        const double w = floor(weight_at(ratio->weight, i) / unit) * unit;
        ratio->rank[i] = (uint32_t)(rank > top ? rank : top);
        kept.gained += w; /* this is for all; the larger ones lose it again below, and a quarter more */
        if (top > rank) {
            lower_above(&kept, rank, (1 + loss) * w);
            remove_unsupported(&kept);
        }
        if (!is_kept(&kept, rank))
            insert(&kept, rank, w);
        if (rank > top)
            top = rank;
        else if (!is_kept(&kept, top))
            top = largest(&kept);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
