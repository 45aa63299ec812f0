#include "risk.h"

#include "logistic.h"

const struct risk risk_of_classes = {.kind = RISK_CLASSES};

static bool is_of_classes(const struct risk *risk)
{
    return risk->kind == RISK_CLASSES || risk->kind == RISK_CVIR;
}

/* ---- losses of one example; y is the sigmoid of its logit ---- */

/* The loss of a positive example. The loss of a negative one is loss_of(-logit). */
static double loss_of(enum loss loss, double logit)
{
    const double wrong = sigmoid(-logit); /* 1 - y */
    switch (loss) {
    case LOSS_SIGMOID:
        return wrong;
    case LOSS_BRIER:
        return wrong * wrong;
    default:
        return fmax(-logit, 0) + log1p(exp(-fabs(logit))); /* -log y */
    }
}

/* The slope of loss_of by the logit. The slope for a negative example is -loss_slope_of(-logit). */
static float loss_slope_of(enum loss loss, float logit)
{
    const float wrong = 1 / (1 + expf(logit)), y = 1 / (1 + expf(-logit));
    switch (loss) {
    case LOSS_SIGMOID:
        return -y * wrong;
    case LOSS_BRIER:
        return -2 * y * wrong * wrong;
    default:
        return -wrong;
    }
}

/* ---- batches ---- */

/* The slope of (mean of -log y over class 1 + mean of -log(1 - y) over class 0) / 2. */
static void slope_of_classes(size_t n_1, size_t n_0, const float *logit, float *slope)
{
    for (size_t i = 0; i < n_1; i++)
        slope[i] = -0.5F / (float)n_1 / (1 + expf(logit[i]));
    for (size_t i = n_1; i < n_1 + n_0; i++)
        slope[i] = 0.5F / (float)n_0 / (1 + expf(-logit[i]));
}

/* mean l(U, -) - alpha * mean l(P, -), which estimates the risk of negatives. */
static double negative_part(const struct risk *risk, size_t n_1, size_t n_0, const float *logit)
{
    double p = 0, u = 0;
    for (size_t i = 0; i < n_1; i++)
        p += loss_of(risk->loss, -(double)logit[i]);
    for (size_t i = n_1; i < n_1 + n_0; i++)
        u += loss_of(risk->loss, -(double)logit[i]);
    return u / (double)n_0 - risk->alpha * p / (double)n_1;
}

void risk_slope(const struct risk *risk, size_t n_1, size_t n_0, const float *logit, float *slope)
{
    if (is_of_classes(risk)) {
        slope_of_classes(n_1, n_0, logit, slope);
        return;
    }
    /* nnPU: if the negative part is below -beta, the step goes up on it, on -gamma times this part alone. */
    const bool goes_back = risk->kind == RISK_NNPU && negative_part(risk, n_1, n_0, logit) < -risk->beta;
    const float negative = goes_back ? -(float)risk->gamma : 1, positive = goes_back ? 0 : 1;
    const float of_p = (float)risk->alpha / (float)n_1, of_u = negative / (float)n_0;
    for (size_t i = 0; i < n_1; i++)
        slope[i] = of_p * (positive * loss_slope_of(risk->loss, logit[i]) +
                           negative * loss_slope_of(risk->loss, -logit[i]));
    for (size_t i = n_1; i < n_1 + n_0; i++)
        slope[i] = -of_u * loss_slope_of(risk->loss, -logit[i]);
}

/* ---- held-out examples ---- */

const struct risk_sums no_risk = {.product = {1, 1}};

/* -log of the probability of the example's class. */
static void add_log_loss(unsigned char label, double weight, double logit, struct risk_sums *sums)
{
    const double wrong = label ? -logit : logit, factor = 1 + exp(-fabs(wrong));
    sums->sum[label] += wrong > 0 ? weight * wrong : 0;
    if (weight != 1) {
        sums->sum[label] += weight * log(factor);
        return;
    }
    /* Multiply the factors, each at most 2, and take the logarithm only before the product overflows. */
    sums->product[label] *= factor;
    if (sums->product[label] > 0x1p1000) {
        sums->sum[label] += log(sums->product[label]);
        sums->product[label] = 1;
    }
}

void risk_add(const struct risk *risk, unsigned char label, double weight, double logit,
              struct risk_sums *sums)
{
    sums->weight[label] += weight;
    if (is_of_classes(risk)) {
        add_log_loss(label, weight, logit, sums);
        return;
    }
    sums->negative[label] += weight * loss_of(risk->loss, -logit);
    sums->positive += label ? weight * loss_of(risk->loss, logit) : 0;
}

static double mean(double sum, double weight)
{
    return weight > 0 ? sum / weight : 0;
}

/* Both classes count the same. */
static double value_of_classes(const struct risk_sums *sums)
{
    double value = 0;
    for (int label = 0; label < 2; label++)
        value += mean(sums->sum[label] + log(sums->product[label]), sums->weight[label]) / 2;
    return value;
}

double risk_value(const struct risk *risk, const struct risk_sums *sums)
{
    if (is_of_classes(risk))
        return value_of_classes(sums);
    const double negative =
        mean(sums->negative[0], sums->weight[0]) - risk->alpha * mean(sums->negative[1], sums->weight[1]);
    return risk->alpha * mean(sums->positive, sums->weight[1]) +
           (risk->kind == RISK_NNPU ? fmax(negative, 0) : negative);
}
