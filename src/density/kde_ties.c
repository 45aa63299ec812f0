#include "kde.h"

#include "weighted.h"

#include <math.h>
#include <stdbool.h>

/* Share of a sample's weight in isolated ties above which its scores count as discrete. */
static const double discrete_share = 0.1;

/* Bandwidths between neighbouring values above which kernels no longer bridge the gap: at a spacing of
 * two bandwidths the density of a lattice is off by 1.4% at its points, at three by 22%. */
static const double bridged_gap = 2;

/* Walks the distinct logits of both samples in ascending order. */
struct walk {
    const struct sample *p, *u;
    size_t i, j;
};

struct atom {
    double logit; /* +infinity past the last */
    double weight_p, weight_u;
};

static double take(const struct sample *sample, size_t *at, double logit)
{
    double weight = 0;
    for (; *at < sample->n && sample->logit[*at] == logit; (*at)++)
        weight += weight_at(sample->weight, *at);
    return weight;
}

static struct atom next_atom(struct walk *walk)
{
    struct atom atom = {.logit = INFINITY};
    if (walk->i < walk->p->n)
        atom.logit = walk->p->logit[walk->i];
    if (walk->j < walk->u->n)
        atom.logit = fmin(atom.logit, walk->u->logit[walk->j]);
    atom.weight_p = take(walk->p, &walk->i, atom.logit);
    atom.weight_u = take(walk->u, &walk->j, atom.logit);
    return atom;
}

/* The larger of the samples' shares in ties that lie farther than `gap` from any other score. */
static double isolated_share(const struct sample *p, const struct sample *u, double gap)
{
    struct walk walk = {p, u, 0, 0};
    double isolated_p = 0, isolated_u = 0, previous = -INFINITY;
    struct atom atom = next_atom(&walk);
    while (!isinf(atom.logit)) {
        const struct atom next = next_atom(&walk);
        const int is_tie = atom.weight_p + atom.weight_u >= 2;
        if (is_tie && atom.logit - previous > gap && next.logit - atom.logit > gap) {
            isolated_p += atom.weight_p;
            isolated_u += atom.weight_u;
        }
        previous = atom.logit;
        atom = next;
    }
    return fmax(isolated_p / p->total, isolated_u / u->total);
}

static bool is_absolute(const dedpul_bandwidth *bandwidth)
{
    return bandwidth->rule == DEDPUL_BANDWIDTH_ABSOLUTE;
}

/* The bandwidth for both: one that was asked for, or the smaller one that is not too fine to be one. */
static double common_bandwidth(const dedpul_options *options, const struct density *f_p,
                               const struct density *f_u, double finest)
{
    if (is_absolute(&options->bandwidth_p))
        return f_p->size;
    if (is_absolute(&options->bandwidth_u))
        return f_u->size;
    const double narrower = fmin(f_p->size, f_u->size), wider = fmax(f_p->size, f_u->size);
    return narrower > finest ? narrower : fmax(wider, finest);
}

static dedpul_status check_absolute(const struct context *context, const dedpul_bandwidth *bandwidth,
                                    const char *name, double finest)
{
    if (is_absolute(bandwidth) && bandwidth->value < finest)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "%s: %g is too small for these scores, whose logits range over %g", name,
                         bandwidth->value, 1e6 * finest);
    return DEDPUL_OK;
}

dedpul_status kde_treat_ties(struct context *context, const struct sample *p, const struct sample *u,
                             const dedpul_options *options, struct density *f_p, struct density *f_u)
{
    const double finest = finest_bandwidth(p, u);
    TRY(check_absolute(context, &options->bandwidth_p, "bandwidth-p", finest));
    TRY(check_absolute(context, &options->bandwidth_u, "bandwidth-u", finest));
    const double share = isolated_share(p, u, bridged_gap * fmax(fmin(f_p->size, f_u->size), finest));
    const bool is_tied = f_p->size <= finest || f_u->size <= finest; /* one sample as a whole */
    if (!is_tied && share <= discrete_share)
        return DEDPUL_OK;
    if (is_absolute(&options->bandwidth_p) && is_absolute(&options->bandwidth_u)) {
        context_warn(context, DEDPUL_WARNING_DISCRETE_SCORES,
                     "%.0f%% of the scores are ties too far apart for the kernels, so the ratio there is "
                     "scaled by the quotient of the two bandwidths given. Give both the same one",
                     100 * share);
        return DEDPUL_OK;
    }
    f_p->size = f_u->size = common_bandwidth(options, f_p, f_u, finest);
    if (is_tied)
        context_warn(context, DEDPUL_WARNING_DISCRETE_SCORES,
                     "the labeled or the unlabeled scores are all equal, so both densities use one "
                     "bandwidth. Check the classifier");
    else
        context_warn(context, DEDPUL_WARNING_DISCRETE_SCORES,
                     "%.0f%% of the scores are ties too far apart for the kernels; both densities use one "
                     "bandwidth, so that the ratio at a tie is that of its shares. Finer scores, if the "
                     "classifier has them, give finer posteriors",
                     100 * share);
    return DEDPUL_OK;
}
