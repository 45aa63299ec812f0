/* Makes the weights of the learned estimator: simulates problems, trains the network, and checks it on others. */
#include "clock.h"
#include "float_exp.h"
#include "parallel.h"
#include "train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

struct lessons {
    struct lesson *lesson;
    uint64_t seed;
};

static dedpul_status do_population(struct context *context, void *argument, size_t index)
{
    const struct lessons *lessons = argument;
    return simulate(context, lessons->seed, index, lessons->lesson + index * PROBLEMS_PER_POPULATION);
}

int main(int argc, char **argv)
{
    dedpul_error error = {DEDPUL_OK, ""};
    struct arena arena;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    if (argc < 4)
        return 2;
    const size_t populations = (size_t)atoll(argv[2]), steps = (size_t)atoll(argv[3]);
    const size_t n = populations * PROBLEMS_PER_POPULATION;
    context.threads = threads_or_default(argc > 4 ? (unsigned)atoi(argv[4]) : 0);
    struct lesson *lesson = malloc(n * sizeof *lesson);
    struct lessons lessons = {lesson, 1};
    double began = clock_seconds();
    if (parallel_for(&context, populations, do_population, &lessons) != DEDPUL_OK)
        return 1;
    fprintf(stderr, "simulated %zu problems in %.1f s\n", n, clock_seconds() - began);
    float *weight = malloc(NET_SIZE * sizeof *weight);
    began = clock_seconds();
    struct training training = {n, lesson, steps, 3e-3, 1};
    if (train(&context, &training, weight) != DEDPUL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    fprintf(stderr, "trained in %.1f s\n", clock_seconds() - began);
    FILE *file = fopen(argv[1], "wb");
    fwrite(weight, sizeof *weight, NET_SIZE, file);
    fclose(file);
    enum { CHECK = 2000 };
    struct lesson *other = malloc(CHECK * PROBLEMS_PER_POPULATION * sizeof *other);
    struct lessons check = {other, 2};
    if (parallel_for(&context, CHECK, do_population, &check) != DEDPUL_OK)
        return 1;
    const size_t m = CHECK * PROBLEMS_PER_POPULATION;
    fprintf(stderr, "loss %.5f (training) %.5f (others)\n", mean_loss(m, lesson, weight), mean_loss(m, other, weight));
    double sum = 0, bias = 0, inside = 0;
    for (size_t i = 0; i < m; i++) {
        float q[N_QUANTILES];
        quantile_net_run(weight, other[i].input, q);
        const double e = (double)(float_sigmoid(q[MEDIAN]) - float_sigmoid(other[i].target));
        sum += fabs(e);
        bias += e;
        inside += other[i].target >= q[0] && other[i].target <= q[N_QUANTILES - 1];
    }
    fprintf(stderr, "error %.5f bias %.5f coverage %.4f\n", sum / (double)m, bias / (double)m, inside / (double)m);
    arena_free(&arena);
    free(lesson); free(weight); free(other);
    return 0;
}
