/* The risk: training minimises it, and early stopping watches it on held-out rows. */
#ifndef DEDPUL_MATH_RISK_H
#define DEDPUL_MATH_RISK_H

#include <stdbool.h>
#include <stddef.h>

/* The loss of a row whose probability of being positive is y. */
enum loss {
    LOSS_SIGMOID,  /* 1 - y for positives, y for negatives */
    LOSS_BRIER,    /* the squares of these */
    LOSS_LOGISTIC, /* -log y, -log(1 - y) */
};

enum risk_kind {
    RISK_CLASSES, /* log-loss; both classes count the same */
    /*
     * The risk of telling positives from negatives, if class 1 is labeled and a share alpha of class 0 is
     * positive too: alpha * mean l(P, +) + mean l(U, -) - alpha * mean l(P, -) (du Plessis, Niu, Sugiyama,
     * 2015).
     */
    RISK_UPU,
    RISK_NNPU, /* the same, but the last two terms must not become negative (Kiryo et al., 2017) */
    RISK_CVIR, /* log-loss without the share alpha of class 0 that looks most positive (Garg et al., 2021) */
};

struct risk {
    enum risk_kind kind;
    enum loss loss; /* upu, nnpu: l */
    double alpha;   /* upu, nnpu: the share; cvir: its latest estimate, 0 before the first */
    double given;   /* cvir: used instead of estimates; NaN: not given */
    double beta;    /* nnpu: how far below 0 the last two terms may go */
    double gamma;   /* nnpu: the step back from there is multiplied by this */
};

extern const struct risk risk_of_classes;

/* Computes the slope of the risk by the logits of a batch; its n_1 rows of class 1 come first. */
void risk_slope(const struct risk *risk, size_t n_1, size_t n_0, const float *logit /* (n_1 + n_0) */,
                float *slope /* (n_1 + n_0) */);

/* Sums over held-out examples, from which risk_value computes their risk. */
struct risk_sums {
    double weight[2];             /* by class */
    double sum[2], product[2];    /* log-loss is sum + log(product), so that few logarithms are taken */
    double positive, negative[2]; /* losses of class 1 as positive, of both as negative */
};

extern const struct risk_sums no_risk;

void risk_add(const struct risk *risk, unsigned char label, double weight, double logit,
              struct risk_sums *sums);
double risk_value(const struct risk *risk, const struct risk_sums *sums);

#endif
