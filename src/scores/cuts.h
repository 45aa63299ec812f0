/* Thresholds: those of a curve, and the one that is asked for. */
#ifndef DEDPUL_SCORES_CUTS_H
#define DEDPUL_SCORES_CUTS_H

#include "score_groups.h"

/* What a threshold must achieve. */
enum cut_rule {
    CUT_COST,      /* the lowest expected cost, where a false positive costs `value` false negatives */
    CUT_F1,        /* the highest F1 */
    CUT_TOP,       /* the most rows, but no more than `value` */
    CUT_SHARE,     /* the same for a share of the rows */
    CUT_PRECISION, /* the most rows with this precision */
    CUT_RECALL,    /* the fewest rows with this recall */
    CUT_SCORE,     /* the rows with at least this score */
};

struct cut_request {
    enum cut_rule rule;
    double value;
};

/* A threshold that flags no row. */
#define NO_GROUP SIZE_MAX

/*
 * Finds the last group that is flagged, unless the rule is about precision or recall, whose uncertainty is
 * not known here. Costs may be lowest if no row is flagged, and no row may have a given score.
 */
dedpul_status cut_find(const struct score_groups *groups, const struct cut_request *request,
                       dedpul_error *error, size_t *group);

/* The most thresholds that a curve has. */
enum { CURVE_STEPS = 256, MOST_CUTS = 2 * (CURVE_STEPS + 2) };

/*
 * Places the thresholds of a curve: at equal steps of the unlabeled rows and of their posteriors, at `wanted`
 * (unless it is NO_GROUP), and at the last group with unlabeled rows. Returns their number.
 */
size_t cuts_place(const struct score_groups *groups, size_t wanted, size_t cut[MOST_CUTS]);

#endif
