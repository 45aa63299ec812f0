#include "holdout.h"

#include "parallel.h"
#include "rng.h"
#include "weighted.h"

#include <math.h>

enum { FOLDS = 5 };

/* Random folds that are balanced along the score: of each 5 rows in a row, every fold gets one. */
static void assign_folds(size_t n, uint64_t seed, enum sample_role role, unsigned char *fold)
{
    struct rng rng;
    unsigned char order[FOLDS] = {0, 1, 2, 3, 4};
    rng_init(&rng, seed, role);
    for (size_t i = 0; i < n; i++) {
        const unsigned place = (unsigned)(i % FOLDS);
        const unsigned other = place + rng_below(&rng, FOLDS - place); /* Fisher-Yates */
        const unsigned char swap = order[place];
        order[place] = order[other];
        order[other] = swap;
        fold[i] = order[place];
    }
}

static void split(const struct sample *sample, const unsigned char *fold, unsigned held_out,
                  struct sample *train, struct sample *test)
{
    train->n = test->n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        struct sample *part = fold[i] == held_out ? test : train;
        sample_append(part, sample, i, weight_at(sample->weight, i));
    }
    train->total = weighted_total(train->n, train->weight);
    test->total = weighted_total(test->n, test->weight);
}

struct choice {
    struct sample train, test;
    holdout_score *score;
    double *total; /* (count) log-likelihood over the folds so far */
};

static dedpul_status score_candidate(struct context *context, void *argument, size_t candidate)
{
    struct choice *choice = argument;
    double log_likelihood;
    TRY(choice->score(context, candidate, &choice->train, &choice->test, &log_likelihood));
    choice->total[candidate] += log_likelihood;
    return DEDPUL_OK;
}

dedpul_status holdout_choose(struct context *context, const struct sample *sample, enum sample_role role,
                             size_t count, holdout_score *score, size_t *best)
{
    struct block *mark = context_mark(context);
    struct choice choice = {.score = score};
    unsigned char *fold = context_allocate(context, sample->n, sizeof *fold);
    choice.total = context_allocate(context, count, sizeof *choice.total);
    if (fold == NULL || choice.total == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(sample_allocate(context, sample->n, sample->weight != NULL, &choice.train));
    TRY(sample_allocate(context, sample->n, sample->weight != NULL, &choice.test));
    assign_folds(sample->n, context->seed, role, fold);
    for (size_t i = 0; i < count; i++)
        choice.total[i] = 0;
    for (unsigned held_out = 0; held_out < FOLDS; held_out++) {
        split(sample, fold, held_out, &choice.train, &choice.test);
        if (choice.train.n > 0 && choice.test.n > 0)
            TRY(parallel_for(context, count, score_candidate, &choice));
    }
    *best = 0;
    for (size_t i = 1; i < count; i++)
        if (choice.total[i] > choice.total[*best])
            *best = i;
    context_release(context, mark);
    return DEDPUL_OK;
}
