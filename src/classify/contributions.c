#include "contributions.h"

#include "folds.h"
#include "parallel.h"
#include "risk.h"
#include "rng.h"

#include <string.h>

enum {
    FOLDS = 5,
    PARTITIONS = 3,
    MEMBERS = FOLDS * PARTITIONS,
    ROUNDS = 60,
    DEPTH = 4,
    MOST_LEARNED = 20000
};

static const double rate = 0.1;

struct contributor {
    struct examples examples; /* all rows */
    unsigned char *fold;      /* (PARTITIONS, n_rows) */
    struct member member[MEMBERS];
    void *model[MEMBERS];
};

/* ---- training ---- */

static dedpul_status deal(struct context *context, const unsigned char *stratum,
                          struct contributor *contributor)
{
    const size_t n = contributor->examples.n_rows;
    contributor->fold = context_allocate(context, PARTITIONS * n, 1);
    if (contributor->fold == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t p = 0; p < PARTITIONS; p++)
        TRY(folds_deal(context, n, stratum, FOLDS, rng_stream(STREAM_FOUND_KINDS, p),
                       contributor->fold + p * n));
    for (size_t m = 0; m < MEMBERS; m++)
        contributor->member[m] =
            (struct member){.fold = contributor->fold + m / FOLDS * n, .held_out = (unsigned)(m % FOLDS)};
    return DEDPUL_OK;
}

/* The examples that trees learn from: all, or some of each label. */
static dedpul_status choose_examples(struct context *context, const struct examples *all,
                                     const unsigned char *stratum, struct examples *chosen)
{
    size_t n;
    uint32_t *row;
    TRY(folds_choose(context, all->n_rows, stratum, MOST_LEARNED, rng_stream(STREAM_FOUND_KINDS, PARTITIONS),
                     &n, &row));
    unsigned char *label = context_allocate(context, n, 1);
    double *weight = context_allocate(context, n, sizeof *weight);
    if (label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        label[i] = all->label[row[i]];
        weight[i] = all->weight != NULL ? all->weight[row[i]] : 1;
    }
    *chosen = *all;
    chosen->n = n;
    chosen->row = row;
    chosen->label = label;
    chosen->weight = weight;
    return DEDPUL_OK;
}

static dedpul_status grow(struct context *context, const struct training *training, void **set,
                          struct contributor *contributor)
{
    bool all[MEMBERS];
    memset(all, true, sizeof all);
    TRY(classifier_gbdt.create(context, training, set));
    for (unsigned round = 0; round < ROUNDS; round++)
        TRY(classifier_gbdt.advance(context, *set, all));
    TRY(classifier_gbdt.keep(context, *set, all));
    for (size_t m = 0; m < MEMBERS; m++)
        TRY(classifier_gbdt.finish(context, *set, m, context->arena, &contributor->model[m]));
    return DEDPUL_OK;
}

dedpul_status contributor_train(struct context *context, const struct examples *examples,
                                const unsigned char *stratum, const struct training_settings *settings,
                                struct contributor **result)
{
    struct contributor *contributor = context_allocate(context, 1, sizeof *contributor);
    struct training_settings own = *settings;
    struct examples chosen;
    void *set = NULL;
    *result = contributor;
    if (contributor == NULL)
        return DEDPUL_NO_MEMORY;
    *contributor = (struct contributor){.examples = *examples};
    own.trees = (struct tree_settings){.depth = DEPTH, .rate = rate, .l2 = settings->trees.l2};
    TRY(deal(context, stratum, contributor));
    TRY(choose_examples(context, examples, stratum, &chosen));
    const struct training training = {&chosen, MEMBERS, contributor->member, &own, &risk_of_classes};
    const dedpul_status status = grow(context, &training, &set, contributor);
    classifier_gbdt.destroy(set);
    return status;
}

void contributor_close(struct contributor *contributor)
{
    for (size_t m = 0; contributor != NULL && m < MEMBERS; m++)
        classifier_gbdt.close(contributor->model[m]);
}

/* ---- contributions ---- */

struct finding {
    const struct contributor *contributor;
    size_t n;
    const uint32_t *row;
    float *contribution; /* (MEMBERS, n, width) behind each other, of the rows in the member's fold */
    size_t *n_own;       /* (MEMBERS) */
    uint32_t *own;       /* (MEMBERS, n) their places */
};

static dedpul_status find_of_member(struct context *context, void *argument, size_t index)
{
    const struct finding *finding = argument;
    const struct contributor *contributor = finding->contributor;
    const struct examples *examples = &contributor->examples;
    const struct member *member = &contributor->member[index];
    uint32_t *own = finding->own + index * finding->n;
    size_t n = 0;
    uint32_t *row = context_allocate(context, finding->n, sizeof *row);
    if (row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < finding->n; i++)
        if (!member_learns_from(member, finding->row[i])) {
            own[n] = (uint32_t)i;
            row[n++] = finding->row[i];
        }
    finding->n_own[index] = n;
    if (n == 0)
        return DEDPUL_OK;
    float *x = context_allocate(context, n * examples->width, sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    examples_gather(examples, n, row, x);
    return classifier_gbdt.contribute(context, contributor->model[index], n, x,
                                      finding->contribution + index * finding->n * examples->width);
}

dedpul_status contributions_find(struct context *context, const struct contributor *contributor, size_t n,
                                 const uint32_t *row, float *contribution)
{
    struct block *mark = context_mark(context);
    const size_t width = contributor->examples.width;
    size_t n_own[MEMBERS];
    struct finding finding = {
        .contributor = contributor,
        .n = n,
        .row = row,
        .contribution = context_allocate(context, MEMBERS * n, width * sizeof(float)),
        .n_own = n_own,
        .own = context_allocate(context, MEMBERS * n, sizeof(uint32_t)),
    };
    if (finding.contribution == NULL || finding.own == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for(context, MEMBERS, find_of_member, &finding));
    memset(contribution, 0, n * width * sizeof *contribution);
    for (size_t m = 0; m < MEMBERS; m++)
        for (size_t i = 0; i < n_own[m]; i++) {
            const float *of_member = finding.contribution + (m * n + i) * width;
            float *mean = contribution + finding.own[m * n + i] * width;
            for (size_t c = 0; c < width; c++)
                mean[c] += of_member[c] / PARTITIONS;
        }
    context_release(context, mark);
    return DEDPUL_OK;
}
