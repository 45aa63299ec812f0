/* How classifiers are trained. */
#ifndef DEDPUL_CLASSIFY_SETTINGS_H
#define DEDPUL_CLASSIFY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_HIDDEN_LAYERS = 9 };

/* How much work a fit is worth. Each kind of classifier says what that means for it. */
enum effort { EFFORT_LOW, EFFORT_NORMAL, EFFORT_HIGH, N_EFFORTS };

struct hidden_layers {
    bool is_standard; /* the user chose no widths: the classifier does */
    size_t n;
    size_t width[MOST_HIDDEN_LAYERS]; /* (n) */
};

struct network_settings {
    struct hidden_layers layers;
    bool batch_norm;
    double dropout;
    double rate; /* learning rate of Adam; NaN: the classifier's default */
    double decay;
    unsigned batch;       /* rows of each class in a step */
    unsigned epoch_steps; /* an epoch has at least this many steps; see network_set.c */
    unsigned epochs;      /* at most */
    unsigned min_epochs;
    unsigned patience; /* in epochs */
};

struct tree_settings {
    unsigned depth;
    double rate; /* NaN: by effort */
    double l2;
    unsigned rounds; /* at most */
    unsigned patience;
};

enum stopping {
    STOPPING_COMMON, /* all members stop at one epoch, by the loss of their averaged held-out logits */
    STOPPING_EACH,   /* each member stops by the loss on its own fold */
};

struct plugin; /* the program's own classifier, which only src/public knows */

struct training_settings {
    enum effort effort;
    unsigned folds;
    unsigned partitions; /* of the rows into folds, each with its own members; 0: by effort */
    enum stopping stopping;
    struct network_settings network;
    struct tree_settings trees;
    const struct plugin *plugin; /* NULL: none */
    double least_gain; /* with common stopping, an epoch is better than the best if its loss is lower by this
                          share */
};

/* Returns the number of partitions asked for, or that of the effort. */
static inline unsigned partitions_of(const struct training_settings *settings,
                                     const unsigned by_effort[N_EFFORTS])
{
    return settings->partitions > 0 ? settings->partitions : by_effort[settings->effort];
}

#endif
