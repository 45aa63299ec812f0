#include "kde.h"

#include "weighted.h"

#include <math.h>
#include <stdbool.h>

/* If more than this share of a sample's weight is in isolated atoms, its scores count as discrete. */
static const double discrete_share = 0.1;

/*
 * All lengths are in bandwidths. Kernels do not bridge gaps wider than 2: at the points of a lattice with
 * that spacing the density is off by 1.4%, with spacing 3 by 22%. Values within 1 are one atom to the
 * kernels, and values within 0.01 count as one value, because ties may carry rounding noise.
 */
static const double bridged_gap = 2, atom_width = 1, same_value = 0.01;

/* Walks the scores of both samples in ascending order, atom by atom. */
struct walk {
    const struct sample *p, *u;
    double bandwidth;
    size_t i, j;
};

struct atom {
    double first, last; /* logits; first is +infinity past the end */
    double values;      /* number of distinct values */
    double weight_p, weight_u;
};

/* Takes the next logit of either sample and adds its row's weight to the atom. */
static double take_next(struct walk *walk, struct atom *atom)
{
    const bool from_p =
        walk->j == walk->u->n || (walk->i < walk->p->n && walk->p->logit[walk->i] < walk->u->logit[walk->j]);
    if (from_p) {
        atom->weight_p += weight_at(walk->p->weight, walk->i);
        return walk->p->logit[walk->i++];
    }
    atom->weight_u += weight_at(walk->u->weight, walk->j);
    return walk->u->logit[walk->j++];
}

static double peek(const struct walk *walk)
{
    const double p = walk->i < walk->p->n ? walk->p->logit[walk->i] : INFINITY;
    const double u = walk->j < walk->u->n ? walk->u->logit[walk->j] : INFINITY;
    return fmin(p, u);
}

static struct atom next_atom(struct walk *walk)
{
    struct atom atom = {.first = peek(walk), .last = -INFINITY};
    double value = -INFINITY; /* the lowest logit of the present distinct value */
    /* The width counts from the first logit, so that an atom cannot grow along a chain of near neighbours. */
    while (!isinf(atom.first) && peek(walk) <= atom.first + atom_width * walk->bandwidth) {
        atom.last = take_next(walk, &atom);
        if (atom.last > value + same_value * walk->bandwidth) {
            value = atom.last;
            atom.values++;
        }
    }
    return atom;
}

/*
 * The share of P or of U, whichever is larger, in ties that kernels of this bandwidth do not bridge. An atom
 * counts if its values have two rows or more on average and the gaps on both sides of it are wide.
 */
static double isolated_share(const struct sample *p, const struct sample *u, double bandwidth)
{
    const double gap = bridged_gap * bandwidth;
    struct walk walk = {p, u, bandwidth, 0, 0};
    double isolated_p = 0, isolated_u = 0, previous = -INFINITY;
    struct atom atom = next_atom(&walk);
    while (!isinf(atom.first)) {
        const struct atom next = next_atom(&walk);
        const bool is_tie = atom.weight_p + atom.weight_u >= 2 * atom.values;
        if (is_tie && atom.first - previous > gap && next.first - atom.last > gap) {
            isolated_p += atom.weight_p;
            isolated_u += atom.weight_u;
        }
        previous = atom.last;
        atom = next;
    }
    return fmax(isolated_p / p->total, isolated_u / u->total);
}

static bool is_absolute(const struct bandwidth *bandwidth)
{
    return bandwidth->rule == BANDWIDTH_ABSOLUTE;
}

/* The bandwidth for both densities: an absolute one if given, else the smaller one that is not too fine. */
static double common_bandwidth(const struct density_plan *plan, const struct density *f_p,
                               const struct density *f_u, double finest)
{
    if (is_absolute(&plan->bandwidth_p))
        return f_p->size;
    if (is_absolute(&plan->bandwidth_u))
        return f_u->size;
    const double narrower = fmin(f_p->size, f_u->size), wider = fmax(f_p->size, f_u->size);
    return narrower > finest ? narrower : fmax(wider, finest);
}

static dedpul_status check_absolute(const struct context *context, const struct bandwidth *bandwidth,
                                    const char *name, double finest)
{
    if (is_absolute(bandwidth) && bandwidth->value < finest)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "%s: %g is too small for these scores, whose logits range over %g", name,
                         bandwidth->value, 1e6 * finest);
    return DEDPUL_OK;
}

dedpul_status kde_treat_ties(struct context *context, const struct sample *p, const struct sample *u,
                             const struct density_plan *plan, struct density *f_p, struct density *f_u)
{
    const double finest = finest_bandwidth(p, u);
    TRY(check_absolute(context, &plan->bandwidth_p, "bandwidth-p", finest));
    TRY(check_absolute(context, &plan->bandwidth_u, "bandwidth-u", finest));
    const double share = isolated_share(p, u, fmax(fmin(f_p->size, f_u->size), finest));
    const bool is_tied = f_p->size <= finest || f_u->size <= finest; /* all scores of one sample are equal */
    if (!is_tied && share <= discrete_share)
        return DEDPUL_OK;
    if (is_absolute(&plan->bandwidth_p) && is_absolute(&plan->bandwidth_u)) {
        context_warn(context, DEDPUL_WARNING_DISCRETE_SCORES,
                     "%.0f%% of the scores are ties too far apart for the kernels, so the ratio there is "
                     "scaled by the quotient of the two bandwidths given. Give both the same one",
                     100 * share);
        return DEDPUL_OK;
    }
    f_p->size = f_u->size = common_bandwidth(plan, f_p, f_u, finest);
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
