/* The examples that a member learns from, with weights by which both classes count the same. */
#ifndef DEDPUL_CLASSIFY_BALANCE_H
#define DEDPUL_CLASSIFY_BALANCE_H

#include "classifier.h"

struct balance {
    size_t n;         /* examples that the member learns from */
    double total;     /* sum of their weights */
    double factor[2]; /* the weights of each class are multiplied by this */
};

/* Gives each class half of the total weight. It is an error if a class is missing. */
dedpul_status balance_member(struct context *context, const struct training *training, size_t member,
                             struct balance *balance);

/* Returns the weight of an example in the member's training; 0: the member does not learn from it. */
double balanced_weight(const struct training *training, size_t member, const struct balance *balance,
                       size_t example);

#endif
