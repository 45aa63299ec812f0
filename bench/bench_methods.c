/* Measures time and accuracy of single methods. Prints a table. Exits with 1 if a limit is missed. */
#include "bench.h"

#include "context.h"
#include "kernel_mean.h"

#include <stdio.h>
#include <stdlib.h>

/* Gaussian features, shifted for positives. Labeled rows come first; 30% of the others are positive. */
static float *make_rows(size_t n, size_t n_labeled, size_t width, unsigned char *label)
{
    float *x = checked(malloc(n * width * sizeof *x));
    struct rng rng;
    rng_init(&rng, 3, 0);
    for (size_t i = 0; i < n; i++) {
        label[i] = i < n_labeled;
        const double shift = label[i] || rng_uniform(&rng) < 0.3 ? 0.5 : 0;
        for (size_t j = 0; j < width; j++)
            x[i * width + j] = (float)(rng_normal(&rng) + shift);
    }
    return x;
}

static void bench_kernel_mean(void)
{
    enum { ROWS = 4000, LABELED = 1000, WIDTH = 50 };
    static unsigned char label[ROWS];
    float *x = make_rows(ROWS, LABELED, WIDTH, label);
    const struct feature_rows rows = {ROWS, WIDTH, x, label, NULL};
    struct arena arena;
    struct kernel_mean found;
    dedpul_error error;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    context.threads = 2;
    const double start = now();
    check(kernel_mean(&context, &rows, KERNEL_MEAN_2, &found), &error);
    const double seconds = now() - start;
    arena_free(&arena);
    free(x);
    printf("km2: alpha %.3f, in truth 0.3\n", found.alpha);
    report("km2 on 4000 rows x 50 columns, 2 threads", seconds, "s", "<=", 15);
    report("km2, largest relative duality gap", found.gap, "", "<=", 1e-6);
}

int main(void)
{
    bench_kernel_mean();
    return all_limits_met() ? 0 : 1;
}
