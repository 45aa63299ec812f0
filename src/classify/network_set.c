#include "network_set.h"

#include "balance.h"
#include "deck.h"
#include "half.h"
#include "logistic.h"
#include "parallel.h"
#include "sort.h"
#include "vectorized.h"

#include <math.h>
#include <string.h>

/* A network that is being trained. */
struct trainee {
    struct rng rng;
    struct deck deck[2]; /* by class */
    size_t steps;        /* taken so far */
};

/* Arrays over members hold one member after the other, so that batched products can run over all of them. */
struct network_set {
    const struct training *training;
    struct net_shape shape;
    double rate;
    size_t n_parameters, n_running, n_folded;
    float *parameter, *moment_1, *moment_2; /* (n_members, n_parameters) */
    float *running;                         /* (n_members, n_running) */
    float *current, *kept;   /* (n_members, n_folded) at the last `watch`, and to finish with */
    struct trainee *trainee; /* (n_members) */
    const bool *active;      /* of the present call */
};

struct schedule network_schedule(const struct training_settings *settings, unsigned partitions)
{
    const struct network_settings *network = &settings->network;
    return (struct schedule){network->min_epochs, network->epochs, network->patience, partitions};
}

/* ---- creation ---- */

static dedpul_status start_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    struct trainee *trainee = &set->trainee[m];
    rng_init(&trainee->rng, context->seed, rng_stream(STREAM_NETWORK, m));
    trainee->steps = 0;
    net_start(&set->shape, &trainee->rng, set->parameter + m * set->n_parameters,
              set->running + m * set->n_running);
    memset(set->moment_1 + m * set->n_parameters, 0, set->n_parameters * sizeof(float));
    memset(set->moment_2 + m * set->n_parameters, 0, set->n_parameters * sizeof(float));
    return DEDPUL_OK;
}

dedpul_status network_create(struct context *context, const struct training *training,
                             const struct net_shape *shape, double rate, void **result)
{
    const size_t members = training->n_members;
    struct network_set *set = context_allocate(context, 1, sizeof *set);
    if (set == NULL)
        return DEDPUL_NO_MEMORY;
    *set = (struct network_set){.training = training, .shape = *shape, .rate = rate};
    set->n_parameters = net_parameters(shape);
    set->n_running = net_running(shape);
    set->n_folded = net_folded(shape);
    set->parameter = context_allocate(context, members * set->n_parameters, sizeof(float));
    set->moment_1 = context_allocate(context, members * set->n_parameters, sizeof(float));
    set->moment_2 = context_allocate(context, members * set->n_parameters, sizeof(float));
    set->running = context_allocate(context, members * set->n_running, sizeof(float));
    set->current = context_allocate(context, members * set->n_folded, sizeof(float));
    set->kept = context_allocate(context, members * set->n_folded, sizeof(float));
    set->trainee = context_allocate(context, members, sizeof *set->trainee);
    if (set->parameter == NULL || set->moment_1 == NULL || set->moment_2 == NULL || set->running == NULL ||
        set->current == NULL || set->kept == NULL || set->trainee == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t m = 0; m < members; m++) {
        struct balance balance; /* not used: batches are balanced. The call refuses a missing class */
        TRY(balance_member(context, training, m, &balance));
        for (unsigned char label = 0; label < 2; label++)
            TRY(deck_init(context, training->examples, &training->member[m], label,
                          &set->trainee[m].deck[label]));
    }
    *result = set;
    return parallel_for(context, members, start_network, set);
}

/* ---- training ---- */

/* Adam (Kingma and Ba, 2015), with the weight decay added to the gradient. */
VECTORIZED static void adam(size_t n, float *parameter, const float *gradient, float *moment_1,
                            float *moment_2, double rate, double decay, size_t step)
{
    const double beta_1 = 0.9, beta_2 = 0.999;
    const float keep_1 = (float)beta_1, keep_2 = (float)beta_2, epsilon = 1e-8F, l2 = (float)decay;
    /*
     * Numbers that only decay, such as weights of a unit that is never active, would become subnormal, which
     * makes all operations on them slow. So tiny ones become 0.
     */
    const float negligible = 1e-12F, tiny = 1e-30F;
    /* The paper's corrections for moments that start at 0. */
    const float scaled_rate = (float)(rate / (1 - pow(beta_1, (double)step)));
    const float correction = (float)(1 / sqrt(1 - pow(beta_2, (double)step)));
    for (size_t i = 0; i < n; i++) {
        const float g = gradient[i] + l2 * parameter[i];
        const float mean = keep_1 * moment_1[i] + (1 - keep_1) * g;
        const float square = keep_2 * moment_2[i] + (1 - keep_2) * g * g;
        moment_1[i] = fabsf(mean) < tiny ? 0 : mean;
        moment_2[i] = square < tiny ? 0 : square;
        const float next =
            parameter[i] - scaled_rate * moment_1[i] / (sqrtf(moment_2[i]) * correction + epsilon);
        parameter[i] = fabsf(next) < negligible ? 0 : next;
    }
}

/*
 * An epoch is a pass over the smaller class, but not a long one. What matters is the number of steps, not of
 * passes: the loss is near its lowest after some thousand of them, whatever the size of the table. The
 * published rule, by which each member stops on its own, has whole passes.
 */
static size_t steps_per_epoch(const struct training_settings *settings, double n_1, double n_0)
{
    const double pass = fmin(n_1, n_0) / settings->network.batch;
    const double most = settings->stopping == STOPPING_EACH ? INFINITY : 200;
    return (size_t)fmax(fmin(pass, most), fmax(settings->network.epoch_steps, 1));
}

static dedpul_status score_rows(struct context *context, const struct network_set *set, const float *folded,
                                size_t n, const uint32_t *row, double *logit)
{
    struct block *mark = context_mark(context);
    const struct examples *examples = set->training->examples;
    enum { PIECE = 1024 };
    float *x = context_allocate(context, (n < PIECE ? n : PIECE) * examples->width, sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t begin = 0; begin < n; begin += PIECE) {
        const size_t rows = n - begin < PIECE ? n - begin : PIECE;
        examples_gather(examples, rows, row + begin, x);
        TRY(net_score(context, &set->shape, folded, rows, x, logit + begin));
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/*
 * CVIR: draws wanted / (1 - alpha) rows and leaves out the share alpha that looks most positive to the
 * network as it was at the last `watch`, so that the number wanted is left.
 */
static dedpul_status draw_least_positive(struct context *context, const struct network_set *set, size_t m,
                                         size_t wanted, uint32_t *row)
{
    struct block *mark = context_mark(context);
    const double most = 0.98, alpha = fmin(set->training->risk->alpha, most);
    const size_t n = (size_t)ceil((double)wanted / (1 - alpha));
    struct trainee *trainee = &set->trainee[m];
    uint32_t *drawn = context_allocate(context, n, sizeof *drawn);
    uint32_t *order = context_allocate(context, n, sizeof *order);
    double *logit = context_allocate(context, n, sizeof *logit);
    bool *is_left = context_allocate(context, n, sizeof *is_left);
    if (drawn == NULL || order == NULL || logit == NULL || is_left == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        drawn[i] = deck_draw(&trainee->deck[0], &trainee->rng);
        order[i] = (uint32_t)i;
    }
    TRY(score_rows(context, set, set->current + m * set->n_folded, n, drawn, logit));
    TRY(sort_numbers(context, n, logit, order));
    for (size_t i = 0; i < n; i++)
        is_left[order[i]] = i < wanted;
    for (size_t i = 0, k = 0; i < n; i++) /* in the order drawn: batches must not be sorted by logit */
        if (is_left[i])
            row[k++] = drawn[i];
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Draws the rows of one class for all steps of an epoch. */
static dedpul_status draw_rows(struct context *context, const struct network_set *set, size_t m, int label,
                               size_t n, uint32_t *row)
{
    const struct risk *risk = set->training->risk;
    struct trainee *trainee = &set->trainee[m];
    deck_restart(&trainee->deck[label]);
    if (risk->kind == RISK_CVIR && risk->alpha > 0 && label == 0)
        return draw_least_positive(context, set, m, n, row);
    for (size_t i = 0; i < n; i++)
        row[i] = deck_draw(&trainee->deck[label], &trainee->rng);
    return DEDPUL_OK;
}

static dedpul_status advance_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    struct trainee *trainee = &set->trainee[m];
    const struct examples *examples = set->training->examples;
    const struct network_settings *settings = &set->training->settings->network;
    if (!set->active[m])
        return DEDPUL_OK;
    const size_t steps =
        steps_per_epoch(set->training->settings, deck_size(&trainee->deck[1]), deck_size(&trainee->deck[0]));
    size_t n[2];
    uint32_t *row[2];
    for (int label = 1; label >= 0; label--) {
        n[label] = trainee->deck[label].n < settings->batch ? trainee->deck[label].n : settings->batch;
        row[label] = context_allocate(context, steps * n[label], sizeof **row);
        if (row[label] == NULL)
            return DEDPUL_NO_MEMORY;
        TRY(draw_rows(context, set, m, label, steps * n[label], row[label]));
    }
    float *parameter = set->parameter + m * set->n_parameters, *running = set->running + m * set->n_running;
    float *gradient = context_allocate(context, set->n_parameters, sizeof *gradient);
    float *slope = context_allocate(context, n[1] + n[0], sizeof *slope);
    struct net_step step;
    if (gradient == NULL || slope == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(net_step_init(context, &set->shape, n[1] + n[0], &step));
    for (size_t i = 0; i < steps; i++) {
        examples_gather(examples, n[1], row[1] + i * n[1], step.input[0]);
        examples_gather(examples, n[0], row[0] + i * n[0], step.input[0] + n[1] * examples->width);
        const uint64_t noise = (uint64_t)rng_next(&trainee->rng) << 32 | rng_next(&trainee->rng);
        net_forward(&step, noise, parameter, running);
        risk_slope(set->training->risk, n[1], n[0], step.logit, slope);
        net_backward(&step, parameter, slope, gradient);
        adam(set->n_parameters, parameter, gradient, set->moment_1 + m * set->n_parameters,
             set->moment_2 + m * set->n_parameters, set->rate, settings->decay, ++trainee->steps);
    }
    return DEDPUL_OK;
}

dedpul_status network_advance(struct context *context, void *argument, const bool *active)
{
    struct network_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, advance_network, set);
}

static dedpul_status watch_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    const struct member *member = &set->training->member[m];
    float *folded = set->current + m * set->n_folded;
    if (!set->active[m])
        return DEDPUL_OK;
    net_fold(&set->shape, set->parameter + m * set->n_parameters, set->running + m * set->n_running, folded);
    return score_rows(context, set, folded, member->n_watched, member->watched, member->logit);
}

dedpul_status network_watch(struct context *context, void *argument, const bool *active)
{
    struct network_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, watch_network, set);
}

dedpul_status network_keep(struct context *context, void *argument, const bool *which)
{
    struct network_set *set = argument;
    (void)context;
    for (size_t m = 0; m < set->training->n_members; m++)
        if (which[m])
            memcpy(set->kept + m * set->n_folded, set->current + m * set->n_folded,
                   set->n_folded * sizeof(float));
    return DEDPUL_OK;
}

/* There is nothing to free: the set is in the context's memory. */
void network_destroy(void *set)
{
    (void)set;
}

/*
 * What all members do in an epoch: multiplications and additions of forward and backward passes (6 per
 * product), and of forward passes (2 per product) over watched rows.
 */
struct epoch_work {
    double steps, operations;
};

static struct epoch_work work_of_epoch(const struct examples *examples,
                                       const struct training_settings *settings,
                                       const struct net_shape *shape, unsigned partitions)
{
    double n[2] = {0, 0};
    for (size_t i = 0; i < examples->n; i++)
        n[examples->label[i]]++;
    const double products = (double)net_products(shape), members = partitions * settings->folds;
    const double steps = members * (double)steps_per_epoch(settings, n[1], n[0]);
    const double trained = steps * 2 * settings->network.batch;
    const double watched = partitions * (fmin(n[0], MOST_WATCHED) + fmin(n[1], MOST_WATCHED));
    return (struct epoch_work){steps, products * (6 * trained + 2 * watched)};
}

/* Counts at most 100 epochs, which few tables exceed, and scoring all rows. */
double network_work(const struct examples *examples, const struct training_settings *settings,
                    const struct net_shape *shape, unsigned partitions)
{
    const double epochs = settings->network.epochs < 100 ? settings->network.epochs : 100;
    return epochs * work_of_epoch(examples, settings, shape, partitions).operations +
           partitions * (double)examples->n_rows * 2 * (double)net_products(shape);
}

/* Products of narrow layers take next to no time; what a step does else does. */
struct training_time network_time(const struct examples *examples, const struct training_settings *settings,
                                  const struct net_shape *shape, unsigned partitions)
{
    const double layer_seconds = 2e-5, operations_per_second = 5e10;
    const struct epoch_work work = work_of_epoch(examples, settings, shape, partitions);
    return (struct training_time){.epoch = work.steps * (double)shape->n_layers * layer_seconds +
                                           work.operations / operations_per_second,
                                  .epochs = 50,
                                  .by_fall = 1.25};
}

/* ---- trained networks ---- */

/* Allocates a network with room for its parameters. Returns NULL if memory runs out. */
static struct network *allocate(struct context *context, const struct net_shape *shape, struct arena *memory)
{
    struct network *network = context_allocate_in(context, memory, 1, sizeof *network);
    if (network == NULL)
        return NULL;
    network->shape = *shape;
    network->folded = context_allocate_in(context, memory, net_folded(shape), sizeof(float));
    return network->folded != NULL ? network : NULL;
}

/* Rounds to half precision. Returns whether all numbers are in its range. */
static bool round_to_half(size_t n, const float *value, float *rounded)
{
    bool is_finite = true;
    for (size_t i = 0; i < n; i++) {
        rounded[i] = float_of_half(half_of_float(value[i]));
        is_finite = is_finite && isfinite(rounded[i]);
    }
    return is_finite;
}

/* Tells whether two networks score the watched rows of a member alike. */
static dedpul_status score_alike(struct context *context, const struct network_set *set, size_t m,
                                 const float *folded, const float *other, bool *alike)
{
    struct block *mark = context_mark(context);
    const struct member *member = &set->training->member[m];
    const double tolerance = 1e-3;
    double *logit = context_allocate(context, member->n_watched, 2 * sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    double *const other_logit = logit + member->n_watched;
    TRY(score_rows(context, set, folded, member->n_watched, member->watched, logit));
    TRY(score_rows(context, set, other, member->n_watched, member->watched, other_logit));
    *alike = true;
    for (size_t i = 0; i < member->n_watched; i++)
        *alike = *alike && fabs(sigmoid(logit[i]) - sigmoid(other_logit[i])) <= tolerance;
    context_release(context, mark);
    return DEDPUL_OK;
}

/*
 * A network is rounded here, before it scores any row of the fit, so that a model gives the same scores from
 * its file as from memory.
 */
dedpul_status network_finish(struct context *context, void *argument, size_t member, struct arena *memory,
                             void **model)
{
    struct network_set *set = argument;
    struct network *network = allocate(context, &set->shape, memory);
    if (network == NULL)
        return DEDPUL_NO_MEMORY;
    const float *kept = set->kept + member * set->n_folded;
    network->is_half = round_to_half(set->n_folded, kept, network->folded);
    if (network->is_half)
        TRY(score_alike(context, set, member, kept, network->folded, &network->is_half));
    if (!network->is_half)
        memcpy(network->folded, kept, set->n_folded * sizeof *kept);
    *model = network;
    return DEDPUL_OK;
}

enum { HALF_BITS = 16, SINGLE_BITS = 32 };

dedpul_status network_save(const struct network *network, struct bytes *bytes)
{
    const size_t n = net_folded(&network->shape);
    bytes_put_u32(bytes, network->is_half ? HALF_BITS : SINGLE_BITS);
    if (network->is_half)
        bytes_put_f16s(bytes, n, network->folded);
    else
        bytes_put_f32s(bytes, n, network->folded);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

dedpul_status network_load(struct context *context, const struct loading *loading,
                           const struct net_shape *shape, struct bytes_reader *bytes, struct arena *memory,
                           void **model)
{
    const size_t n = net_folded(shape);
    const uint32_t bits = loading->only_singles ? SINGLE_BITS : bytes_get_u32(bytes);
    bytes->failed =
        bytes->failed || (bits != HALF_BITS && bits != SINGLE_BITS) || n > bytes->size / (bits / 8);
    if (bytes->failed)
        return DEDPUL_OK;
    struct network *network = allocate(context, shape, memory);
    if (network == NULL)
        return DEDPUL_NO_MEMORY;
    network->is_half = bits == HALF_BITS;
    if (network->is_half)
        bytes_get_f16s(bytes, n, network->folded);
    else
        bytes_get_f32s(bytes, n, network->folded);
    for (size_t i = 0; i < n; i++)
        bytes->failed = bytes->failed || !isfinite(network->folded[i]);
    *model = network;
    return DEDPUL_OK;
}

dedpul_status network_score(struct context *context, const void *model, size_t n, const float *x,
                            double *logit)
{
    const struct network *network = model;
    return net_score(context, &network->shape, network->folded, n, x, logit);
}

void network_close(void *model)
{
    (void)model;
}
