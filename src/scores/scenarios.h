/*
 * The ways in which unlabeled rows may be positive. They differ in the share of positives, which takes values
 * all over alpha's distribution, and in where the positives lie: by posteriors that are means over that
 * distribution, by plain posteriors, or where the labeled rows lie. No data tell which is right. A measure
 * has a value and a standard error in each, and its range comes from all of them.
 */
#ifndef DEDPUL_SCORES_SCENARIOS_H
#define DEDPUL_SCORES_SCENARIOS_H

#include "class_measures.h"
#include "guesses.h"
#include "scales.h"
#include "score_groups.h"

/* What is known of alpha, and how posteriors follow from ratios. */
struct alpha_belief {
    double alpha;                            /* 0 < alpha < 1 */
    const struct alpha_quantiles *quantiles; /* its median is alpha; NULL: alpha counts as certain */
    struct scales scales;
};

/* Believes another alpha, as if it were known; scales and posteriors become those that have it as mean. */
dedpul_status scenarios_suppose(struct context *context, double alpha, struct alpha_belief *belief,
                                struct score_groups *groups);

struct scenario {
    double weight; /* all add up to 1 */
    double alpha;
    struct scales scales; /* posteriors are by these */
    bool by_labels;       /* positives lie where labeled rows lie; only negatives are by posteriors */
};

enum { N_SHARES = 11, N_PLACES = 3, MOST_SCENARIOS = N_SHARES * N_PLACES };

struct scenarios {
    size_t n;
    struct scenario item[MOST_SCENARIOS];
};

dedpul_status scenarios_make(struct context *context, const struct score_groups *groups,
                             const struct alpha_belief *belief, struct scenarios *scenarios);

/* Measures of the whole order. */
enum order_measure { ORDER_AUC, ORDER_AVERAGE_PRECISION, ORDER_BEST_F1, N_ORDER_MEASURES };

/* What the order of the rows is worth in one scenario. */
struct scenario_measures {
    struct measure order[N_ORDER_MEASURES];
    struct classes classes; /* its totals; the arrays are gone */
    double *positive;       /* (n_cuts) weight of the positives at or above each cut */
};

/* Measures all scenarios. A cut is the last group that it flags. */
dedpul_status scenarios_measure(struct context *context, const struct score_groups *groups,
                                const struct scenarios *scenarios, size_t n_cuts,
                                const size_t *cut /* (n_cuts) ascending */,
                                struct scenario_measures *measures /* (scenarios->n) */);

#endif
