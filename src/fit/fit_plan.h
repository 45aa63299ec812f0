/* How to get from a table to alpha, posteriors and a model. */
#ifndef DEDPUL_FIT_FIT_PLAN_H
#define DEDPUL_FIT_FIT_PLAN_H

#include "classifier.h"
#include "encoding.h"
#include "estimate_plan.h"

enum classifier_choice {
    CHOOSE_STANDARD, /* the default for this table */
    CHOOSE_GIVEN,
    CHOOSE_BEST,  /* the one with the highest cross-fitted AUC */
    CHOOSE_BLEND, /* networks and trees together */
};

struct fit_plan {
    struct estimate_plan estimate;
    struct encoding_plan encoding;
    enum classifier_choice choice;
    const struct classifier *classifier; /* the one given, or NULL */
    const char *classifier_name;         /* its name in progress reports */
    struct training_settings training;
    struct risk risk;    /* loss, beta and gamma of methods that train networks of their own */
    size_t n_components; /* methods on features see this many principal components; 0: all features */
    bool pn;             /* also train a classifier of positives against negatives */
    bool check_labels;   /* also check whether labeled rows may be a random draw of the positives */
};

#endif
