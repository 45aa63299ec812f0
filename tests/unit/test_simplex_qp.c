/* Cholesky factors, and the nearest point of a convex hull: conditions recomputed from the matrices. */
#include "simplex_qp.h"
#include "support.h"

/* ---- Cholesky ---- */

/* Inner products of random vectors, plus a ridge: positive definite. */
static double *random_matrix(struct rng *rng, size_t n, size_t depth, double ridge)
{
    double *x = malloc((n * depth + 1) * sizeof *x), *a = malloc((n * n + 1) * sizeof *a);
    for (size_t i = 0; i < n * depth; i++)
        x[i] = random_normal(rng);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = i == j ? ridge : 0;
            for (size_t k = 0; k < depth; k++)
                a[i * n + j] += x[i * depth + k] * x[j * depth + k];
        }
    free(x);
    return a;
}

/* Puts rows of a (n, n) into the factor, those of the given numbers. */
static void append(struct cholesky *factor, size_t n, const double *a, size_t count, size_t *member,
                   const size_t *new)
{
    for (size_t r = factor->n; r < factor->n + count; r++) {
        member[r] = new[r - factor->n];
        for (size_t c = 0; c <= r; c++)
            cholesky_row(factor, r)[c] = a[member[r] * n + member[c]];
    }
    cholesky_append(factor, count, 1e-12);
}

/* L L^T is the matrix of the members; solving and multiplying undo each other. */
static void check_factor(const struct cholesky *factor, size_t n, const double *a, const size_t *member,
                         struct rng *rng)
{
    double *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    for (size_t r = 0; r < factor->n; r++)
        for (size_t c = 0; c <= r; c++) {
            double sum = 0;
            for (size_t k = 0; k <= c; k++)
                sum += cholesky_row(factor, r)[k] * cholesky_row(factor, c)[k];
            assert_near(sum, a[member[r] * n + member[c]], 1e-10);
        }
    for (size_t r = 0; r < factor->n; r++)
        x[r] = random_normal(rng);
    memcpy(y, x, factor->n * sizeof *y);
    cholesky_multiply(factor, y);
    for (size_t r = 0; r < factor->n; r++) {
        double sum = 0;
        for (size_t c = 0; c < factor->n; c++)
            sum += a[member[r] * n + member[c]] * x[c];
        assert_near(y[r], sum, 1e-9);
    }
    cholesky_solve(factor, y);
    for (size_t r = 0; r < factor->n; r++)
        assert_near(y[r], x[r], 1e-8);
    free(x);
    free(y);
}

static void test_cholesky(void **state)
{
    enum { N = 150 };
    struct context context;
    struct cholesky factor;
    struct rng rng;
    size_t member[N], order[N];
    (void)state;
    rng_init(&rng, 1, 1);
    test_context_init(&context);
    double *a = random_matrix(&rng, N, N, 1);
    for (size_t i = 0; i < N; i++)
        order[i] = (7 * i + 3) % N;
    assert_ok(cholesky_init(&context, N, &factor), &test_error);
    append(&factor, N, a, 1, member, order);
    append(&factor, N, a, 2, member, order + 1);
    append(&factor, N, a, N - 3, member, order + 3);
    check_factor(&factor, N, a, member, &rng);
    while (factor.n > 1) { /* the first, the last, and any between */
        const size_t out = factor.n % 3 == 0   ? 0
                           : factor.n % 3 == 1 ? factor.n - 1
                                               : rng_below(&rng, (uint32_t)factor.n);
        cholesky_remove(&factor, out);
        memmove(member + out, member + out + 1, (factor.n - out) * sizeof *member);
        if (factor.n % 10 == 1)
            check_factor(&factor, N, a, member, &rng);
    }
    cholesky_remove(&factor, 0);
    assert_int_equal(factor.n, 0);
    free(a);
    test_context_close(&context);
}

/* Rows that depend on others get the least pivot rather than none. */
static void test_cholesky_singular(void **state)
{
    static const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct context context;
    struct cholesky factor;
    size_t member[3];
    (void)state;
    test_context_init(&context);
    assert_ok(cholesky_init(&context, 3, &factor), &test_error);
    append(&factor, 3, ones, 3, member, (const size_t[]){0, 1, 2});
    assert_near(cholesky_row(&factor, 1)[1], 1e-6, 1e-15);
    assert_near(cholesky_row(&factor, 2)[2], 1e-6, 1e-15);
    test_context_close(&context);
}

/* ---- the quadratic program ---- */

static double value_of(size_t n, const double *k, const double *b, const double *w)
{
    double value = 0;
    for (size_t i = 0; i < n; i++) {
        value -= 2 * w[i] * b[i];
        for (size_t j = 0; j < n; j++)
            value += w[i] * w[j] * k[i * n + j];
    }
    return value;
}

/* Karush, Kuhn and Tucker's conditions, and what the answer says of itself. */
static void check_answer(const struct simplex_qp *qp, const double *b, const struct simplex_minimum *minimum,
                         double tolerance)
{
    const size_t n = qp->n;
    double sum = 0, least = INFINITY, most = -INFINITY, mean = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        double gradient = -b[i];
        assert_true(qp->weight[i] >= 0);
        for (size_t j = 0; j < n; j++)
            gradient += qp->k[i * n + j] * qp->weight[j];
        sum += qp->weight[i];
        mean += qp->weight[i] * gradient;
        least = fmin(least, gradient);
        if (qp->weight[i] > 1e-3)
            most = fmax(most, gradient);
        size = fmax(size, fabs(b[i]) + qp->k[i * n + i]);
    }
    assert_near(sum, 1, 1e-12);
    assert_near(minimum->value, value_of(n, qp->k, b, qp->weight), 1e-11 * size);
    assert_near(minimum->gap, 2 * (mean - least), 1e-12 * size);
    assert_true(minimum->gap <= tolerance * minimum->square);
    assert_true(most - least <= 1e3 * tolerance * minimum->square + 1e-12 * size);
}

static struct simplex_minimum solve(struct context *context, struct simplex_qp *qp, const double *b,
                                    double tolerance)
{
    struct simplex_minimum minimum;
    assert_ok(simplex_qp_solve(context, qp, b, tolerance, &minimum), &test_error);
    check_answer(qp, b, &minimum, tolerance);
    return minimum;
}

/* All weights in steps of 1 / GRID. */
static double brute_force(const double *k, const double *b)
{
    enum { GRID = 100 };
    double best = INFINITY;
    for (int i = 0; i <= GRID; i++)
        for (int j = 0; i + j <= GRID; j++) {
            const double w[3] = {(double)i / GRID, (double)j / GRID, (double)(GRID - i - j) / GRID};
            best = fmin(best, value_of(3, k, b, w));
        }
    return best;
}

static void test_tiny(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (int round = 0; round < 200; round++) {
        struct context context;
        struct simplex_qp qp;
        double b[3] = {0};
        test_context_init(&context);
        double *k = random_matrix(&rng, 3, 2, 0);
        for (int i = 0; i < 3; i++)
            b[i] = 2 * random_normal(&rng);
        assert_ok(simplex_qp_init(&context, 3, k, &qp), &test_error);
        const double value = solve(&context, &qp, b, 1e-9).value, brute = brute_force(k, b);
        assert_true(value <= brute + 1e-9);
        assert_true(value >= brute - 0.01); /* as fine as the grid */
        free(k);
        test_context_close(&context);
    }
}

static double *gauss_kernel(size_t n, size_t width, const double *x, double size)
{
    double *k = malloc(n * n * sizeof *k);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double square = 0;
            for (size_t c = 0; c < width; c++)
                square += (x[i * width + c] - x[j * width + c]) * (x[i * width + c] - x[j * width + c]);
            k[i * n + j] = exp(-square / (2 * size * size));
        }
    return k;
}

/* Kernels narrow and wide, in one dimension and many, with copies of rows; warm and cold starts agree. */
static void test_kernels(void **state)
{
    enum { N = 300 };
    static const double sizes[] = {0.05, 0.5, 1, 5, 30};
    static const size_t widths[] = {1, 8};
    struct rng rng;
    (void)state;
    rng_init(&rng, 3, 1);
    for (size_t s = 0; s < LENGTH(sizes) * LENGTH(widths); s++) {
        const size_t width = widths[s % LENGTH(widths)];
        double x[N * 8], b[N] = {0};
        struct context context;
        struct simplex_qp warm;
        for (size_t i = 0; i < N * width; i++)
            x[i] = i / width % 3 == 1 ? x[i - width] : random_normal(&rng) + (i < N * width / 3 ? 1 : 0);
        test_context_init(&context);
        context.threads = s % 2 == 0 ? 1 : 2;
        double *k = gauss_kernel(N, width, x, sizes[s / LENGTH(widths)]);
        assert_ok(simplex_qp_init(&context, N, k, &warm), &test_error);
        for (double lambda = 4; lambda > 0.5; lambda *= 0.7) {
            struct simplex_qp cold;
            for (size_t i = 0; i < N; i++) {
                b[i] = 0;
                for (size_t j = 0; j < N; j++)
                    b[i] += k[i * N + j] * (j < N / 3 ? (1 - lambda) * 3 / N : lambda * 1.5 / N);
            }
            assert_ok(simplex_qp_init(&context, N, k, &cold), &test_error);
            const struct simplex_minimum a = solve(&context, &warm, b, 1e-10);
            const struct simplex_minimum c = solve(&context, &cold, b, 1e-10);
            assert_near(a.value, c.value, 2e-10);
        }
        free(k);
        test_context_close(&context);
    }
}

/* One vertex; equal ones; one at which the target is. */
static void test_degenerate(void **state)
{
    static const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const double unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    struct context context;
    struct simplex_qp qp;
    (void)state;
    test_context_init(&context);
    assert_ok(simplex_qp_init(&context, 1, ones, &qp), &test_error);
    assert_near(solve(&context, &qp, (const double[4]){3}, 1e-12).value, -5, 0);
    assert_true(qp.weight[0] == 1);
    assert_ok(simplex_qp_init(&context, 4, ones, &qp), &test_error);
    assert_near(solve(&context, &qp, (const double[]){1, 1, 1, 1}, 1e-12).value, -1, 1e-12);
    assert_near(solve(&context, &qp, (const double[]){1, 2, 1, 1}, 1e-12).value, -3, 1e-12);
    assert_ok(simplex_qp_init(&context, 4, unit, &qp), &test_error);
    assert_near(solve(&context, &qp, (const double[]){0, 0, 1, 0}, 1e-12).value, -1, 1e-12);
    assert_near(qp.weight[2], 1, 1e-9);
    test_context_close(&context);
}

/* An impossible demand ends with an error. */
static void test_unreachable(void **state)
{
    static const double k[4] = {1, 0.3, 0.3, 2}, b[2] = {0.7, 0.9};
    struct context context;
    struct simplex_qp qp;
    struct simplex_minimum minimum;
    (void)state;
    test_context_init(&context);
    assert_ok(simplex_qp_init(&context, 2, k, &qp), &test_error);
    assert_int_equal(simplex_qp_solve(&context, &qp, b, -1, &minimum), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "gap");
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cholesky),   cmocka_unit_test(test_cholesky_singular),
        cmocka_unit_test(test_tiny),       cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_degenerate), cmocka_unit_test(test_unreachable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
