#include "best_bin.h"
#include "binomial.h"
#include "gemm.h"
#include "interpolate.h"
#include "normal.h"
#include "sort.h"
#include "sum.h"
#include "support.h"
#include "weighted.h"

#include <signal.h>
#include <sys/time.h>

/* OpenMP's own functions. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

/* Against the definition: ascending, stable, the same items. */
typedef dedpul_status sorter(struct context *context, size_t n, double *key, uint32_t *row);

static void check_sort(sorter *sort, size_t n, const double *input, unsigned threads)
{
    struct context context;
    double *key = malloc((n + 1) * sizeof *key);
    uint32_t *row = malloc((n + 1) * sizeof *row);
    test_context_init(&context);
    context.threads = threads;
    memcpy(key, input, n * sizeof *key);
    for (size_t i = 0; i < n; i++)
        row[i] = (uint32_t)i;
    assert_ok(sort(&context, n, key, row), &test_error);
    assert_null(context_mark(&context));
    for (size_t i = 0; i < n; i++) {
        assert_true(row[i] < n);
        assert_true(key[i] == input[row[i]]);
        assert_true(i == 0 || key[i - 1] < key[i] || (key[i - 1] == key[i] && row[i - 1] < row[i]));
    }
    test_context_close(&context);
    free(key);
    free(row);
}

static void test_sort(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 70000};
    double *key = malloc(70000 * sizeof *key);
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (size_t s = 0; s < LENGTH(sizes); s++)
        for (int kind = 0; kind < 8; kind++) {
            for (size_t i = 0; i < sizes[s]; i++) {
                const double uniform = rng_uniform(&rng);
                key[i] = kind == 0   ? uniform
                         : kind == 1 ? floor(10 * uniform)       /* ties and zeros */
                         : kind == 2 ? exp(1400 * uniform - 700) /* the whole range of exponents */
                         : kind == 3 ? 0
                         : kind == 4 ? (double)i
                         : kind == 5 ? 1 + uniform * 1e-13 /* lowest bits only */
                         : kind == 6 ? (uniform < 0.1   ? INFINITY
                                        : uniform < 0.2 ? 5e-324
                                                        : uniform)
                                     /* a crowd that only the lowest bits tell apart, beside others */
                                     : (i % 100 == 0 ? exp(600 * uniform - 300)
                                        : i % 7 == 0 ? 1.05
                                                     : 1 + uniform * 0x1p-36);
            }
            check_sort(sort_with_rows, sizes[s], key, 1);
        }
    free(key);
}

/* Keys of any sign; equal ones, of which -0.0 and 0.0 are two, keep their order. */
static void test_sort_numbers(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 64, 65, 1000, 70001};
    double *key = malloc(70001 * sizeof *key);
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (size_t s = 0; s < LENGTH(sizes); s++)
        for (int kind = 0; kind < 8; kind++) {
            for (size_t i = 0; i < sizes[s]; i++) {
                const double uniform = rng_uniform(&rng), sign = rng_below(&rng, 2) == 0 ? -1 : 1;
                key[i] = kind == 0   ? random_normal(&rng)
                         : kind == 1 ? floor(10 * uniform) - 5 /* ties */
                         : kind == 2 ? sign * 0.0
                         : kind == 3 ? -uniform
                         : kind == 4 ? -(double)i
                         : kind == 5 ? sign * exp(1400 * uniform - 700)
                         : kind == 6 ? (uniform < 0.3   ? sign * 5e-324
                                        : uniform < 0.6 ? sign * 0.0
                                                        : sign * 1.7976931348623157e308)
                                     : 1.6e9 * sign + uniform;
            }
            check_sort(sort_numbers, sizes[s], key, 1 + (unsigned)kind % 2);
        }
    free(key);
}

/* ---- the normal distribution ---- */

/* As R and SciPy give them. */
static void test_normal_quantile(void **state)
{
    static const double known[][2] = {
        {1e-300, -37.0470962993612},
        {1e-10, -6.361340902404056},
        {0.001, -3.090232306167813},
        {0.1, -1.2815515655446004},
        {0.5, 0},
        {0.7, 0.5244005127080407},
        {0.975, 1.959963984540054},
        {0.999, 3.090232306167813},
        {1 - 0x1p-53, 8.209536151601387},
    };
    double last = -INFINITY;
    (void)state;
    for (size_t i = 0; i < LENGTH(known); i++)
        assert_near(normal_quantile(known[i][0]), known[i][1], 4e-15 * (1 + fabs(known[i][1])));
    for (double p = 0x1p-10; p < 1; p += 0x1p-10) { /* exact, as is 1 - p */
        const double x = normal_quantile(p);
        assert_true(x > last);
        assert_near(0.5 * erfc(-x * sqrt(0.5)), p, 1e-15);
        assert_near(normal_quantile(1 - p), -x, 1e-15);
        last = x;
    }
    for (double p = 0.4; p > 1e-307; p *= 0.7)
        assert_near(0.5 * erfc(-normal_quantile(p) * sqrt(0.5)) / p, 1, 1e-12);
}

/* ---- curves ---- */

static void test_interpolate(void **state)
{
    static const double place[] = {-2, 0, 1, 5}, height[] = {3, -1, 1, 0};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_near(interpolate(4, place, height, place[i]), height[i], 0);
    assert_near(interpolate(4, place, height, -1e300), 3, 0);
    assert_near(interpolate(4, place, height, -1), 1, 1e-15);
    assert_near(interpolate(4, place, height, 0.25), -0.5, 1e-15);
    assert_near(interpolate(4, place, height, 4), 0.25, 1e-15);
    assert_near(interpolate(4, place, height, INFINITY), 0, 0);
    assert_near(interpolate(1, place, height, -5), 3, 0);
    assert_near(interpolate(1, place, height, -2), 3, 0);
    assert_near(interpolate(1, place, height, 5), 3, 0);
}

/* For each length, bounds at, between and beyond the values, some of which are tied. */
static void test_first_above(void **state)
{
    double value[70];
    (void)state;
    for (size_t n = 0; n <= LENGTH(value); n++) {
        for (size_t i = 0; i < n; i++)
            value[i] = 2 * floor((double)i / 3);
        for (double bound = -1; bound <= (double)n; bound++) {
            size_t expected = 0;
            while (expected < n && value[expected] <= bound)
                expected++;
            assert_int_equal(first_above(n, value, bound), expected);
            double bounds[BOUNDS_AT_ONCE];
            size_t found[BOUNDS_AT_ONCE];
            for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
                bounds[k] = bound + (double)k;
            first_above_each(n, value, bounds, found);
            for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
                assert_int_equal(found[k], first_above(n, value, bounds[k]));
        }
    }
}

/* ---- products of matrices ---- */

enum { MOST_SIZE = 70 };

static void check_products(size_t rows, size_t columns, size_t depth, struct rng *rng)
{
    static float a[MOST_SIZE * MOST_SIZE], b[MOST_SIZE * MOST_SIZE], a_t[MOST_SIZE * MOST_SIZE],
        b_t[MOST_SIZE * MOST_SIZE], c[3][MOST_SIZE * MOST_SIZE + 1];
    for (size_t k = 0; k < depth; k++) {
        for (size_t i = 0; i < rows; i++)
            a[i * depth + k] = a_t[k * rows + i] = (float)random_normal(rng);
        for (size_t j = 0; j < columns; j++)
            b[k * columns + j] = b_t[j * depth + k] = (float)random_normal(rng);
    }
    for (int kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < LENGTH(c[kind]); i++)
            c[kind][i] = 1e30F; /* is overwritten, not added to */
    multiply_nt(rows, columns, depth, a, b_t, c[0]);
    multiply_tn(rows, columns, depth, a_t, b, c[1]);
    multiply_nn(rows, columns, depth, a, b, c[2]);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) {
                double sum = 0;
                for (size_t k = 0; k < depth; k++)
                    sum += (double)a[i * depth + k] * b[k * columns + j];
                assert_near(c[kind][i * columns + j], sum, 2e-5);
            }
        assert_true(c[kind][rows * columns] == 1e30F);
    }
}

static void test_products(void **state)
{
    static const size_t sizes[] = {1, 2, 5, 17, 64, 69};
    const int before = omp_get_max_threads();
    struct rng rng;
    (void)state;
    rng_init(&rng, 3, 1);
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (size_t j = 0; j < LENGTH(sizes); j++)
            for (size_t k = 0; k < LENGTH(sizes); k++)
                check_products(sizes[i], sizes[j], sizes[k], &rng);
    assert_int_equal(omp_get_max_threads(), before);
    for (int threads = 1; threads <= 3; threads++) { /* the caller's setting stays as it is */
        omp_set_num_threads(threads);
        check_products(7, 3, 9, &rng);
        assert_int_equal(omp_get_max_threads(), threads);
    }
    omp_set_num_threads(before);
}

static void test_sum_keeps_small_terms(void **state)
{
    struct sum sum = {0, 0};
    (void)state;
    sum_add(&sum, 1e16);
    for (int i = 0; i < 1000; i++)
        sum_add(&sum, 1);
    sum_add(&sum, -1e16);
    assert_near(sum_value(&sum), 1000, 0);
}

/* Weighted statistics are those of the values repeated. */
static void test_weighted_as_repeated(void **state)
{
    enum { N = 50, MOST = 5 };
    double value[N], weight[N], repeated[N * MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 9, 1);
    for (int round = 0; round < 20; round++) {
        size_t n = 0;
        for (size_t i = 0; i < N; i++)
            value[i] = floor(20 * rng_uniform(&rng)) / 20;
        sort_doubles(N, value);
        for (size_t i = 0; i < N; i++) {
            weight[i] = 1 + rng_below(&rng, MOST);
            for (int k = 0; k < (int)weight[i]; k++)
                repeated[n++] = value[i];
        }
        assert_near(weighted_total(N, weight), (double)n, 0);
        assert_near(weighted_mean(N, value, weight), weighted_mean(n, repeated, NULL), 1e-14);
        assert_near(weighted_deviation(N, value, weight), weighted_deviation(n, repeated, NULL), 1e-14);
        for (double q = 0; q <= 1; q += 0.05)
            assert_near(weighted_quantile(N, value, weight, q), repeated[(size_t)floor(q * (double)(n - 1))],
                        0);
    }
}

static void test_deviation(void **state)
{
    static const double value[] = {1, 2, 3, 4};
    (void)state;
    assert_near(weighted_deviation(4, value, NULL), sqrt(5.0 / 3), 1e-15);
}

static void test_auc(void **state)
{
    enum { N = 40, M = 60 };
    double a[N], b[M], weight_a[N], weight_b[M];
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (size_t i = 0; i < N; i++) {
        a[i] = floor(10 * rng_uniform(&rng));
        weight_a[i] = rng_uniform(&rng);
    }
    for (size_t j = 0; j < M; j++) {
        b[j] = floor(12 * rng_uniform(&rng));
        weight_b[j] = rng_uniform(&rng);
    }
    sort_doubles(N, a);
    sort_doubles(M, b);
    double wins = 0, pairs = 0, plain = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < M; j++) {
            const double win = a[i] > b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
            wins += weight_a[i] * weight_b[j] * win;
            pairs += weight_a[i] * weight_b[j];
            plain += win;
        }
    assert_near(weighted_auc(N, a, weight_a, M, b, weight_b), wins / pairs, 1e-14);
    assert_near(weighted_auc(N, a, NULL, M, b, NULL), plain / (N * M), 1e-14);
}

/* Against scipy.stats.beta. */
static void test_beta_probability(void **state)
{
    static const double known[][4] = {{2, 3, 0.4, 0.5248},
                                      {0.5, 0.5, 0.1, 0.204832764699133},
                                      {1000, 2000, 0.34, 0.781215091160667},
                                      {1e5, 3e5, 0.2505, 0.767482353806697},
                                      {5, 1e6, 3e-6, 0.184738519810819}};
    (void)state;
    for (size_t i = 0; i < LENGTH(known); i++) {
        assert_near(beta_probability(known[i][0], known[i][1], known[i][2]), known[i][3], 1e-11);
        assert_near(beta_quantile(known[i][0], known[i][1], known[i][3]), known[i][2], 1e-11 * known[i][2]);
    }
    assert_near(beta_probability(2, 3, 0), 0, 0);
    assert_near(beta_probability(2, 3, 1), 1, 0);
}

static void test_binomial_bounds(void **state)
{
    static const struct {
        double count, total, confidence, lower, upper;
    } known[] = {{0, 10, 0.9, 0, 0.205671765275719},
                 {10, 10, 0.9, 0.794328234724281, 1},
                 {1, 10, 0.9, 0.0104807417937856, 0.336847723306725},
                 {3, 10, 0.9, 0.115825278029763, 0.551730832383599},
                 {9, 10, 0.9, 0.663152276693275, 0.989519258206214},
                 {0, 1e6, 0.9, 0, 2.30258244204703e-06},
                 {999, 1000, 0.9, 0.996115895601603, 0.999894645034566},
                 {2.5, 7.25, 0.9, 0.117209453525407, 0.644166063556303},
                 {123456.75, 1000000.5, 0.9, 0.123035146878521, 0.123879306725879},
                 {1500, 6000, 0.9, 0.242813520751314, 0.257307074269314},
                 {50, 100, 0.99, 0.380717466906953, 0.619282533093047},
                 {500000, 2000000, 0.9, 0.249607535338397, 0.250392821985434},
                 {70000, 150000, 0.9, 0.465012863489726, 0.46832110609145}};
    (void)state;
    for (size_t i = 0; i < LENGTH(known); i++) {
        const double lower = binomial_lower(known[i].count, known[i].total, known[i].confidence);
        const double upper = binomial_upper(known[i].count, known[i].total, known[i].confidence);
        assert_near(lower, known[i].lower, 1e-10 * known[i].lower);
        assert_near(upper, known[i].upper, 1e-10 * known[i].upper);
    }
}

/*
 * By the definition for whole counts: at the upper bound, at most so many successes have a probability of
 * 1 - confidence. And bounds grow with the count, also from one way of computing them to the other.
 */
static void test_binomial_definition(void **state)
{
    enum { N = 30 };
    (void)state;
    for (int count = 0; count < N; count++) {
        const double share = binomial_upper(count, N, 0.9);
        double probability = 0, term = pow(1 - share, N);
        for (int k = 0; k <= count; k++) {
            probability += term;
            term *= share / (1 - share) * (N - k) / (k + 1);
        }
        assert_near(probability, 0.1, 1e-11);
        assert_near(binomial_lower(N - count, N, 0.9), 1 - share, 1e-13);
    }
    for (double count = 99900; count < 100100; count++) {
        assert_true(binomial_upper(count, 1e6, 0.9) < binomial_upper(count + 1, 1e6, 0.9));
        assert_true(binomial_lower(count, 1e6, 0.9) < binomial_lower(count + 1, 1e6, 0.9));
    }
}

/* Weights up to the largest: within the share's reach, not farther than the counts allow, and no hang. */
static void test_binomial_extremes(void **state)
{
    static const double totals[] = {2, 1e3, 1e9, DEDPUL_LARGEST_WEIGHT};
    static const double shares[] = {0, 1e-12, 1e-3, 0.5, 1 - 1e-12, 1};
    (void)state;
    for (size_t i = 0; i < LENGTH(totals); i++)
        for (size_t j = 0; j < LENGTH(shares); j++) {
            const double count = shares[j] * totals[i];
            const double lower = binomial_lower(count, totals[i], 0.9);
            const double upper = binomial_upper(count, totals[i], 0.9);
            assert_true(0 <= lower && lower <= shares[j] && shares[j] <= upper && upper <= 1);
            assert_true(upper - lower < 4 / sqrt(totals[i]));
        }
}

/* ---- best bin estimates ---- */

static double weight_above(size_t n, const double *value, const double *weight, double threshold)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i] >= threshold ? weight_at(weight, i) : 0;
    return sum;
}

/* Every distinct value of b as the threshold, and the place just above all of b; of equal bounds, the lowest.
 */
static double find_best_bin(size_t n, const double *a, const double *weight_a, size_t m, const double *b,
                            const double *weight_b, double risk, double *bound)
{
    const double total_a = weight_above(n, a, weight_a, -INFINITY);
    const double total_b = weight_above(m, b, weight_b, -INFINITY);
    const double width = sqrt(log(4 / risk) / 2 / total_a) + sqrt(log(4 / risk) / 2 / total_b);
    double best = 1, lowest = INFINITY;
    for (size_t k = m + 1; k-- > 0;) {
        const double threshold = k < m ? b[k] : nextafter(b[m - 1], INFINITY);
        const double share_a = weight_above(n, a, weight_a, threshold) / total_a;
        const double share_b = weight_above(m, b, weight_b, threshold) / total_b;
        const double upper = (share_b + 1.01 * width) / share_a;
        if (share_a > 0 && upper <= lowest + 1e-13) {
            lowest = upper;
            best = fmin(1, share_b / share_a);
        }
    }
    *bound = fmin(1, lowest);
    return best;
}

static void test_best_bin(void **state)
{
    enum { N = 90, M = 130 };
    struct rng rng;
    (void)state;
    rng_init(&rng, 8, 1);
    for (int repeat = 0; repeat < 60; repeat++) {
        double a[N], b[M], weight_a[N], weight_b[M];
        const double alpha = 0.1 * (repeat % 11), gap = repeat % 5;
        for (size_t i = 0; i < N; i++) {
            a[i] = gap + random_normal(&rng);
            weight_a[i] = (double)(i % 4) * 50;
        }
        for (size_t i = 0; i < M; i++) {
            b[i] = ((double)i < alpha * M ? gap : 0) + random_normal(&rng);
            weight_b[i] = 0.5 + (double)(i % 3) * 40;
        }
        for (size_t i = 0; repeat % 2 == 1 && i < M; i++) { /* ties */
            b[i] = floor(2 * b[i]);
            a[i % N] = floor(2 * a[i % N]);
        }
        sort_doubles(N, a);
        sort_doubles(M, b);
        for (int weighted = 0; weighted < 2; weighted++) {
            const double *of_a = weighted ? weight_a : NULL, *of_b = weighted ? weight_b : NULL;
            double bound;
            const double share = find_best_bin(N, a, of_a, M, b, of_b, 0.1, &bound);
            assert_near(best_bin_share(N, a, of_a, M, b, of_b), share, 1e-12);
            assert_near(best_bin_bound(N, a, of_a, M, b, of_b, 0.1), bound, 1e-12);
            (void)find_best_bin(N, a, of_a, M, b, of_b, 0.01, &bound);
            assert_near(best_bin_bound(N, a, of_a, M, b, of_b, 0.01), bound, 1e-12);
        }
    }
    /* No threshold of b has any of a above it. */
    assert_near(best_bin_share(2, (const double[]){1, 2}, NULL, 2, (const double[]){5, 6}, NULL), 1, 0);
}

/* All of a above all of b: none of it is mixed into b. */
static void test_best_bin_apart(void **state)
{
    enum { N = 300, M = 900 };
    double a[N], b[M];
    (void)state;
    for (size_t i = 0; i < N; i++)
        a[i] = i < 100 ? 2 : i < 200 ? 3 : 4;
    for (size_t i = 0; i < M; i++)
        b[i] = i < 800 ? 0 : 1;
    assert_near(best_bin_share(N, a, NULL, M, b, NULL), 0, 0);
    const double width = sqrt(log(4 / 0.05) / (2.0 * M)) + sqrt(log(4 / 0.05) / (2.0 * N));
    assert_near(best_bin_bound(N, a, NULL, M, b, NULL, 0.05), 1.01 * width, 1e-12);
}

/* A handler runs on the stack: were it to run within a kernel that uses the stack pointer for data, it would
 * not. */
static volatile sig_atomic_t n_signals, n_astray;
static char *volatile stack_place;

static void note_signal(int signal_number)
{
    const ptrdiff_t distance = (char *)__builtin_frame_address(0) - stack_place;
    (void)signal_number;
    n_signals++;
    n_astray += distance > (1 << 20) || distance < -(1 << 20);
}

static void test_products_under_signals(void **state)
{
    enum { SIZE = 384, SIGNALS = 100 };
    const struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    struct sigaction before;
    float *a = calloc((size_t)3 * SIZE * SIZE, sizeof *a);
    (void)state;
    assert_non_null(a);
    stack_place = __builtin_frame_address(0);
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    while (n_signals < SIGNALS)
        multiply_nn(SIZE, SIZE, SIZE, a, a + (size_t)SIZE * SIZE, a + (size_t)2 * SIZE * SIZE);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    free(a);
    assert_int_equal(n_astray, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_sort_numbers),
        cmocka_unit_test(test_normal_quantile),
        cmocka_unit_test(test_interpolate),
        cmocka_unit_test(test_first_above),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_products_under_signals),
        cmocka_unit_test(test_sum_keeps_small_terms),
        cmocka_unit_test(test_weighted_as_repeated),
        cmocka_unit_test(test_deviation),
        cmocka_unit_test(test_auc),
        cmocka_unit_test(test_beta_probability),
        cmocka_unit_test(test_binomial_bounds),
        cmocka_unit_test(test_binomial_definition),
        cmocka_unit_test(test_binomial_extremes),
        cmocka_unit_test(test_best_bin),
        cmocka_unit_test(test_best_bin_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
