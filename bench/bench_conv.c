/*
 * Compares an epoch of the convolutional network with PyTorch's, measured in the same run: the steps, and the
 * scores of a fold's images. Exits with 1 if the limit is missed.
 *
 * bench_conv TORCH_SCRIPT
 */
#include "bench.h"
#include "resolve.h"

#include "classifier.h"
#include "context.h"

#include <stdio.h>
#include <stdlib.h>

/* The same numbers as in torch_conv.py. */
enum { SIDE = 32, BATCH = 64, STEPS = 12, SCORED = 8000, LEARNT = 2 * BATCH * STEPS };

static double time_epoch(size_t width)
{
    enum { TIMED = 3, ROWS = LEARNT + SCORED };
    static unsigned char label[ROWS], fold[ROWS];
    static uint32_t watched[SCORED];
    static double logit[SCORED];
    float *x = checked(malloc(ROWS * width * sizeof *x));
    const bool active = true;
    struct rng rng;
    double seconds[TIMED];
    rng_init(&rng, 1, 0);
    for (size_t i = 0; i < ROWS * width; i++)
        x[i] = (float)rng_normal(&rng);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i % 2 == 0;
        fold[i] = i >= LEARNT;
        if (i >= LEARNT)
            watched[i - LEARNT] = (uint32_t)i;
    }
    const struct examples examples = {
        .n_rows = ROWS,
        .width = width,
        .x = x,
        .image = {SIDE, SIDE, width / SIDE / SIDE},
        .n = ROWS,
        .label = label,
    };
    const struct member member = {fold, 1, SCORED, watched, logit};
    dedpul_options options;
    struct resolved resolved;
    dedpul_options_init(&options);
    options.batch = BATCH;
    options.epoch_steps = STEPS;
    check(options_resolve(&options, &resolved, NULL), NULL);
    const struct training training = {&examples, 1, &member, &resolved.plan.training, &risk_of_classes};
    struct arena arena;
    dedpul_error error;
    void *set = NULL;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    check(classifier_conv.create(&context, &training, &set), &error);
    check(classifier_conv.advance(&context, set, &active), &error); /* warms up */
    for (int i = 0; i < TIMED; i++) {
        const double start = now();
        check(classifier_conv.advance(&context, set, &active), &error);
        check(classifier_conv.watch(&context, set, &active), &error);
        seconds[i] = now() - start;
    }
    classifier_conv.destroy(set);
    arena_free(&arena);
    free(x);
    return median(TIMED, seconds);
}

int main(int argc, char **argv)
{
    static const struct race race = {"epoch of 12 steps of 64 + 64 images 32x32x3, 8000 scored", time_epoch,
                                     (size_t)SIDE * SIDE * 3, 1};
    if (argc != 2) {
        (void)fprintf(stderr, "Usage: %s TORCH_SCRIPT\n", argv[0]);
        return 2;
    }
    race_torch(argv[1], 1, &race);
    return all_limits_met() ? 0 : 1;
}
