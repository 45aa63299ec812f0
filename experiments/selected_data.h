/* The rows of a set by their classes, and what draws from them share. */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_DATA_H
#define DEDPUL_EXPERIMENTS_SELECTED_DATA_H

#include "selected_draw.h"

struct selected_data {
    const struct selected_set *set;
    struct arena memory;
    struct stream stream, labels;
    bool is_open, has_labels;
    struct table_reader *reader;
    struct table *rows;
    size_t n_features;               /* its first columns */
    size_t n[MOST_CLASSES + 1];      /* rows of each kind and, last of n_kinds + 1, of negatives */
    uint32_t *row[MOST_CLASSES + 1]; /* (n) */
};

/* Chooses rows of one class: the first ones of a random order. */
dedpul_status selected_choose(struct context *context, const struct selected_data *data, size_t class,
                              size_t wanted, struct rng *rng, uint32_t *row /* (wanted) */);

/* Fills the columns of a table with these rows of another. */
dedpul_status selected_gather(struct context *context, const struct table *from, const uint32_t *row,
                              struct table *table);

#endif
