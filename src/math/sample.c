#include "sample.h"

#include "logistic.h"
#include "parallel.h"
#include "sort.h"
#include "weighted.h"

/* Copies values, weights and places of the rows that count, in input order. Returns their number. */
static size_t gather(const struct scored_rows *rows, const unsigned char *label, unsigned char wanted,
                     double *value, struct sample *sample)
{
    const double *from = rows->score != NULL ? rows->score : rows->logit;
    const double least = least_weight(rows->n, rows->weight, label, wanted);
    size_t n = 0;
    uint32_t place = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (label != NULL && label[i] != wanted)
            continue;
        const double weight = weight_at(rows->weight, i);
        if (weight > 0 && weight >= least) {
            value[n] = from[i] + 0.0; /* no -0.0 */
            sample->row[n] = place;
            if (sample->weight != NULL)
                sample->weight[place] = weight;
            if (rows->square != NULL)
                sample->squares += rows->square[i];
            n++;
        }
        place++;
    }
    return n;
}

static size_t count_label(const struct scored_rows *rows, const unsigned char *label, unsigned char wanted)
{
    size_t n = 0;
    for (size_t i = 0; label != NULL && i < rows->n; i++)
        n += label[i] == wanted;
    return label != NULL ? n : rows->n;
}

/* Fills the groups of the sample's rows. */
static dedpul_status find_groups(struct context *context, const struct scored_rows *rows,
                                 const unsigned char *label, unsigned char wanted, struct sample *sample)
{
    sample->n_groups = rows->groups->n;
    sample->group = context_allocate(context, sample->n, sizeof *sample->group);
    struct block *mark = context_mark(context);
    uint32_t *by_place = context_allocate(context, sample->n_rows, sizeof *by_place);
    size_t place = 0;
    if (sample->group == NULL || by_place == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n; i++)
        if (label == NULL || label[i] == wanted)
            by_place[place++] = rows->groups->of_row[i];
    for (size_t i = 0; i < sample->n; i++)
        sample->group[i] = by_place[sample->row[i]];
    TRY(design_excess(context, sample->n, sample_values(sample), sample->n_groups, sample->group,
                      &sample->excess));
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status sample_sort(struct context *context, const struct scored_rows *rows, const unsigned char *label,
                          unsigned char wanted, struct sample *sample)
{
    const size_t most = count_label(rows, label, wanted);
    *sample = (struct sample){.n_rows = most};
    double *value = context_allocate(context, most, sizeof *value);
    sample->row = context_allocate(context, most, sizeof *sample->row);
    if (value == NULL || sample->row == NULL)
        return DEDPUL_NO_MEMORY;
    *(rows->score != NULL ? &sample->score : &sample->logit) = value;
    double *sorted_weight = NULL;
    if (rows->weight != NULL) {
        sorted_weight = context_allocate(context, most, sizeof *sorted_weight);
        if (sorted_weight == NULL)
            return DEDPUL_NO_MEMORY;
    }
    struct block *mark = context_mark(context);
    if (rows->weight != NULL) {
        sample->weight = context_allocate(context, most, sizeof *sample->weight);
        if (sample->weight == NULL)
            return DEDPUL_NO_MEMORY;
    }
    sample->n = gather(rows, label, wanted, value, sample);
    TRY(rows->score != NULL ? sort_with_rows(context, sample->n, value, sample->row)
                            : sort_numbers(context, sample->n, value, sample->row));
    for (size_t i = 0; sorted_weight != NULL && i < sample->n; i++)
        sorted_weight[i] = sample->weight[sample->row[i]];
    context_release(context, mark);
    sample->weight = sorted_weight;
    sample->total = weighted_total(sample->n, sample->weight);
    return rows->groups != NULL ? find_groups(context, rows, label, wanted, sample) : DEDPUL_OK;
}

dedpul_status sample_allocate(struct context *context, size_t n, bool has_weights, struct sample *sample)
{
    *sample = (struct sample){
        .score = context_allocate(context, n, sizeof *sample->score),
        .logit = context_allocate(context, n, sizeof *sample->logit),
        .weight = has_weights ? context_allocate(context, n, sizeof *sample->weight) : NULL,
    };
    if (sample->score == NULL || sample->logit == NULL || (has_weights && sample->weight == NULL))
        return DEDPUL_NO_MEMORY;
    return DEDPUL_OK;
}

/* The smallest distance of a score strictly inside (0, 1) to 0 or 1, or `nearest` if that is smaller. */
static double nearest_to_bounds(const struct sample *sample, double nearest)
{
    size_t low = 0, high = sample->n;
    while (low < high && sample->score[low] <= 0)
        low++;
    while (high > low && sample->score[high - 1] >= 1)
        high--;
    if (low < high) {
        nearest = fmin(nearest, sample->score[low]);
        nearest = fmin(nearest, 1 - sample->score[high - 1]);
    }
    return nearest;
}

static void clip(struct sample *sample, double margin)
{
    for (size_t i = 0; i < sample->n && sample->score[i] < margin; i++)
        sample->score[i] = margin;
    for (size_t i = sample->n; i > 0 && sample->score[i - 1] > 1 - margin; i--)
        sample->score[i - 1] = 1 - margin;
}

/*
 * Fills the logits of one chunk. The running maximum keeps them ascending: rounding in log may swap the
 * logits of two neighbouring scores by a unit in the last place.
 */
static dedpul_status fill_logits(struct context *context, void *argument, size_t index)
{
    const struct sample *sample = argument;
    const size_t begin = index * PARALLEL_CHUNK, end = parallel_chunk_end(sample->n, index);
    double highest = begin > 0 ? logit_of(sample->score[begin - 1]) : -INFINITY;
    (void)context;
    for (size_t i = begin; i < end; i++) {
        highest = fmax(highest, logit_of(sample->score[i]));
        sample->logit[i] = highest;
    }
    return DEDPUL_OK;
}

static dedpul_status fill_from_scores(struct context *context, struct sample *sample, double margin)
{
    clip(sample, margin);
    sample->logit = context_allocate(context, sample->n, sizeof *sample->logit);
    if (sample->logit == NULL)
        return DEDPUL_NO_MEMORY;
    return parallel_for(context, parallel_chunks(sample->n), fill_logits, sample);
}

/* Fills the scores of one chunk. */
static dedpul_status fill_scores(struct context *context, void *argument, size_t index)
{
    const struct sample *sample = argument;
    const double largest = logit_of(1 - SMALLEST_SCORE);
    const size_t end = parallel_chunk_end(sample->n, index);
    (void)context;
    for (size_t i = index * PARALLEL_CHUNK; i < end; i++) {
        sample->logit[i] = fmin(fmax(sample->logit[i], -largest), largest);
        sample->score[i] = sigmoid(sample->logit[i]);
    }
    return DEDPUL_OK;
}

static dedpul_status fill_from_logits(struct context *context, struct sample *sample)
{
    sample->score = context_allocate(context, sample->n, sizeof *sample->score);
    if (sample->score == NULL)
        return DEDPUL_NO_MEMORY;
    return parallel_for(context, parallel_chunks(sample->n), fill_scores, sample);
}

dedpul_status samples_transform(struct context *context, struct sample *p, struct sample *u)
{
    if (p->score == NULL) {
        TRY(fill_from_logits(context, p));
        return fill_from_logits(context, u);
    }
    const double nearest = nearest_to_bounds(p, nearest_to_bounds(u, INFINITY));
    const double margin = isinf(nearest) ? 1e-3 : fmax(SMALLEST_SCORE, nearest / 2);
    TRY(fill_from_scores(context, p, margin));
    return fill_from_scores(context, u, margin);
}

double samples_lowest(const struct sample *p, const struct sample *u)
{
    return fmin(p->logit[0], u->logit[0]);
}

double samples_highest(const struct sample *p, const struct sample *u)
{
    return fmax(p->logit[p->n - 1], u->logit[u->n - 1]);
}
