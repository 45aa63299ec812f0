#include "warning_rules.h"

#define RULE(stays, goes)                             \
    {                                                 \
        DEDPUL_WARNING_##stays, DEDPUL_WARNING_##goes \
    }

/*
 * The order in which warnings come must not matter: whatever silences a warning also silences those that it
 * silences.
 */
const struct warning_rule warning_rules[] = {
    /* The column is to blame. Without it alpha comes out higher; whatever else looks wrong is to be judged
     * then, and neither a better classifier nor other bandwidths or methods are a remedy now. */
    RULE(LEAKING_COLUMN, PERFECT_SCORES),
    RULE(LEAKING_COLUMN, SELECTED_LABELS),
    RULE(LEAKING_COLUMN, WEAKLY_IDENTIFIED),
    RULE(LEAKING_COLUMN, ABOVE_BOUND),
    RULE(LEAKING_COLUMN, DENSITY_MISFIT),
    RULE(LEAKING_COLUMN, LOW_POSTERIORS),
    /* Scores that tell nearly all rows apart are not weak, and densities that hardly overlap never fit. */
    RULE(PERFECT_SCORES, WEAKLY_IDENTIFIED),
    RULE(PERFECT_SCORES, ABOVE_BOUND),
    RULE(PERFECT_SCORES, DENSITY_MISFIT),
    RULE(PERFECT_SCORES, LOW_POSTERIORS),
    /* If labeled rows were picked, alpha is too low, not too high; and the bound is not one. */
    RULE(SELECTED_LABELS, WEAKLY_IDENTIFIED),
    RULE(SELECTED_LABELS, ABOVE_BOUND),
};

const size_t n_warning_rules = sizeof warning_rules / sizeof *warning_rules;

bool warning_silences(dedpul_warning_code stays, dedpul_warning_code goes)
{
    for (size_t i = 0; i < n_warning_rules; i++)
        if (warning_rules[i].stays == stays && warning_rules[i].goes == goes)
            return true;
    return false;
}
