#include "group_folds.h"

#include "rng.h"

#include <math.h>

enum { N_LABELS = STRATUM_WEIGHTLESS, MOST_FOLDS = 256, N_CLASSES = 34, NO_FOLD = MOST_FOLDS };
#define NO_CARD UINT32_MAX

/* A group, by its code, and its rows of either label. */
struct card {
    uint32_t group, rows[N_LABELS];
};

struct dealing {
    unsigned n_folds;
    size_t n_cards;
    struct card *card; /* (n_cards) groups that have rows with weight */
    uint16_t *fold;    /* (groups) NO_FOLD: not dealt yet */
    double total[N_LABELS];
    double filled[MOST_FOLDS][N_LABELS]; /* rows of a fold */
};

/* Makes a card for each group, in the order of their first rows that have weight. */
static dedpul_status make_cards(struct context *context, size_t n, const unsigned char *stratum,
                                const struct row_groups *groups, struct dealing *dealing)
{
    dealing->fold = context_allocate(context, groups->n, sizeof *dealing->fold);
    dealing->card = context_allocate(context, groups->n, sizeof *dealing->card);
    struct block *mark = context_mark(context);
    uint32_t *place = context_allocate(context, groups->n, sizeof *place);
    if (dealing->fold == NULL || dealing->card == NULL || place == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < groups->n; g++) {
        dealing->fold[g] = NO_FOLD;
        place[g] = NO_CARD;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t group = groups->of_row[i];
        if (stratum[i] == STRATUM_WEIGHTLESS)
            continue;
        if (place[group] == NO_CARD) {
            place[group] = (uint32_t)dealing->n_cards;
            dealing->card[dealing->n_cards++] = (struct card){group, {0, 0}};
        }
        dealing->card[place[group]].rows[stratum[i]]++;
        dealing->total[stratum[i]]++;
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

static double share_of(const struct dealing *dealing, const struct card *card, unsigned label)
{
    return dealing->total[label] > 0 ? card->rows[label] / dealing->total[label] : 0;
}

/* Groups whose sizes differ by less than a factor of 2 are of one class; the largest are in class 0. */
static size_t class_of(const struct dealing *dealing, const struct card *card)
{
    const double size = fmax(share_of(dealing, card, 0), share_of(dealing, card, 1));
    return (size_t)fmin(-ilogb(size), N_CLASSES - 1);
}

/*
 * Puts the groups into random order, but the larger classes first, so that small groups can fill up what
 * large ones leave uneven. (Strictly by size, all partitions would be alike.)
 */
static dedpul_status shuffle_cards(struct context *context, struct rng *rng, struct dealing *dealing)
{
    const size_t n = dealing->n_cards;
    size_t begin[N_CLASSES + 1] = {0};
    struct card *shuffled = dealing->card, *ordered = context_allocate(context, n, sizeof *ordered);
    if (ordered == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = n; i > 1; i--) {
        const size_t k = rng_below(rng, (uint32_t)i);
        const struct card swap = shuffled[i - 1];
        shuffled[i - 1] = shuffled[k];
        shuffled[k] = swap;
    }
    for (size_t i = 0; i < n; i++)
        begin[class_of(dealing, &shuffled[i]) + 1]++;
    for (size_t k = 0; k < N_CLASSES; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < n; i++)
        ordered[begin[class_of(dealing, &shuffled[i])]++] = shuffled[i];
    dealing->card = ordered;
    return DEDPUL_OK;
}

static bool is_any_empty(const struct dealing *dealing, unsigned label)
{
    for (unsigned f = 0; f < dealing->n_folds; f++)
        if (dealing->filled[f][label] == 0)
            return true;
    return false;
}

/* More than any growth of shares costs. Labeled rows are fewer, mostly, so they come first. */
static const double cost_of_occupied[N_LABELS] = {2, 4};

/*
 * The fold for which the squares of the folds' shares grow least; of equal ones, that with the fewest rows.
 * As long as there are folds without rows of a label, those come first for groups that have some.
 */
static unsigned best_fold(const struct dealing *dealing, const struct card *card,
                          const bool some_empty[N_LABELS])
{
    double growth[N_LABELS], occupied[N_LABELS], lowest = INFINITY, fewest = INFINITY;
    unsigned best = 0;
    for (unsigned label = 0; label < N_LABELS; label++) {
        const double share = share_of(dealing, card, label);
        growth[label] = share > 0 ? share / dealing->total[label] : 0;
        occupied[label] = share > 0 && some_empty[label] ? cost_of_occupied[label] : 0;
    }
    for (unsigned f = 0; f < dealing->n_folds; f++) {
        const double *filled = dealing->filled[f];
        double cost = 0;
        for (unsigned label = 0; label < N_LABELS; label++)
            cost += growth[label] * filled[label] + (filled[label] > 0 ? occupied[label] : 0);
        if (cost < lowest || (cost == lowest && filled[0] + filled[1] < fewest)) {
            lowest = cost;
            fewest = filled[0] + filled[1];
            best = f;
        }
    }
    return best;
}

static void deal_cards(struct dealing *dealing)
{
    bool some_empty[N_LABELS] = {true, true};
    for (size_t i = 0; i < dealing->n_cards; i++) {
        const struct card *card = &dealing->card[i];
        const unsigned f = best_fold(dealing, card, some_empty);
        dealing->fold[card->group] = (uint16_t)f;
        for (unsigned label = 0; label < N_LABELS; label++) {
            dealing->filled[f][label] += card->rows[label];
            some_empty[label] = some_empty[label] && is_any_empty(dealing, label);
        }
    }
}

static dedpul_status check_folds(struct context *context, const struct dealing *dealing)
{
    for (unsigned f = 0; f < dealing->n_folds; f++)
        for (unsigned label = 0; label < N_LABELS; label++)
            if (dealing->filled[f][label] == dealing->total[label])
                return error_set(context->error, DEDPUL_INVALID_DATA,
                                 "all %.0f %s rows would be in one of %u folds, so that nothing is left to "
                                 "learn from: their groups are too few or too large",
                                 dealing->total[label], label == 1 ? "labeled" : "unlabeled",
                                 dealing->n_folds);
    return DEDPUL_OK;
}

dedpul_status group_folds_deal(struct context *context, size_t n, const unsigned char *stratum,
                               const struct row_groups *groups, unsigned n_folds, uint64_t stream,
                               unsigned char *fold)
{
    struct block *mark = context_mark(context);
    struct dealing dealing = {.n_folds = n_folds};
    struct rng rng;
    unsigned next = 0;
    rng_init(&rng, context->seed, stream);
    TRY(make_cards(context, n, stratum, groups, &dealing));
    TRY(shuffle_cards(context, &rng, &dealing));
    deal_cards(&dealing);
    TRY(check_folds(context, &dealing));
    for (size_t i = 0; i < n; i++) {
        uint16_t *of_group = &dealing.fold[groups->of_row[i]];
        if (*of_group == NO_FOLD) /* none of its rows has weight */
            *of_group = (uint16_t)(next++ % n_folds);
        fold[i] = (unsigned char)*of_group;
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
