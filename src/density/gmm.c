/* Mixtures of Gaussians on the logit score, fitted by EM. */
#include "density.h"
#include "holdout.h"
#include "parallel.h"
#include "rng.h"
#include "weighted.h"

#include <math.h>

enum { COMPONENTS_P = 10, COMPONENTS_U = 20, MOST_COMPONENTS = 50, MOST_ROUNDS = 100, MOST_GROUPS = 4096 };

static const double variance_floor = 1e-6;
static const double least_gain = 1e-3; /* in the mean log-likelihood, per round */
static const double log_2_pi = 1.8378770664093453;

struct component {
    double share, mean, variance;
};

/*
 * EM does not read single rows but groups of neighbouring rows. Rows with the same logit share a group; in
 * large samples, groups are as large as it takes to have 4096 of about equal weight. A group counts with its
 * mean and the variance around it, so that the fitted moments are those of the rows.
 */
struct group {
    double weight, mean, variance;
};

struct groups {
    size_t n;
    struct group *group; /* (n) ascending means */
    double total;
};

static dedpul_status make_groups(struct context *context, const struct sample *sample, struct groups *groups)
{
    const double target = sample->n > MOST_GROUPS ? sample->total / MOST_GROUPS : 0;
    /* Two neighbouring groups together exceed the target, so there are at most about twice as many. */
    const size_t most = sample->n > MOST_GROUPS ? 2 * (size_t)MOST_GROUPS + 2 : sample->n;
    *groups = (struct groups){.total = sample->total};
    groups->group = context_allocate(context, most, sizeof *groups->group);
    if (groups->group == NULL)
        return DEDPUL_NO_MEMORY;
    struct group *open = NULL;
    double last = NAN;
    for (size_t i = 0; i < sample->n; i++) {
        const double logit = sample->logit[i], weight = weight_at(sample->weight, i);
        if (open == NULL || (logit != last && open->weight + weight > target)) {
            open = &groups->group[groups->n++];
            *open = (struct group){0, 0, 0};
        }
        /* Welford's update; variance holds the sum of squares until the end. */
        const double step = logit - open->mean;
        open->weight += weight;
        open->mean += step * weight / open->weight;
        open->variance += weight * step * (logit - open->mean);
        last = logit;
    }
    for (size_t g = 0; g < groups->n; g++)
        groups->group[g].variance /= groups->group[g].weight;
    return DEDPUL_OK;
}

/* k-means++: draws each next centre in proportion to its squared distance from the nearest centre. */
static void choose_centres(const struct groups *groups, struct rng *rng, size_t k,
                           double *distance /* (groups->n) */, struct component *component)
{
    for (size_t g = 0; g < groups->n; g++)
        distance[g] = 1;
    for (size_t c = 0; c < k; c++) {
        double total = 0;
        for (size_t g = 0; g < groups->n; g++)
            total += groups->group[g].weight * distance[g];
        double left = rng_uniform(rng) * total;
        size_t chosen = 0;
        for (size_t g = 0; g < groups->n && left >= 0; g++)
            if (distance[g] > 0) {
                chosen = g;
                left -= groups->group[g].weight * distance[g];
            }
        component[c].mean = groups->group[chosen].mean;
        for (size_t g = 0; g < groups->n; g++) {
            const double gap = groups->group[g].mean - component[c].mean;
            distance[g] = c == 0 ? gap * gap : fmin(distance[g], gap * gap);
        }
    }
}

/* Sums over groups, from which new components follow: weight, weight * mean, weight * square. */
struct moments {
    double weight, first, second;
};

static void moments_add(struct moments *moments, const struct group *group, double part)
{
    const double weight = group->weight * part;
    moments->weight += weight;
    moments->first += weight * group->mean;
    moments->second += weight * (group->mean * group->mean + group->variance);
}

static void update(const struct moments *moments, double total, size_t k, struct component *component)
{
    for (size_t c = 0; c < k; c++) {
        component[c].share = moments[c].weight / total;
        if (!(moments[c].weight > 0))
            continue; /* an empty component keeps its mean and variance, with a share of 0 */
        component[c].mean = moments[c].first / moments[c].weight;
        component[c].variance = fmax(variance_floor, moments[c].second / moments[c].weight -
                                                         component[c].mean * component[c].mean);
    }
}

/* The first components: each is made of the groups nearest to its centre. */
static void start(const struct groups *groups, size_t k, struct component *component)
{
    struct moments moments[MOST_COMPONENTS] = {{0, 0, 0}};
    for (size_t g = 0; g < groups->n; g++) {
        size_t nearest = 0;
        for (size_t c = 1; c < k; c++)
            if (fabs(groups->group[g].mean - component[c].mean) <
                fabs(groups->group[g].mean - component[nearest].mean))
                nearest = c;
        moments_add(&moments[nearest], &groups->group[g], 1);
    }
    for (size_t c = 0; c < k; c++)
        component[c].variance = variance_floor;
    update(moments, groups->total, k, component);
}

/* The part of log(share * density) of a component that does not depend on the point. */
static void fill_constants(size_t k, const struct component *component, double *constant)
{
    for (size_t c = 0; c < k; c++)
        constant[c] = log(component[c].share) - 0.5 * (log_2_pi + log(component[c].variance));
}

/*
 * Log density of a group: log sum_c part_c. The parts are divided by the largest of them, whose logarithm is
 * added at the end: otherwise all of them might underflow. `spread` is the variance around the mean.
 */
static double log_parts(size_t k, const struct component *component, const double *constant, double mean,
                        double spread, double *part /* (k) */, double *sum)
{
    double largest = -INFINITY;
    for (size_t c = 0; c < k; c++) {
        const double gap = mean - component[c].mean;
        part[c] = constant[c] - (gap * gap + spread) / (2 * component[c].variance);
        largest = fmax(largest, part[c]);
    }
    *sum = 0;
    for (size_t c = 0; c < k; c++) {
        part[c] = exp(part[c] - largest);
        *sum += part[c];
    }
    return largest + log(*sum);
}

static double mean_log_density(const struct groups *groups, size_t k, const struct component *component,
                               struct moments *moments)
{
    double constant[MOST_COMPONENTS], part[MOST_COMPONENTS];
    double log_likelihood = 0;
    fill_constants(k, component, constant);
    for (size_t c = 0; c < k; c++)
        moments[c] = (struct moments){0, 0, 0};
    for (size_t g = 0; g < groups->n; g++) {
        const struct group *group = &groups->group[g];
        double sum;
        log_likelihood +=
            group->weight * log_parts(k, component, constant, group->mean, group->variance, part, &sum);
        for (size_t c = 0; c < k; c++)
            moments_add(&moments[c], group, part[c] / sum);
    }
    return log_likelihood / groups->total;
}

struct mixture_state {
    size_t k;
    struct component component[MOST_COMPONENTS];
};

static dedpul_status fit_components(struct context *context, const struct groups *groups, uint64_t stream,
                                    size_t k, struct mixture_state *state)
{
    struct block *mark = context_mark(context);
    struct moments moments[MOST_COMPONENTS];
    struct rng rng;
    double *distance = context_allocate(context, groups->n, sizeof *distance);
    if (distance == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, context->seed, stream);
    state->k = k < groups->n ? k : groups->n; /* not more than distinct values */
    choose_centres(groups, &rng, state->k, distance, state->component);
    start(groups, state->k, state->component);
    double before = -INFINITY;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const double now = mean_log_density(groups, state->k, state->component, moments);
        if (now - before < least_gain)
            break;
        update(moments, groups->total, state->k, state->component);
        before = now;
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Starts at 2, because the folds use the random streams 0 and 1. */
static uint64_t stream_of(enum sample_role role)
{
    return 2 + (uint64_t)role;
}

static dedpul_status score_components(struct context *context, size_t candidate, const struct sample *train,
                                      const struct sample *test, double *log_likelihood)
{
    struct groups train_groups, test_groups;
    struct mixture_state state;
    struct moments moments[MOST_COMPONENTS];
    TRY(make_groups(context, train, &train_groups));
    TRY(make_groups(context, test, &test_groups));
    TRY(fit_components(context, &train_groups, stream_of(ROLE_P), candidate + 1, &state));
    *log_likelihood = test->total * mean_log_density(&test_groups, state.k, state.component, moments);
    return DEDPUL_OK;
}

static dedpul_status gmm_fit(struct context *context, const struct sample *sample,
                             const struct density_request *request, struct density *density)
{
    size_t k = request->role == ROLE_P ? COMPONENTS_P : COMPONENTS_U;
    struct mixture_state *state = context_allocate(context, 1, sizeof *state);
    struct groups groups;
    if (state == NULL)
        return DEDPUL_NO_MEMORY;
    if (request->bandwidth.rule == BANDWIDTH_AUTO) {
        size_t best;
        TRY(holdout_choose(context, sample, request->role, MOST_COMPONENTS, score_components, &best));
        k = best + 1;
    }
    struct block *mark = context_mark(context);
    TRY(make_groups(context, sample, &groups));
    TRY(fit_components(context, &groups, stream_of(request->role), k, state));
    context_release(context, mark);
    *density = (struct density){&density_gmm, (double)state->k, state};
    return DEDPUL_OK;
}

struct evaluation {
    const struct mixture_state *state;
    const struct sample *points;
    double *out;
};

static dedpul_status evaluate_chunk(struct context *context, void *argument, size_t index)
{
    const struct evaluation *evaluation = argument;
    const struct mixture_state *state = evaluation->state;
    const size_t end = parallel_chunk_end(evaluation->points->n, index);
    double constant[MOST_COMPONENTS], part[MOST_COMPONENTS], sum;
    (void)context;
    fill_constants(state->k, state->component, constant);
    for (size_t i = index * PARALLEL_CHUNK; i < end; i++)
        evaluation->out[i] =
            exp(log_parts(state->k, state->component, constant, evaluation->points->logit[i], 0, part, &sum));
    return DEDPUL_OK;
}

static dedpul_status gmm_evaluate(struct context *context, const struct density *density,
                                  const struct sample *points, double *out)
{
    struct evaluation evaluation = {density->state, points, out};
    return parallel_for(context, parallel_chunks(points->n), evaluate_chunk, &evaluation);
}

const struct density_kind density_gmm = {
    .name = "gmm",
    .summary = "mixture of Gaussians on the logit score, 10 for P and 20 for U",
    .fit = gmm_fit,
    .evaluate = gmm_evaluate,
};
