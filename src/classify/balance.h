/* What a member learns from: its examples, with weights by which both classes count the same. */
#ifndef DEDPUL_CLASSIFY_BALANCE_H
#define DEDPUL_CLASSIFY_BALANCE_H

#include "classifier.h"

struct balance {
    size_t n;         /* examples that the member learns from */
    double total;     /* of their weights */
    double factor[2]; /* of the weights of each class */
};

/* Each class gets half of the total weight. An error where a class is missing. */
dedpul_status balance_member(struct context *context, const struct training *training, size_t member,
                             struct balance *balance);

/* The weight of an example in the member's training; 0: it takes no part. */
double balanced_weight(const struct training *training, size_t member, const struct balance *balance,
                       size_t example);

#endif
