#include "diagnose.h"

#include "best_bin.h"
#include "thresholds.h"

#include <math.h>

/*
 * The limits below were set with the samples behind docs/RESULTS.md: few samples exceed them, and most of
 * those have few labeled rows or an alpha near 1.
 */

/* ---- the scores ---- */

double diagnose_scores(struct context *context, const struct sample *p, const struct sample *u)
{
    const double auc = weighted_auc(p->n, sample_values(p), p->weight, u->n, sample_values(u), u->weight);
    /* The standard error if the scores of P and U do not differ (Mann-Whitney). */
    const double n_p = p->total / (1 + p->excess), n_u = u->total / (1 + u->excess);
    const double error = sqrt((n_p + n_u + 1) / (12 * n_p * n_u));
    if (auc < 0.5 - 2 * error)
        context_warn(
            context, DEDPUL_WARNING_UNINFORMATIVE_SCORES,
            "the AUC of labeled against unlabeled rows is %.3f, below 0.5: high scores must mean positive; "
            "are they reversed?",
            auc);
    else if (auc < 0.5 + 2 * error)
        context_warn(
            context, DEDPUL_WARNING_UNINFORMATIVE_SCORES,
            "the AUC of labeled against unlabeled rows, %.3f, cannot be told from 0.5 (standard error "
            "%.3f), so a high alpha may be an artefact. Use a better classifier or more rows",
            auc, error);
    else if (auc >= PERFECT_AUC)
        context_warn(context, DEDPUL_WARNING_PERFECT_SCORES,
                     "the AUC of labeled against unlabeled rows is %.4f: either nearly no unlabeled row is "
                     "positive, or the classifier saw what gives the labels away",
                     auc);
    return auc;
}

/* ---- the estimate ---- */

/* A perfect classifier of positives has an AUC of 1 - alpha / 2. */
static void doubt_separation(struct context *context, double alpha, double auc)
{
    if (auc >= 0.99 && alpha <= 0.02)
        context_warn(context, DEDPUL_WARNING_PERFECT_SCORES,
                     "labeled and unlabeled rows are told apart nearly perfectly (AUC %.4f), and alpha is "
                     "%.4f: either nearly no unlabeled row is positive, or the labeled rows differ in "
                     "something else, such as where they come from. Look for columns that give it away",
                     auc, alpha);
}

/* The mean of f_p / f_u over unlabeled rows is 1 by definition. */
static void doubt_densities(struct context *context, double mean)
{
    if (mean > 4 || mean < 0.5)
        context_warn(context, DEDPUL_WARNING_DENSITY_MISFIT,
                     "the mean density ratio before smoothing is %.2f, which should be 1: the densities fit "
                     "the scores badly. Try --bandwidth-p auto --bandwidth-u auto, or --density hist",
                     mean);
}

/* The unknown labels have the variance alpha (1 - alpha). Returns the share of it that
 * plain posteriors explain. */
static double explained_share(const struct ratio *ratio, double scale)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < ratio->n; i++) {
        const double posterior = fmin(scale * ratio_at(ratio, i), 1), weight = weight_at(ratio->weight, i);
        sum += weight * posterior;
        squares += weight * posterior * posterior;
    }
    const double mean = sum / ratio->total;
    return mean > 0 && mean < 1 ? (squares / ratio->total - mean * mean) / (mean * (1 - mean)) : 1;
}

/*
 * Returns the share of the negatives that lie where the density of positives is less than a fifth of theirs,
 * by plain posteriors.
 */
static double clear_share(const struct ratio *ratio, double scale, double alpha)
{
    double clear = 0, all = 0;
    for (size_t i = 0; i < ratio->n; i++) {
        const double posterior = fmin(scale * ratio_at(ratio, i), 1);
        const double negative = weight_at(ratio->weight, i) * (1 - posterior);
        clear += posterior * (1 - alpha) < 0.2 * alpha * (1 - posterior) ? negative : 0;
        all += negative;
    }
    return all > 0 ? clear / all : 1;
}

/*
 * The classes may overlap everywhere, so that no unlabeled row is surely negative, and the ratio has no
 * plateau at its top. Then alpha is too high. A sign of it is that DEDPUL, which smooths the top, raises
 * alpha above what the rest of the evidence says. The limits were set on public tables: experiments/NOTES.md
 * has them.
 */
static void doubt_overlap(struct context *context, const struct ratio *ratio, const struct solution *solution)
{
    const double alpha = solution->proportion.alpha;
    const double raised = solution->has_quantiles ? alpha - solution->alpha_before : 0;
    const double clear = clear_share(ratio, solution->scale, alpha);
    if (clear < 0.15 + 8 * raised)
        context_warn(context, DEDPUL_WARNING_WEAKLY_IDENTIFIED,
                     "positives and negatives seem to overlap everywhere: only %.0f%% of the negatives lie "
                     "where positives are rare. Then alpha is an upper bound, and often too high by 0.1 or "
                     "more. With better columns it may come out lower",
                     100 * clear);
}

/*
 * If all posteriors are alike, D is flat: unlabeled rows look like labeled ones because most are positive, or
 * because the classifier cannot tell them apart.
 */
static void doubt_root(struct context *context, const struct ratio *ratio, const struct solution *solution,
                       const double curve[CURVE_POINTS])
{
    const double near = 0.01, explained = explained_share(ratio, solution->scale);
    size_t j = (size_t)ceil(solution->proportion.alpha * (CURVE_POINTS - 1));
    while (j + 1 < CURVE_POINTS && fabs(curve[j + 1]) < near)
        j++;
    if (explained < 0.2)
        context_warn(context, DEDPUL_WARNING_WEAKLY_IDENTIFIED,
                     "the scores hardly tell positives from negatives (posteriors explain %.0f%% of the "
                     "variance of the classes), so any share from 0 to %.2f agrees with them. With a better "
                     "classifier alpha may come out much lower",
                     100 * explained, curve_alpha(j));
}

/* alpha depends on the scores where positives are purest, so it needs enough labeled rows there. */
static void doubt_top(struct context *context, const struct sample *p, const struct sample *u)
{
    const double fewest = 5, top = weighted_quantile(u->n, u->score, u->weight, 0.95);
    double labeled = 0;
    for (size_t i = p->n; i > 0 && p->score[i - 1] >= top; i--)
        labeled += weight_at(p->weight, i - 1);
    if (labeled < fewest)
        context_warn(context, DEDPUL_WARNING_FEW_LABELED_ON_TOP,
                     "only %.3g labeled rows have scores as high as the highest 5%% of the unlabeled ones, "
                     "and alpha depends on them. Label more rows",
                     labeled);
}

static void doubt_agreement(struct context *context, double alpha, const char *other_name, double other)
{
    if (fabs(alpha - other) > 0.2)
        context_warn(context, DEDPUL_WARNING_ESTIMATORS_DISAGREE,
                     "%s says that alpha is %.3f, far from %.3f: look at D(alpha) (--plot), and at "
                     "what other methods say ('dedpul compare')",
                     other_name, other, alpha);
}

/*
 * The bound is for independent rows. Its width is sqrt(log(4 / risk) / (2 n)), so another risk makes it that
 * of fewer rows.
 */
double upper_bound(const struct sample *p, const struct sample *u, double risk)
{
    const double of_fewer = 4 * pow(risk / 4, 1 + fmax(p->excess, u->excess));
    return best_bin_bound(p->n, p->score, p->weight, u->n, u->score, u->weight, of_fewer);
}

/* The bound holds whatever the distributions, so an alpha above it is probably too high. */
static void doubt_size(struct context *context, const struct sample *p, const struct sample *u, double alpha,
                       double level)
{
    const double bound = upper_bound(p, u, 1 - level);
    if (alpha > bound)
        context_warn(
            context, DEDPUL_WARNING_ABOVE_BOUND,
            "alpha, %.3f, is above %.3f, which the share exceeds with a probability of at most %g "
            "(a bound that assumes nothing about the distributions): alpha is probably too high. See "
            "what other methods say ('dedpul compare')",
            alpha, bound, 1 - level);
}

/*
 * If the labeled rows are a random draw of the positives, there should be about alpha * n_u / n_p unlabeled
 * positives to each labeled one above any score. By Chernoff's bound, how improbable would it be to find this
 * few unlabeled rows even if there were only half as many?
 */
static void doubt_draw(struct context *context, const struct sample *p, const struct sample *u, double alpha)
{
    const double share = alpha * u->total / (p->total + alpha * u->total) / 2;
    const double improbable = log(1e6) * (1 + fmax(p->excess, u->excess));
    struct thresholds at = thresholds_of(p->n, p->score, p->weight, u->n, u->score, u->weight);
    while (thresholds_next(&at)) {
        const double all = at.above_a + at.above_b, found = at.above_b / all;
        if (found >= share)
            continue;
        const double bound = all * ((found > 0 ? found * log(found / share) : 0) +
                                    (1 - found) * log((1 - found) / (1 - share)));
        if (bound > improbable) {
            context_warn(
                context, DEDPUL_WARNING_SELECTED_LABELS,
                "among the %.0f highest scores only %.0f rows are unlabeled, less than half as many "
                "as a share of %.3f means: the labeled rows are not a random draw of the positives. alpha "
                "counts only rows that look like them",
                all, at.above_b, alpha);
            return;
        }
    }
}

void diagnose_estimate(struct context *context, const struct evidence *evidence)
{
    const struct sample *p = evidence->problem->p, *u = evidence->problem->u;
    const struct solution *solution = evidence->solution;
    const struct proportion *proportion = &solution->proportion;
    if (proportion->rule == RULE_GIVEN)
        return;
    doubt_separation(context, proportion->alpha, evidence->auc);
    doubt_top(context, p, u);
    /* If labeled rows come from elsewhere, the learned alpha is next to 0, and DEDPUL's shows it. */
    doubt_draw(context, p, u, fmax(proportion->alpha, solution->has_quantiles ? solution->alpha_of_root : 0));
    doubt_size(context, p, u, proportion->alpha, evidence->level);
    if (evidence->densities->kind == NULL)
        return;
    doubt_densities(context, evidence->densities->mean_ratio);
    doubt_root(context, evidence->ratio, evidence->solution, evidence->curve);
    doubt_overlap(context, evidence->ratio, evidence->solution);
    doubt_agreement(context, proportion->alpha, "the best bin estimate", best_bin(p, u));
    doubt_agreement(context, proportion->alpha, "DEDPUL",
                    solution->has_quantiles ? solution->alpha_of_root : proportion->alpha);
}
