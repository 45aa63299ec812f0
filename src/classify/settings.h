/* How classifiers are trained. */
#ifndef DEDPUL_CLASSIFY_SETTINGS_H
#define DEDPUL_CLASSIFY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_HIDDEN_LAYERS = 9 };

struct hidden_layers {
    bool is_standard; /* the user chose no widths: a classifier may use others for a single feature */
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
    double rate, l2;
    unsigned rounds; /* at most */
    unsigned patience;
};

enum stopping {
    STOPPING_COMMON, /* all members stop at one epoch, by the loss of their averaged held-out logits */
    STOPPING_EACH,   /* each member stops by the loss on its own fold */
};

struct plugin; /* the program's own classifier, which only src/public knows */

struct training_settings {
    unsigned folds;
    unsigned partitions; /* of the rows into folds, each with its own members */
    enum stopping stopping;
    struct network_settings network;
    struct tree_settings trees;
    const struct plugin *plugin; /* NULL: none */
};

#endif
