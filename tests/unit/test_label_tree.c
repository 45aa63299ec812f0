/* TIcE against a plain implementation: every node is a set of rows, every set is counted anew. */
#include "estimator.h"
#include "folds.h"
#include "label_tree.h"
#include "reading.h"

enum { N = 400, WIDTH = 3, FOLDS = 5 };

struct data {
    float x[N * WIDTH];
    unsigned char label[N];
    double weight[N];
    unsigned char code[WIDTH * N], fold[N];
    struct tree_rows rows;
};

/* Labeled rows first. They and a third of the others crowd at high values of the first features. */
static void data_make(struct data *data, uint64_t seed, unsigned n_values)
{
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t i = 0; i < N; i++) {
        data->label[i] = i < N / 4;
        data->fold[i] = (unsigned char)rng_below(&rng, FOLDS);
        data->weight[i] = 0.5 * rng_below(&rng, 5);
        for (size_t a = 0; a < WIDTH; a++) {
            const double shift = i < N / 2 && a < 2 ? 0.5 : 0;
            data->x[i * WIDTH + a] = (float)(shift + rng_uniform(&rng));
            data->code[a * N + i] = (unsigned char)(data->x[i * WIDTH + a] / 1.5 * n_values);
        }
    }
    data->rows = (struct tree_rows){N, N / 4, WIDTH, n_values, data->code, NULL, data->fold};
}

/* ---- the plain implementation ---- */

struct set {
    double bound;
    bool holds[N]; /* of both parts */
    bool used[WIDTH];
    bool open;
};

static void count_set(const struct data *data, const struct set *set, unsigned fold, bool of_fold,
                      double *all, double *labeled)
{
    *all = *labeled = 0;
    for (size_t i = 0; i < N; i++)
        if (set->holds[i] && (data->fold[i] == fold) == of_fold) {
            const double weight = data->rows.weight != NULL ? data->weight[i] : 1;
            *all += weight;
            *labeled += data->label[i] ? weight : 0;
        }
}

static double plain_bound(double all, double labeled, double c)
{
    return labeled / all - sqrt(c * (1 - c) * (1 - 0.2) / (0.2 * all));
}

static void child_of(const struct data *data, const struct set *set, size_t a, unsigned value,
                     struct set *child)
{
    *child = *set;
    for (size_t i = 0; i < N; i++)
        child->holds[i] = set->holds[i] && data->code[a * N + i] == value;
    child->used[a] = true;
    child->open = true;
}

static size_t plain_attribute(const struct data *data, const struct set *set, unsigned fold)
{
    size_t best = WIDTH;
    double best_score = -1;
    for (size_t a = 0; a < WIDTH; a++)
        for (unsigned v = 0; v < data->rows.n_values && !set->used[a]; v++) {
            struct set child;
            double all, labeled;
            child_of(data, set, a, v, &child);
            count_set(data, &child, fold, true, &all, &labeled);
            if (labeled / (all + 10) > best_score) {
                best_score = labeled / (all + 10);
                best = a;
            }
        }
    return best;
}

static double plain_tree(const struct data *data, unsigned fold, size_t most_splits, double c)
{
    static struct set sets[2000];
    size_t n_sets = 1;
    double all, labeled, best = 0;
    sets[0] = (struct set){.open = true};
    memset(sets[0].holds, 1, sizeof sets[0].holds);
    count_set(data, &sets[0], fold, false, &all, &labeled);
    best = fmax(best, plain_bound(all, labeled, c));
    for (size_t splits = 0; splits < most_splits; splits++) {
        struct set *next = NULL;
        for (size_t i = 0; i < n_sets; i++)
            if (sets[i].open && (next == NULL || sets[i].bound > next->bound))
                next = &sets[i];
        if (next == NULL)
            break;
        next->open = false;
        const size_t a = plain_attribute(data, next, fold);
        struct set child;
        for (unsigned v = 0; v < data->rows.n_values && a < WIDTH; v++) {
            child_of(data, next, a, v, &child);
            count_set(data, &child, fold, false, &all, &labeled);
            if (all >= 10)
                best = fmax(best, plain_bound(all, labeled, c));
        }
        for (unsigned v = 0; v < data->rows.n_values && a < WIDTH; v++) {
            child_of(data, next, a, v, &child);
            count_set(data, &child, fold, true, &all, &labeled);
            child.bound = plain_bound(all, labeled, c);
            if (labeled > c * (1 - c) * (1 - 0.2) / (0.2 * (1 - best) * (1 - best)) && all > 10 &&
                labeled < all)
                sets[n_sets++] = child;
        }
    }
    return best;
}

static void test_tree(void **state)
{
    static struct data data;
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        const double c = 0.2 + 0.05 * (double)seed;
        data_make(&data, seed, seed % 2 == 0 ? 4 : 7);
        data.rows.weight = seed % 3 == 0 ? data.weight : NULL;
        for (unsigned fold = 0; fold < FOLDS; fold++) {
            const size_t most_splits = fold < 2 ? 500 : 1 + fold;
            struct context context;
            double bound;
            test_context_init(&context);
            assert_ok(label_tree_bound(&context, &data.rows, fold, most_splits, c, &bound), &test_error);
            assert_null(context_mark(&context));
            assert_near(bound, plain_tree(&data, fold, most_splits, c), 1e-12);
            test_context_close(&context);
        }
    }
}

/* ---- the estimator ---- */

static double tice(const struct feature_rows *rows, unsigned threads)
{
    const struct problem problem = {.features = rows};
    struct proportion proportion;
    struct context context;
    test_context_init(&context);
    context.threads = threads;
    assert_ok(estimator_tice.alpha(&context, &problem, NULL, &proportion), &test_error);
    assert_int_equal(proportion.rule, DEDPUL_RULE_FORMULA);
    test_context_close(&context);
    return proportion.alpha;
}

/* Two rounds over the same folds, the second with what the first one found. */
static void test_rounds(void **state)
{
    static struct data data;
    struct context context;
    double c = 0.5;
    (void)state;
    data_make(&data, 7, 4);
    for (size_t a = 0; a < WIDTH; a++) {
        float low = data.x[a], high = data.x[a];
        for (size_t i = 0; i < N; i++) {
            low = fminf(low, data.x[i * WIDTH + a]);
            high = fmaxf(high, data.x[i * WIDTH + a]);
        }
        for (size_t i = 0; i < N; i++) {
            const double scaled = ((double)data.x[i * WIDTH + a] - low) / ((double)high - low);
            data.code[a * N + i] = (unsigned char)((scaled >= 0.25) + (scaled >= 0.5) + (scaled >= 0.75));
        }
    }
    test_context_init(&context);
    assert_ok(folds_deal(&context, N, data.label, FOLDS, rng_stream(STREAM_TREE_FOLDS, 0), data.fold),
              &test_error);
    test_context_close(&context);
    for (int round = 0; round < 2; round++) {
        double sum = 0;
        for (unsigned fold = 0; fold < FOLDS; fold++)
            sum += plain_tree(&data, fold, 500, c);
        c = sum / FOLDS;
    }
    const struct feature_rows rows = {N, WIDTH, data.x, data.label, NULL};
    assert_true(c > 0.27 && c < 0.9);
    assert_near(tice(&rows, 1), 1.0 / 3 * (1 - c) / c, 1e-12);
}

/* Labeled rows and some of the others lie where nothing else is: alpha is the share of those. */
static void test_known_share(void **state)
{
    enum { ROWS = 6000, LABELED = 1000 };
    static float x[2 * ROWS];
    static unsigned char label[ROWS];
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 2);
    for (int tenths = 1; tenths <= 9; tenths += 2) {
        for (size_t i = 0; i < ROWS; i++) {
            label[i] = i < LABELED;
            const bool positive = i < LABELED || i % 10 < (size_t)tenths;
            x[2 * i] = (float)rng_uniform(&rng);
            x[2 * i + 1] = (float)(rng_uniform(&rng) + positive);
        }
        const struct feature_rows rows = {ROWS, 2, x, label, NULL};
        const double alpha = tice(&rows, 1);
        assert_near(alpha, 0.1 * tenths, 0.12); /* a lower bound on c, so alpha errs to the high side */
        assert_true(alpha > 0.1 * tenths - 0.02);
        assert_true(alpha == tice(&rows, 2) && alpha == tice(&rows, 4));
    }
}

/* A row of weight w is w rows, and one without weight is none. */
static void test_weights(void **state)
{
    static struct data data;
    static float repeated_x[4 * N * WIDTH];
    static unsigned char repeated_label[4 * N];
    size_t n = 0;
    (void)state;
    data_make(&data, 5, 4);
    for (size_t i = 0; i < N; i++) {
        data.weight[i] = (double)(i % 4);
        for (size_t k = 0; k < i % 4; k++, n++) {
            memcpy(repeated_x + n * WIDTH, data.x + i * WIDTH, WIDTH * sizeof *data.x);
            repeated_label[n] = data.label[i];
        }
    }
    data.x[0] = 1e30F; /* of weight 0: must not even stretch the scale */
    const struct feature_rows weighted = {N, WIDTH, data.x, data.label, data.weight};
    const struct feature_rows repeated = {n, WIDTH, repeated_x, repeated_label, NULL};
    const double alpha = tice(&weighted, 1);
    assert_true(alpha > 0.1 && alpha < 0.95);
    assert_near(alpha, tice(&repeated, 1), 1e-12);
}

/* Features that say nothing, and very few rows: the share may be 1, for all that is known. */
static void test_nothing_known(void **state)
{
    static const float x[8] = {1, 2, 1, 2, 1, 2, 1, 2};
    static const unsigned char label[4] = {1, 1, 0, 0};
    static const double weight[4] = {1e14, 1e14, 2e14, 2e14};
    const struct feature_rows few = {4, 2, x, label, NULL}, heavy = {4, 2, x, label, weight};
    (void)state;
    assert_near(tice(&few, 1), 1, 0);
    assert_near(tice(&heavy, 1), 1, 1e-6);
}

static void test_allocations(void **state)
{
    static struct data data;
    struct proportion proportion;
    size_t n = 0;
    (void)state;
    data_make(&data, 6, 4);
    const struct feature_rows rows = {N, WIDTH, data.x, data.label, data.weight};
    const struct problem problem = {.features = &rows};
    for (dedpul_status status = DEDPUL_NO_MEMORY; status != DEDPUL_OK; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct context context;
        test_context_open(&context, &allocator, &test_error);
        context.threads = 1;
        status = estimator_tice.alpha(&context, &problem, NULL, &proportion);
        assert_true(status == DEDPUL_OK || status == DEDPUL_NO_MEMORY);
        test_context_close(&context);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),          cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_known_share),   cmocka_unit_test(test_weights),
        cmocka_unit_test(test_nothing_known), cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
