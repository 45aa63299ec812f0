/* Networks that are trained side by side: the part that all classifiers made of networks share. */
#ifndef DEDPUL_CLASSIFY_NETWORK_SET_H
#define DEDPUL_CLASSIFY_NETWORK_SET_H

#include "classifier.h"
#include "net.h"

/* A trained network. */
struct network {
    struct net_shape shape;
    float *folded; /* (net_folded) */
    bool is_half;  /* all of them are halves, and files have them as such */
};

/* Writes the precision of the parameters, and the parameters. */
dedpul_status network_save(const struct network *network, struct bytes *bytes);

/* Loads a network. Marks the bytes as failed if they end too early or a parameter is not finite. */
dedpul_status network_load(struct context *context, const struct loading *loading,
                           const struct net_shape *shape, struct bytes_reader *bytes, struct arena *memory,
                           void **model);

/* For the functions of struct classifier: how long networks are trained. */
struct schedule network_schedule(const struct training_settings *settings, unsigned partitions);

/* The functions `time` and `work` of struct classifier. */
struct training_time network_time(const struct examples *examples, const struct training_settings *settings,
                                  const struct net_shape *shape, unsigned partitions);
double network_work(const struct examples *examples, const struct training_settings *settings,
                    const struct net_shape *shape, unsigned partitions);

/* Functions of struct classifier; `create` also takes the shape of the networks and their learning rate. */
dedpul_status network_create(struct context *context, const struct training *training,
                             const struct net_shape *shape, double rate, void **result);
dedpul_status network_advance(struct context *context, void *argument, const bool *active);
dedpul_status network_watch(struct context *context, void *argument, const bool *active);
dedpul_status network_keep(struct context *context, void *argument, const bool *which);
dedpul_status network_finish(struct context *context, void *argument, size_t member, struct arena *memory,
                             void **model);
void network_destroy(void *set);
dedpul_status network_score(struct context *context, const void *model, size_t n, const float *x,
                            double *logit);
void network_close(void *model);

#define NETWORK_FUNCTIONS                                                                               \
    .advance = network_advance, .watch = network_watch, .keep = network_keep, .finish = network_finish, \
    .destroy = network_destroy, .score = network_score, .close = network_close, .takes_risks = true,    \
    .unit = "epochs", .limit_option = "--epochs"

#endif
