/* Networks, and logistic regression as a network without hidden layers. */
#include "balance.h"
#include "deck.h"
#include "layers.h"
#include "net.h"
#include "parallel.h"
#include "vectorized.h"

#include <math.h>
#include <string.h>

struct network {
    struct rng rng;
    struct deck deck[2]; /* by class */
    size_t steps;        /* taken so far */
};

/* Arrays over members lie one member after the other, so that batched products can run over all of them. */
struct network_set {
    const struct training *training;
    struct net_shape shape;
    double rate;
    size_t n_parameters, n_running, n_folded;
    float *parameter, *moment_1, *moment_2; /* (n_members, n_parameters) */
    float *running;                         /* (n_members, n_running) */
    float *current, *kept;   /* (n_members, n_folded) at the last `watch`, and to finish with */
    struct network *network; /* (n_members) */
    const bool *active;      /* of the present call */
};

static struct schedule schedule(const struct examples *examples, const dedpul_fit_options *options)
{
    (void)examples;
    return (struct schedule){options->min_epochs, options->epochs, options->patience, options->ensemble};
}

/* ---- creation ---- */

static dedpul_status start_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    struct network *network = &set->network[m];
    rng_init(&network->rng, context->seed, rng_stream(STREAM_NETWORK, m));
    network->steps = 0;
    net_start(&set->shape, &network->rng, set->parameter + m * set->n_parameters,
              set->running + m * set->n_running);
    memset(set->moment_1 + m * set->n_parameters, 0, set->n_parameters * sizeof(float));
    memset(set->moment_2 + m * set->n_parameters, 0, set->n_parameters * sizeof(float));
    return DEDPUL_OK;
}

static dedpul_status create(struct context *context, const struct training *training,
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
    set->network = context_allocate(context, members, sizeof *set->network);
    if (set->parameter == NULL || set->moment_1 == NULL || set->moment_2 == NULL || set->running == NULL ||
        set->current == NULL || set->kept == NULL || set->network == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t m = 0; m < members; m++) {
        struct balance balance; /* batches are balanced already: only to refuse a class that is missing */
        TRY(balance_member(context, training, m, &balance));
        for (unsigned char label = 0; label < 2; label++)
            TRY(deck_init(context, training->examples, &training->member[m], label,
                          &set->network[m].deck[label]));
    }
    *result = set;
    return parallel_for(context, members, start_network, set);
}

static dedpul_status mlp_create(struct context *context, const struct training *training, void **set)
{
    const dedpul_fit_options *options = training->options;
    struct net_shape shape = {.batch_norm = options->batch_norm != 0, .dropout = options->dropout};
    shape.width[0] = training->examples->width;
    TRY(layers_read(options->layers, &shape, context->error));
    return create(context, training, &shape, isnan(options->rate) ? 1e-4 : options->rate, set);
}

static dedpul_status logistic_create(struct context *context, const struct training *training, void **set)
{
    const struct net_shape shape = {.n_layers = 1, .width = {training->examples->width, 1}};
    const double rate = training->options->rate;
    return create(context, training, &shape, isnan(rate) ? 1e-2 : rate, set);
}

/* ---- training ---- */

/* Adam (Kingma and Ba, 2015), with the decay added to the gradient. */
VECTORIZED static void adam(size_t n, float *parameter, const float *gradient, float *moment_1,
                            float *moment_2, double rate, double decay, size_t step)
{
    const double beta_1 = 0.9, beta_2 = 0.999;
    const float keep_1 = (float)beta_1, keep_2 = (float)beta_2, epsilon = 1e-8F, l2 = (float)decay;
    /* What only decays, such as the weights of a unit that is never active, would end in slow subnormals. */
    const float negligible = 1e-12F, tiny = 1e-30F;
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

static size_t batch_rows(const struct network_set *set, const struct deck *deck)
{
    const size_t batch = set->training->options->batch;
    return deck->n < batch ? deck->n : batch;
}

/* Draws a batch into the network's input: class 1 first. */
static void draw_batch(const struct network_set *set, struct network *network, struct net_step *step)
{
    const struct examples *examples = set->training->examples;
    float *to = step->input[0];
    for (int label = 1; label >= 0; label--)
        for (size_t i = batch_rows(set, &network->deck[label]); i > 0; i--) {
            const size_t row = deck_draw(&network->deck[label], &network->rng);
            memcpy(to, examples->x + row * examples->width, examples->width * sizeof *to);
            to += examples->width;
        }
}

/* Slope of (mean of -log y over class 1 + mean of -log(1 - y) over class 0) / 2 by the logits. */
static void loss_slope(size_t n_1, size_t n_0, const float *logit, float *slope)
{
    for (size_t i = 0; i < n_1; i++)
        slope[i] = -0.5F / (float)n_1 / (1 + expf(logit[i]));
    for (size_t i = n_1; i < n_1 + n_0; i++)
        slope[i] = 0.5F / (float)n_0 / (1 + expf(-logit[i]));
}

static size_t steps_per_epoch(const dedpul_fit_options *options, double n_1, double n_0)
{
    const size_t steps = (size_t)(fmin(n_1, n_0) / options->batch);
    const size_t fewest = options->epoch_steps > 0 ? options->epoch_steps : 1;
    return steps > fewest ? steps : fewest;
}

static dedpul_status advance_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    struct network *network = &set->network[m];
    const dedpul_fit_options *options = set->training->options;
    if (!set->active[m])
        return DEDPUL_OK;
    const size_t n_1 = batch_rows(set, &network->deck[1]), n_0 = batch_rows(set, &network->deck[0]);
    float *parameter = set->parameter + m * set->n_parameters, *running = set->running + m * set->n_running;
    float *gradient = context_allocate(context, set->n_parameters, sizeof *gradient);
    float *slope = context_allocate(context, n_1 + n_0, sizeof *slope);
    struct net_step step;
    if (gradient == NULL || slope == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(net_step_init(context, &set->shape, n_1 + n_0, &step));
    deck_restart(&network->deck[0]);
    deck_restart(&network->deck[1]);
    const size_t steps = steps_per_epoch(options, deck_size(&network->deck[1]), deck_size(&network->deck[0]));
    for (size_t i = 0; i < steps; i++) {
        draw_batch(set, network, &step);
        const uint64_t noise = (uint64_t)rng_next(&network->rng) << 32 | rng_next(&network->rng);
        net_forward(&step, noise, parameter, running);
        loss_slope(n_1, n_0, step.logit, slope);
        net_backward(&step, parameter, slope, gradient);
        adam(set->n_parameters, parameter, gradient, set->moment_1 + m * set->n_parameters,
             set->moment_2 + m * set->n_parameters, set->rate, options->decay, ++network->steps);
    }
    return DEDPUL_OK;
}

static dedpul_status advance(struct context *context, void *argument, const bool *active)
{
    struct network_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, advance_network, set);
}

static dedpul_status watch_network(struct context *context, void *argument, size_t m)
{
    struct network_set *set = argument;
    const struct member *member = &set->training->member[m];
    const struct examples *examples = set->training->examples;
    float *folded = set->current + m * set->n_folded;
    enum { PIECE = 1024 };
    if (!set->active[m])
        return DEDPUL_OK;
    net_fold(&set->shape, set->parameter + m * set->n_parameters, set->running + m * set->n_running, folded);
    float *x = context_allocate(context, PIECE * examples->width, sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t begin = 0; begin < member->n_watched; begin += PIECE) {
        const size_t n = member->n_watched - begin < PIECE ? member->n_watched - begin : PIECE;
        examples_gather(examples, n, member->watched + begin, x);
        TRY(net_score(context, &set->shape, folded, n, x, member->logit + begin));
    }
    return DEDPUL_OK;
}

static dedpul_status watch(struct context *context, void *argument, const bool *active)
{
    struct network_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, watch_network, set);
}

static dedpul_status keep(struct context *context, void *argument, const bool *which)
{
    struct network_set *set = argument;
    (void)context;
    for (size_t m = 0; m < set->training->n_members; m++)
        if (which[m])
            memcpy(set->kept + m * set->n_folded, set->current + m * set->n_folded,
                   set->n_folded * sizeof(float));
    return DEDPUL_OK;
}

/* Its memory is the context's. */
static void destroy(void *set)
{
    (void)set;
}

/*
 * Roughly: multiplications and additions of forward and backward passes in 100 epochs, which few tables
 * need, over all networks, and of the forward passes over watched rows.
 */
static double mlp_work(const struct examples *examples, const dedpul_fit_options *options)
{
    struct net_shape shape = {.width = {examples->width}};
    double n[2] = {0, 0};
    if (layers_read(options->layers, &shape, NULL) != DEDPUL_OK)
        return 0;
    for (size_t i = 0; i < examples->n; i++)
        n[examples->label[i]]++;
    const double typical_epochs = options->epochs < 100 ? options->epochs : 100;
    const double parameters = (double)net_folded(&shape), members = options->ensemble * options->folds;
    const double steps = (double)steps_per_epoch(options, n[1], n[0]);
    const double trained = members * steps * 2 * options->batch;
    const double watched = options->ensemble * (fmin(n[0], MOST_WATCHED) + fmin(n[1], MOST_WATCHED));
    return typical_epochs * parameters * (6 * trained + 2 * watched) +
           options->ensemble * (double)examples->n_rows * 2 * parameters;
}

/* ---- trained networks ---- */

struct trained {
    struct net_shape shape;
    float *folded;
};

static struct trained *trained_create(struct context *memory, const struct net_shape *shape)
{
    struct trained *trained = context_allocate(memory, 1, sizeof *trained);
    if (trained == NULL)
        return NULL;
    trained->shape = *shape;
    trained->folded = context_allocate(memory, net_folded(shape), sizeof(float));
    return trained->folded != NULL ? trained : NULL;
}

static dedpul_status finish(struct context *context, void *argument, size_t member, struct context *memory,
                            void **model)
{
    struct network_set *set = argument;
    struct trained *trained = trained_create(memory, &set->shape);
    (void)context;
    if (trained == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(trained->folded, set->kept + member * set->n_folded, set->n_folded * sizeof(float));
    *model = trained;
    return DEDPUL_OK;
}

static dedpul_status score(struct context *context, const void *model, size_t n, const float *x,
                           double *logit)
{
    const struct trained *trained = model;
    return net_score(context, &trained->shape, trained->folded, n, x, logit);
}

static dedpul_status save(struct context *context, const void *model, struct bytes *bytes)
{
    const struct trained *trained = model;
    (void)context;
    bytes_put_u32(bytes, (uint32_t)trained->shape.n_layers);
    for (size_t l = 0; l < trained->shape.n_layers; l++)
        bytes_put_u64(bytes, trained->shape.width[l]);
    bytes_put_f32s(bytes, net_folded(&trained->shape), trained->folded);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

static dedpul_status load(struct context *memory, size_t width, const dedpul_classifier *plugin,
                          struct bytes_reader *bytes, void **model)
{
    struct net_shape shape = {.n_layers = bytes_get_u32(bytes)};
    (void)plugin;
    if (shape.n_layers == 0 || shape.n_layers > MOST_LAYERS)
        bytes->failed = true;
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        shape.width[l] = (size_t)bytes_get_u64(bytes);
    shape.width[bytes->failed ? 0 : shape.n_layers] = 1;
    /* Sizes that the bytes left can hold, so that a damaged file asks for no memory. */
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        if (shape.width[l] == 0 || shape.width[l] > bytes->size / sizeof(float) ||
            shape.width[l + 1] > bytes->size / sizeof(float) / shape.width[l])
            bytes->failed = true;
    if (bytes->failed || shape.width[0] != width || net_folded(&shape) > bytes->size / sizeof(float)) {
        bytes->failed = true;
        return DEDPUL_OK;
    }
    struct trained *trained = trained_create(memory, &shape);
    if (trained == NULL)
        return DEDPUL_NO_MEMORY;
    bytes_get_f32s(bytes, net_folded(&shape), trained->folded);
    *model = trained;
    return DEDPUL_OK;
}

static void close_network(void *model)
{
    (void)model;
}

#define NETWORK_FUNCTIONS                                                                     \
    .schedule = schedule, .advance = advance, .watch = watch, .keep = keep, .finish = finish, \
    .destroy = destroy, .score = score, .save = save, .load = load, .close = close_network

const struct classifier classifier_mlp = {
    .name = "mlp",
    .summary = "networks with batch norm and dropout",
    .work = mlp_work,
    .create = mlp_create,
    NETWORK_FUNCTIONS,
};

const struct classifier classifier_logistic = {
    .name = "logistic",
    .summary = "logistic regression",
    .create = logistic_create,
    NETWORK_FUNCTIONS,
};
