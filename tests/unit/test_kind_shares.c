/* Shares of kinds: simulated rows whose shares and densities are known. */
#include "kind_shares.h"

#include "support.h"

enum { KINDS = 3, N_LABELED = 600, N_UNLABELED = 6000, N = N_LABELED + N_UNLABELED, RESAMPLES = 50 };

/* Kind k is N(3 k, 1) in one dimension; negatives are N(-4, 1). */
struct problem {
    double labeled[KINDS], share[KINDS]; /* of labeled rows, of unlabeled rows */
    uint32_t kind[N], likeliest[N];
    double logit[N], weight[N];
    struct kind_rows rows;
};

static double density(double x, double center)
{
    return exp(-(x - center) * (x - center) / 2);
}

/* Which of the kinds, or KINDS for none, by shares that may add up to less than 1. */
static uint32_t draw_kind(struct rng *rng, const double share[KINDS])
{
    double u = rng_uniform(rng);
    uint32_t kind = 0;
    while (kind < KINDS && u >= share[kind])
        u -= share[kind++];
    return kind;
}

static void fill_row(struct problem *problem, size_t row, double x)
{
    double p = 0, u = (1 - problem->share[0] - problem->share[1] - problem->share[2]) * density(x, -4);
    for (uint32_t k = 0; k < KINDS; k++) {
        p += problem->labeled[k] * density(x, 3. * k);
        u += problem->share[k] * density(x, 3. * k);
        if (k == 0 || density(x, 3. * k) > density(x, 3. * problem->likeliest[row]))
            problem->likeliest[row] = k;
    }
    problem->logit[row] = log(p / u);
}

static struct problem *make(const double labeled[KINDS], const double share[KINDS], uint64_t seed)
{
    struct problem *problem = calloc(1, sizeof *problem);
    struct rng rng;
    rng_init(&rng, seed, 0);
    memcpy(problem->labeled, labeled, sizeof problem->labeled);
    memcpy(problem->share, share, sizeof problem->share);
    for (size_t i = 0; i < N; i++) {
        const uint32_t kind = draw_kind(&rng, i < N_LABELED ? labeled : share);
        problem->kind[i] = i < N_LABELED ? kind : KINDS;
        problem->weight[i] = 1;
        fill_row(problem, i, (kind < KINDS ? 3. * kind : -4) + random_normal(&rng));
    }
    problem->rows = (struct kind_rows){.n = N,
                                       .n_kinds = KINDS,
                                       .kind = problem->kind,
                                       .likeliest = problem->likeliest,
                                       .logit = problem->logit};
    return problem;
}

static struct kind_shares find(struct context *context, const struct problem *problem)
{
    struct kind_shares shares;
    assert_ok(kind_shares_find(context, &problem->rows, RESAMPLES, &shares), &test_error);
    return shares;
}

/* Kinds that were labeled at rates of 1 to 9 are found, and so are those of a random draw. */
static void shares_are_found(void **state)
{
    static const double labeled[][KINDS] = {{0.6, 0.3, 0.1}, {1. / 3, 1. / 3, 1. / 3}};
    static const double share[][KINDS] = {{0.05, 0.1, 0.15}, {0.1, 0.1, 0.1}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct context context;
        test_context_init(&context);
        struct problem *problem = make(labeled[i], share[i], 1 + i);
        const struct kind_shares shares = find(&context, problem);
        for (size_t k = 0; k < KINDS; k++)
            assert_near(shares.share[k], share[i][k], 0.03);
        free(problem);
        test_context_close(&context);
    }
}

/* Shares are those of resamples on the average, and no resample has more than all rows, or less than none. */
static void resamples_are_shares(void **state)
{
    static const double labeled[KINDS] = {0.6, 0.3, 0.1}, share[KINDS] = {0.05, 0.1, 0.8};
    struct context context;
    double mean[KINDS] = {0};
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(labeled, share, 5);
    const struct kind_shares shares = find(&context, problem);
    assert_int_equal(shares.resamples, RESAMPLES);
    for (size_t r = 0; r < RESAMPLES; r++) {
        double sum = 0;
        for (size_t k = 0; k < KINDS; k++) {
            assert_true(shares.resampled[r * KINDS + k] >= 0);
            sum += shares.resampled[r * KINDS + k];
            mean[k] += shares.resampled[r * KINDS + k] / RESAMPLES;
        }
        assert_true(sum <= 1 + 1e-9);
    }
    for (size_t k = 0; k < KINDS; k++)
        assert_near(shares.share[k], mean[k], 1e-12);
    free(problem);
    test_context_close(&context);
}

/* A row of weight 0 takes no part, wherever it is; the number of threads changes nothing. */
static void weights_count(void **state)
{
    static const double labeled[KINDS] = {0.6, 0.3, 0.1}, share[KINDS] = {0.05, 0.1, 0.15};
    struct context context, threads;
    (void)state;
    test_context_init(&context);
    test_context_init(&threads);
    struct problem *problem = make(labeled, share, 9);
    const struct kind_shares plain = find(&context, problem);
    problem->rows.weight = problem->weight;
    for (size_t i = 0; i < N; i += 10)
        problem->weight[i] = 0;
    const struct kind_shares without = find(&context, problem);
    for (size_t i = 0; i < N; i += 10) {
        problem->logit[i] = 100;
        problem->likeliest[i] = 0;
    }
    threads.threads = 4;
    const struct kind_shares moved = find(&threads, problem);
    for (size_t k = 0; k < KINDS; k++) {
        assert_near(without.share[k], plain.share[k], 0.03);
        assert_true(moved.share[k] == without.share[k]);
    }
    free(problem);
    test_context_close(&context);
    test_context_close(&threads);
}

/* The spread of a kind's share over resamples. */
static double spread_of(const struct kind_shares *shares, size_t kind)
{
    double squares = 0;
    for (size_t r = 0; r < RESAMPLES; r++)
        squares += pow(shares->resampled[r * KINDS + kind] - shares->share[kind], 2);
    return sqrt(squares / RESAMPLES);
}

/* If four rows each are copies, shares are as uncertain as if a quarter of the rows were there. */
static void groups_are_drawn_as_a_whole(void **state)
{
    static const double labeled[KINDS] = {0.6, 0.3, 0.1}, share[KINDS] = {0.05, 0.1, 0.15};
    static uint32_t group[N];
    struct context context;
    (void)state;
    test_context_init(&context);
    struct problem *problem = make(labeled, share, 11);
    for (size_t i = 0; i < N; i++) {
        const size_t first = i / 4 * 4;
        group[i] = (uint32_t)(i / 4);
        problem->kind[i] = problem->kind[first];
        problem->likeliest[i] = problem->likeliest[first];
        problem->logit[i] = problem->logit[first];
    }
    const struct kind_shares alone = find(&context, problem);
    problem->rows.groups = &(struct row_groups){N / 4, group};
    const struct kind_shares together = find(&context, problem);
    for (size_t k = 0; k < KINDS; k++) {
        assert_near(together.share[k], share[k], 0.05);
        assert_near(spread_of(&together, k) / spread_of(&alone, k), 2, 0.7);
    }
    free(problem);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_found),
        cmocka_unit_test(resamples_are_shares),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(groups_are_drawn_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
