/*
 * TIcE (Bekker and Davis, "Estimating the class prior in positive and unlabeled data through decision tree
 * induction", 2018). The label frequency c is the share of labeled rows among the positive ones. Any subset
 * of the rows bounds it from below, and trees look for subsets with a high bound. It works on features or on
 * scores.
 */
#include "estimator.h"
#include "folds.h"
#include "label_tree.h"
#include "parallel.h"
#include "rng.h"
#include "weighted.h"

#include <math.h>

enum { MOST_FOLDS = 10, MOST_SPLITS = 500, ROUNDS = 2 };

/*
 * Rows as the trees see them. A row of weight w is cut into w pieces, and each goes to a fold as w rows
 * would. Rows without weight take no part.
 */
struct pieces {
    const struct feature_rows *source;
    struct tree_rows rows;
    double total[2];     /* weight of unlabeled and of labeled rows */
    uint32_t *row;       /* (rows.n) of the source */
    unsigned char *code; /* as in rows */
};

static dedpul_status cut(struct context *context, const struct feature_rows *source, struct pieces *pieces)
{
    size_t n = 0;
    *pieces = (struct pieces){.source = source};
    for (size_t i = 0; i < source->n; i++)
        pieces->total[source->label[i]] += weight_at(source->weight, i);
    for (size_t i = 0; i < source->n; i++)
        n += source->weight == NULL ? 1 : weight_pieces(source->weight[i], pieces->total[source->label[i]]);
    pieces->row = context_allocate(context, n, sizeof *pieces->row);
    double *weight = source->weight != NULL ? context_allocate(context, n, sizeof *weight) : NULL;
    if (pieces->row == NULL || (weight == NULL && source->weight != NULL))
        return DEDPUL_NO_MEMORY;
    n = 0;
    for (int label = 1; label >= 0; label--) {
        for (size_t i = 0; i < source->n; i++) {
            if (source->label[i] != label)
                continue;
            const size_t count =
                source->weight == NULL ? 1 : weight_pieces(source->weight[i], pieces->total[label]);
            for (size_t k = 0; k < count; k++, n++) {
                pieces->row[n] = (uint32_t)i;
                if (weight != NULL)
                    weight[n] = source->weight[i] / (double)count;
            }
        }
        pieces->rows.n_labeled = label == 1 ? n : pieces->rows.n_labeled;
    }
    pieces->rows.n = n;
    pieces->rows.weight = weight;
    return DEDPUL_OK;
}

/* Encodes one feature: the code of a value is which of n_values equal stretches of the range it lies in. */
static dedpul_status encode(struct context *context, void *argument, size_t feature)
{
    const struct pieces *pieces = argument;
    const size_t n = pieces->rows.n, width = pieces->rows.width;
    const unsigned last = pieces->rows.n_values - 1;
    const float *x = pieces->source->x + feature;
    unsigned char *code = pieces->code + feature * n;
    double low = INFINITY, high = -INFINITY;
    (void)context;
    for (size_t i = 0; i < n; i++) {
        const double value = x[pieces->row[i] * width];
        low = fmin(low, value);
        high = fmax(high, value);
    }
    for (size_t i = 0; i < n; i++) {
        const double value = x[pieces->row[i] * width];
        const double place = high > low ? (value - low) / (high - low) * (last + 1) : 0;
        code[i] = (unsigned char)fmin(place, last);
    }
    return DEDPUL_OK;
}

static dedpul_status deal(struct context *context, unsigned n_folds, struct tree_rows *rows)
{
    unsigned char *fold = context_allocate(context, rows->n, 1);
    struct block *mark = context_mark(context);
    unsigned char *is_labeled = context_allocate(context, rows->n, 1);
    if (fold == NULL || is_labeled == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n; i++)
        is_labeled[i] = i < rows->n_labeled;
    TRY(folds_deal(context, rows->n, is_labeled, n_folds, rng_stream(STREAM_TREE_FOLDS, 0), fold));
    context_release(context, mark);
    rows->fold = fold;
    return DEDPUL_OK;
}

struct round {
    const struct tree_rows *rows;
    double c;
    double bound[MOST_FOLDS];
};

static dedpul_status bound_of_fold(struct context *context, void *argument, size_t fold)
{
    struct round *round = argument;
    return label_tree_bound(context, round->rows, (unsigned)fold, MOST_SPLITS, round->c, &round->bound[fold]);
}

/*
 * alpha from the mean of the folds' bounds. c is at least the share of labeled rows, which means alpha is 1.
 */
static dedpul_status alpha_of_rows(struct context *context, const struct feature_rows *source, double *alpha)
{
    struct block *mark = context_mark(context);
    const unsigned n_folds = source->width == 1 ? 10 : 5;
    struct pieces pieces;
    TRY(cut(context, source, &pieces));
    struct tree_rows *rows = &pieces.rows;
    rows->width = source->width;
    rows->n_values = 1 + (source->width == 1 ? 40 : 3);
    pieces.code = context_allocate(context, rows->n, rows->width);
    if (pieces.code == NULL)
        return DEDPUL_NO_MEMORY;
    rows->code = pieces.code;
    TRY(parallel_for(context, rows->width, encode, &pieces));
    TRY(deal(context, n_folds, rows));
    struct round round = {.rows = rows, .c = 0.5};
    for (int i = 0; i < ROUNDS; i++) {
        double sum = 0;
        TRY(parallel_for(context, n_folds, bound_of_fold, &round));
        for (unsigned fold = 0; fold < n_folds; fold++)
            sum += round.bound[fold];
        round.c = fmax(sum / n_folds, pieces.total[1] / (pieces.total[0] + pieces.total[1]));
    }
    *alpha = fmin(1, pieces.total[1] / pieces.total[0] * (1 - round.c) / round.c);
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status alpha_of_features(struct context *context, const struct problem *problem,
                                       const struct mixture *mixture, struct proportion *proportion)
{
    (void)mixture;
    proportion->rule = RULE_FORMULA;
    return alpha_of_rows(context, problem->features, &proportion->alpha);
}

/* Appends the rows of a sample. */
static void append(const struct sample *sample, unsigned char label, size_t *n, float *x,
                   unsigned char *labels, double *weight)
{
    for (size_t i = 0; i < sample->n; i++, ++*n) {
        x[*n] = (float)sample->score[i];
        labels[*n] = label;
        weight[*n] = weight_at(sample->weight, i);
    }
}

static dedpul_status alpha_of_scores(struct context *context, const struct problem *problem,
                                     const struct mixture *mixture, struct proportion *proportion)
{
    struct block *mark = context_mark(context);
    const struct sample *p = problem->p, *u = problem->u;
    float *x = context_allocate(context, p->n + u->n, sizeof *x);
    unsigned char *label = context_allocate(context, p->n + u->n, 1);
    double *weight = context_allocate(context, p->n + u->n, sizeof *weight);
    size_t n = 0;
    (void)mixture;
    if (x == NULL || label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    append(p, 1, &n, x, label, weight);
    append(u, 0, &n, x, label, weight);
    const bool has_weights = p->weight != NULL || u->weight != NULL;
    const struct feature_rows rows = {n, 1, x, label, has_weights ? weight : NULL};
    TRY(alpha_of_rows(context, &rows, &proportion->alpha));
    proportion->rule = RULE_FORMULA;
    context_release(context, mark);
    return DEDPUL_OK;
}

const struct estimator estimator_tice = {
    .name = "tice",
    .summary = "trees on the features look for rows that are all positive (TIcE)",
    .needs_features = true,
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_features,
};

const struct estimator estimator_ntc_tice = {
    .name = "ntc_tice",
    .summary = "TIcE on the scores",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_scores,
};
