#include "deck.h"

#include "search.h"

/* Cumulative sums of weights 1 are 1, 2, 3, ... */
static bool all_weigh_one(const struct deck *deck)
{
    for (size_t i = 0; i < deck->n; i++)
        if (deck->cumulative != NULL && deck->cumulative[i] != (double)(i + 1))
            return false;
    return true;
}

dedpul_status deck_init(struct context *context, const struct examples *examples, const struct member *member,
                        unsigned char label, struct deck *deck)
{
    size_t count = 0;
    for (size_t i = 0; i < examples->n; i++)
        count += examples->label[i] == label && member_learns_from(member, example_row(examples, i));
    *deck = (struct deck){.row = context_allocate(context, count, sizeof *deck->row)};
    if (deck->row == NULL)
        return DEDPUL_NO_MEMORY;
    if (examples->weight != NULL) {
        deck->cumulative = context_allocate(context, count, sizeof *deck->cumulative);
        if (deck->cumulative == NULL)
            return DEDPUL_NO_MEMORY;
    }
    double sum = 0;
    for (size_t i = 0; i < examples->n; i++)
        if (examples->label[i] == label && member_learns_from(member, example_row(examples, i))) {
            if (examples->weight != NULL) {
                if (!(examples->weight[i] > 0))
                    continue;
                sum += examples->weight[i];
                deck->cumulative[deck->n] = sum;
            }
            deck->row[deck->n++] = (uint32_t)example_row(examples, i);
        }
    if (all_weigh_one(deck))
        deck->cumulative = NULL;
    return DEDPUL_OK;
}

double deck_size(const struct deck *deck)
{
    if (deck->cumulative == NULL || deck->n == 0 || deck->cumulative[deck->n - 1] > (double)deck->n)
        return (double)deck->n;
    return deck->cumulative[deck->n - 1];
}

void deck_restart(struct deck *deck)
{
    deck->next = 0;
}

uint32_t deck_draw(struct deck *deck, struct rng *rng)
{
    if (deck->cumulative != NULL) {
        const double point = rng_uniform(rng) * deck->cumulative[deck->n - 1];
        const size_t index = first_above(deck->n, deck->cumulative, point);
        return deck->row[index < deck->n ? index : deck->n - 1];
    }
    /* Without weights: the next step of a shuffle (Fisher and Yates). Rows before `next` are drawn. */
    if (deck->next == deck->n)
        deck->next = 0;
    const size_t chosen = deck->next + rng_below(rng, (uint32_t)(deck->n - deck->next));
    const uint32_t row = deck->row[chosen];
    deck->row[chosen] = deck->row[deck->next];
    deck->row[deck->next++] = row;
    return row;
}
