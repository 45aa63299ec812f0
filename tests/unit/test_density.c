#include "density.h"
#include "gauss_transform.h"
#include "kde.h"
#include "logistic.h"
#include "support.h"

/* ---- the fast Gauss transform against direct summation ---- */

static double direct(size_t n, const double *source, const double *weight, double h, double target)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        const double z = (target - source[j]) / h;
        sum += (weight != NULL ? weight[j] : 1) * exp(-z * z / 2);
    }
    return sum;
}

/*
 * Relative error at most 1e-8 where a source is near; absolute error at most 1e-12 of the peak
 * everywhere; never negative.
 */
static void check_transform(size_t n_source, double *source, const double *weight, double h, size_t n_target,
                            double *target)
{
    struct context context;
    double *out = malloc(n_target * sizeof *out), *exact = malloc(n_target * sizeof *exact), peak = 0;
    test_context_init(&context);
    sort_doubles(n_source, source);
    sort_doubles(n_target, target);
    assert_ok(gauss_transform(&context, n_source, source, weight, h, 1, n_target, target, out), &test_error);
    for (size_t i = 0; i < n_target; i++) {
        exact[i] = direct(n_source, source, weight, h, target[i]);
        peak = fmax(peak, exact[i]);
    }
    for (size_t i = 0; i < n_target; i++) {
        assert_true(out[i] >= 0);
        assert_near(out[i], exact[i], 1e-12 * peak);
        if (exact[i] >= 0.5)
            assert_near(out[i] / exact[i], 1, 1e-10);
    }
    test_context_close(&context);
    free(out);
    free(exact);
}

static void test_transform_samples(void **state)
{
    enum { N = 3000, M = 1000 };
    static const double bandwidths[] = {1e-4, 0.003, 0.05, 0.3, 5};
    double source[N], target[M], weight[N];
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (int kind = 0; kind < 4; kind++)
        for (size_t b = 0; b < LENGTH(bandwidths); b++) {
            for (size_t i = 0; i < N; i++) {
                const double normal = random_normal(&rng);
                source[i] = kind == 0   ? normal
                            : kind == 1 ? 100 + exp(3 * normal) /* heavy tail, far from 0 */
                            : kind == 2 ? floor(20 * normal) / 20
                                        : (i % 2 == 0 ? 0.01 * normal : 8 + normal);
                weight[i] = 2 * rng_uniform(&rng);
            }
            for (size_t i = 0; i < M; i++)
                target[i] = i % 2 == 0 ? source[i] : source[i] + random_normal(&rng);
            check_transform(N, source, b % 2 == 0 ? NULL : weight, bandwidths[b], M, target);
        }
}

/* A lone point at any distance from a large crowd: the sum is 1 and must not drown in its neighbour's
 * rounding. */
static void test_transform_lone_point(void **state)
{
    enum { N = 20001 };
    double *source = malloc(N * sizeof *source), *target = malloc(N * sizeof *target);
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (double distance = 3; distance < 14; distance += 0.37) {
        for (size_t i = 0; i + 1 < N; i++)
            source[i] = 0.3 * rng_uniform(&rng);
        source[N - 1] = distance;
        target[0] = distance;
        target[1] = -distance;
        check_transform(N, source, NULL, 1, 2, target);
    }
    free(source);
    free(target);
}

static void test_transform_single(void **state)
{
    double source[] = {2}, target[] = {-100, 2, 2.5, 100};
    (void)state;
    check_transform(1, source, NULL, 0.5, 4, target);
}

/* ---- samples ---- */

static void make_sample(struct context *context, size_t n, const double *score, const double *weight,
                        struct sample *sample)
{
    const struct scored_rows rows = {.n = n, .score = score, .weight = weight};
    assert_ok(sample_sort(context, &rows, NULL, 0, sample), &test_error);
}

static void test_sample(void **state)
{
    static const double score[] = {0.5, 0, 1, 0.25, -0.0, 0.75}, weight[] = {1, 2, 0, 3, 4, 5};
    static const unsigned char label[] = {0, 1, 0, 0, 1, 0};
    const struct scored_rows rows = {.n = 6, .score = score, .weight = weight};
    struct context context;
    struct sample p, u;
    (void)state;
    test_context_init(&context);
    assert_ok(sample_sort(&context, &rows, label, 1, &p), &test_error);
    assert_ok(sample_sort(&context, &rows, label, 0, &u), &test_error);
    assert_int_equal(p.n, 2);
    assert_int_equal(u.n, 3); /* the row of weight 0 is left out */
    assert_near(p.total, 6, 0);
    assert_near(u.total, 9, 0);
    assert_int_equal(u.row[0], 2); /* 0.25 is the third of the unlabeled rows */
    assert_near(u.weight[0], 3, 0);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    assert_near(p.score[0], 0.125, 0); /* half of the smallest distance from a bound */
    assert_near(u.score[2], 0.75, 0);
    assert_near(u.logit[2], log(3), 1e-15);
    test_context_close(&context);
}

static void test_sample_without_interior(void **state)
{
    static const double zero_one[] = {0, 1};
    struct context context;
    struct sample p, u;
    (void)state;
    test_context_init(&context);
    make_sample(&context, 2, zero_one, NULL, &p);
    make_sample(&context, 2, zero_one, NULL, &u);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    assert_near(u.score[0], 1e-3, 0);
    assert_near(u.score[1], 1 - 1e-3, 0);
    test_context_close(&context);
}

/* ---- densities ---- */

enum { GRID = 20000 };

/* A grid of points to integrate over: fine in the logit, from end to end. */
static void make_grid(struct context *context, struct sample *grid)
{
    double *score = context_allocate(context, GRID, sizeof *score);
    for (size_t i = 0; i < GRID; i++)
        score[i] = 1 / (1 + exp(-(-25 + 50.0 * (double)i / (GRID - 1))));
    make_sample(context, GRID, score, NULL, grid);
    grid->logit = context_allocate(context, GRID, sizeof *grid->logit);
    for (size_t i = 0; i < GRID; i++)
        grid->logit[i] = logit_of(grid->score[i]);
}

static double integral(const struct density_kind *kind, const struct sample *grid, const double *f)
{
    const double *x = kind == &density_histogram ? grid->score : grid->logit;
    double sum = 0;
    for (size_t i = 1; i < GRID; i++)
        sum += (x[i] - x[i - 1]) * (f[i] + f[i - 1]) / 2;
    return sum;
}

static void test_densities_integrate_to_one(void **state)
{
    struct test_problem problem = problem_make(300, 1000, 0.4, 2, 1);
    (void)state;
    for (size_t k = 0; k < density_kind_count(); k++)
        for (int is_auto = 0; is_auto < 2; is_auto++) {
            const struct density_kind *kind = density_kind_at(k);
            const struct density_request request = {ROLE_U,
                                                    {is_auto ? BANDWIDTH_AUTO : BANDWIDTH_FACTOR, 0.05}};
            struct context context;
            struct sample p, u, grid;
            struct density density;
            double f[GRID];
            test_context_init(&context);
            make_sample(&context, problem.n_p, problem.p, NULL, &p);
            make_sample(&context, problem.n_u, problem.u, NULL, &u);
            assert_ok(samples_transform(&context, &p, &u), &test_error);
            assert_ok(kind->fit(&context, &u, &request, &density), &test_error);
            make_grid(&context, &grid);
            assert_ok(kind->evaluate(&context, &density, &grid, f), &test_error);
            for (size_t i = 0; i < GRID; i++)
                assert_true(f[i] >= 0);
            /* the grid does not see where a bin ends */
            assert_near(integral(kind, &grid, f), 1, kind == &density_histogram ? 1e-2 : 1e-4);
            test_context_close(&context);
        }
    problem_free(&problem);
}

/* Where the truth is one Gaussian, each automatic choice comes near to it. */
static void test_automatic_choice(void **state)
{
    enum { N = 20000 };
    double *score;
    struct rng rng;
    (void)state;
    if (IS_SLOW)
        skip();
    score = malloc(N * sizeof *score);
    rng_init(&rng, 8, 1);
    for (size_t i = 0; i < N; i++)
        score[i] = 1 / (1 + exp(-random_normal(&rng)));
    for (size_t k = 0; k < density_kind_count(); k++) {
        const struct density_kind *kind = density_kind_at(k);
        const struct density_request request = {ROLE_P, {BANDWIDTH_AUTO, NAN}};
        struct context context;
        struct sample p, u, points;
        struct density density;
        double f[5], z[] = {-2, -1, 0, 1, 2}, y[5];
        test_context_init(&context);
        make_sample(&context, N, score, NULL, &p);
        make_sample(&context, N, score, NULL, &u);
        assert_ok(samples_transform(&context, &p, &u), &test_error);
        assert_ok(kind->fit(&context, &p, &request, &density), &test_error);
        for (size_t i = 0; i < 5; i++)
            y[i] = 1 / (1 + exp(-z[i]));
        make_sample(&context, 5, y, NULL, &points);
        points.logit = z;
        assert_ok(kind->evaluate(&context, &density, &points, f), &test_error);
        for (size_t i = 0; i < 5; i++) {
            const double truth = exp(-z[i] * z[i] / 2) / sqrt(6.283185307179586);
            const double jacobian = kind == &density_histogram ? y[i] * (1 - y[i]) : 1;
            assert_near(f[i] * jacobian, truth, 0.03);
        }
        if (kind == &density_gmm)
            assert_true(density.size <= 5); /* one is enough, 50 are possible */
        if (kind == &density_kde)
            assert_true(density.size > 0.02 && density.size < 0.25);
        test_context_close(&context);
    }
    free(score);
}

static void test_default_sizes(void **state)
{
    struct test_problem problem = problem_make(300, 5000, 0.4, 2, 1);
    static const double expected[][2] = {[ROLE_P] = {10, 20}, [ROLE_U] = {20, 20}};
    struct context context;
    struct sample p, u;
    struct density density;
    (void)state;
    test_context_init(&context);
    make_sample(&context, problem.n_p, problem.p, NULL, &p);
    make_sample(&context, problem.n_u, problem.u, NULL, &u);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    for (enum sample_role role = ROLE_P; role <= ROLE_U; role++) {
        const struct density_request request = {role, {BANDWIDTH_FACTOR, 0.05}};
        assert_ok(density_gmm.fit(&context, &u, &request, &density), &test_error);
        assert_near(density.size, expected[role][0], 0);
        assert_ok(density_histogram.fit(&context, &u, &request, &density), &test_error);
        assert_near(density.size, expected[role][1], 0);
    }
    test_context_close(&context);
    problem_free(&problem);
}

/* EM leaves the mean and the variance of the sample as they are, also where it sees groups of rows. */
static void test_gmm_moments(void **state)
{
    enum { N = 50000 };
    const struct density_request request = {ROLE_U, {BANDWIDTH_FACTOR, 0.05}};
    double *score = malloc(N * sizeof *score), f[GRID], mean = 0, square = 0, sample_square = 0;
    struct rng rng;
    struct context context;
    struct sample p, u, grid;
    struct density density;
    (void)state;
    rng_init(&rng, 4, 1);
    for (size_t i = 0; i < N; i++) /* long tails, so that groups are wide there */
        score[i] = 1 / (1 + exp(log(1 - rng_uniform(&rng)) * (i % 2 == 0 ? 1 : -1)));
    test_context_init(&context);
    make_sample(&context, N, score, NULL, &p);
    make_sample(&context, N, score, NULL, &u);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    assert_ok(density_gmm.fit(&context, &u, &request, &density), &test_error);
    make_grid(&context, &grid);
    assert_ok(density_gmm.evaluate(&context, &density, &grid, f), &test_error);
    for (size_t i = 1; i < GRID; i++) {
        const double mass = (grid.logit[i] - grid.logit[i - 1]) * (f[i] + f[i - 1]) / 2;
        mean += mass * (grid.logit[i] + grid.logit[i - 1]) / 2;
        square += mass * grid.logit[i] * grid.logit[i - 1];
    }
    for (size_t i = 0; i < N; i++)
        sample_square += u.logit[i] * u.logit[i] / N;
    assert_near(mean, 0, 0.02);
    assert_near(square / sample_square, 1, 2e-5);
    test_context_close(&context);
    free(score);
}

/* Fewer distinct values than components. */
static void test_gmm_few_values(void **state)
{
    static const double score[] = {0.2, 0.2, 0.8, 0.8, 0.8};
    const struct density_request request = {ROLE_U, {BANDWIDTH_FACTOR, 0.05}};
    struct context context;
    struct sample p, u;
    struct density density;
    double f[5];
    (void)state;
    test_context_init(&context);
    make_sample(&context, 5, score, NULL, &p);
    make_sample(&context, 5, score, NULL, &u);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    assert_ok(density_gmm.fit(&context, &u, &request, &density), &test_error);
    assert_near(density.size, 2, 0);
    assert_ok(density_gmm.evaluate(&context, &density, &u, f), &test_error);
    assert_near(f[4] / f[0], 1.5, 1e-6);
    test_context_close(&context);
}

static void test_kinds(void **state)
{
    (void)state;
    assert_null(density_kind_find("kd", &test_error));
    assert_contains(test_error.message, "did you mean 'kde'?");
    assert_null(density_kind_at(99));
}

/* An outlier far from all others does not rule out every bandwidth. */
static void test_auto_with_outlier(void **state)
{
    enum { N = 500 };
    double score[N];
    const struct density_request request = {ROLE_U, {BANDWIDTH_AUTO, NAN}};
    struct rng rng;
    struct context context;
    struct sample p, u;
    struct density density;
    (void)state;
    rng_init(&rng, 3, 1);
    for (size_t i = 0; i < N; i++)
        score[i] = 1 / (1 + exp(-random_normal(&rng)));
    score[0] = 1e-10;
    score[1] = 1 - 1e-10;
    test_context_init(&context);
    make_sample(&context, N, score, NULL, &p);
    make_sample(&context, N, score, NULL, &u);
    assert_ok(samples_transform(&context, &p, &u), &test_error);
    assert_ok(density_kde.fit(&context, &u, &request, &density), &test_error);
    assert_true(density.size > 0.01);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transform_samples),
        cmocka_unit_test(test_transform_lone_point),
        cmocka_unit_test(test_transform_single),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_sample_without_interior),
        cmocka_unit_test(test_densities_integrate_to_one),
        cmocka_unit_test(test_automatic_choice),
        cmocka_unit_test(test_default_sizes),
        cmocka_unit_test(test_gmm_moments),
        cmocka_unit_test(test_gmm_few_values),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_auto_with_outlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
