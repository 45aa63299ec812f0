/* Networks and logistic regression that were trained: threads, seeds, saving, damage, memory. */
#include "blobs.h"
#include "crossfit.h"
#include "half.h"
#include "logistic.h"
#include "network_set.h"

static const struct classifier *const both[2] = {&classifier_mlp, &classifier_logistic};

/* ---- threads, saving, damage, memory ---- */

/* Of both partitions. */
enum { ALL = 2 * MEMBERS };

struct fitted {
    struct context context, memory;
    struct ensemble ensemble;
    double logit[MOST_ROWS];
};

static struct fitted *fit(const struct classifier *classifier, struct blobs *blobs, const struct risk *risk,
                          unsigned threads)
{
    struct fitted *fitted = calloc(1, sizeof *fitted);
    test_context_init(&fitted->context);
    test_context_init(&fitted->memory);
    fitted->context.threads = threads;
    fitted->context.seed = 2;
    const struct crossfit_request request = {classifier, &blobs->examples, blobs->label, NULL,
                                             risk,       &blobs->settings, "fit"};
    assert_ok(crossfit(&fitted->context, &request, fitted->memory.arena, &fitted->ensemble, fitted->logit),
              &test_error);
    assert_int_equal(fitted->ensemble.n_members, ALL);
    return fitted;
}

static void fitted_free(struct fitted *fitted)
{
    ensemble_close(&fitted->ensemble);
    test_context_close(&fitted->context);
    test_context_close(&fitted->memory);
    free(fitted);
}

static struct blobs *small_blobs(void)
{
    struct blobs *blobs = whole_blobs(60, 80);
    blobs->settings.network.rate = 0.01;
    blobs->settings.network.epochs = 6;
    return blobs;
}

static void test_threads(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    static const struct risk risks[] = {
        {.kind = RISK_CLASSES},
        {.kind = RISK_UPU, .loss = LOSS_LOGISTIC, .alpha = 0.2},
        {.kind = RISK_NNPU, .loss = LOSS_BRIER, .alpha = 0.5, .gamma = 1},
        {.kind = RISK_CVIR, .given = NAN},
        {.kind = RISK_CVIR, .given = 0.3},
    };
    (void)state;
    for (size_t k = 0; k < 2 * LENGTH(risks); k++) {
        struct blobs *blobs = small_blobs();
        struct fitted *fitted[LENGTH(threads)];
        struct bytes bytes[LENGTH(threads)];
        for (size_t t = 0; t < LENGTH(threads); t++) {
            fitted[t] = fit(both[k % 2], blobs, &risks[k / 2], threads[t]);
            bytes_init(&bytes[t], &fitted[t]->context);
            assert_ok(ensemble_save(&fitted[t]->context, &fitted[t]->ensemble, &bytes[t]), &test_error);
            assert_memory_equal(fitted[t]->logit, fitted[0]->logit, sizeof fitted[0]->logit);
            assert_int_equal(bytes[t].size, bytes[0].size);
            assert_memory_equal(bytes[t].data, bytes[0].data, bytes[0].size);
        }
        for (size_t t = 0; t < LENGTH(threads); t++)
            fitted_free(fitted[t]);
        free(blobs);
    }
}

/* Another seed, or another member, starts elsewhere. */
static void test_seeds(void **state)
{
    struct blobs *blobs = whole_blobs(60, 60);
    struct context context;
    double logit[2][MEMBERS][4];
    (void)state;
    test_context_init(&context);
    for (size_t seed = 0; seed < 2; seed++) {
        void *model[MEMBERS];
        context.seed = seed;
        train_models(&context, &classifier_mlp, blobs, 1, 1, model);
        for (size_t m = 0; m < MEMBERS; m++)
            assert_ok(classifier_mlp.score(&context, model[m], 4, blobs->x, logit[seed][m]), &test_error);
    }
    assert_memory_not_equal(logit[0][0], logit[1][0], sizeof logit[0][0]);
    assert_memory_not_equal(logit[0][0], logit[0][1], sizeof logit[0][0]);
    assert_memory_not_equal(logit[0][1], logit[0][2], sizeof logit[0][0]);
    test_context_close(&context);
    free(blobs);
}

/* What `watch` found in the epoch that was kept; the mean of all members; and the same after loading. */
static void test_keep_and_save(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct blobs *blobs = small_blobs();
        struct fitted *fitted = fit(both[k], blobs, &risk_of_classes, 2);
        struct bytes bytes;
        struct ensemble loaded;
        double logit[2][MOST_ROWS], one[MOST_ROWS], sum[MOST_ROWS] = {0};
        void *model[MEMBERS];
        train_models(&fitted->context, both[k], blobs, 9, 5, model);
        for (size_t m = 0; m < MEMBERS; m++) {
            assert_ok(both[k]->score(&fitted->context, model[m], blobs->n, blobs->x, one), &test_error);
            for (size_t i = 0; i < blobs->member[m].n_watched; i++)
                assert_near(sigmoid(one[blobs->watched[m][i]]), sigmoid(blobs->logit[m][i]), 1e-3);
        }
        bytes_init(&bytes, &fitted->context);
        assert_ok(ensemble_save(&fitted->context, &fitted->ensemble, &bytes), &test_error);
        struct bytes_reader reader = {bytes.data, bytes.size, false};
        const struct loading loading = {.width = WIDTH};
        assert_ok(ensemble_load(&fitted->context, &loading, &reader, fitted->context.arena, &loaded),
                  &test_error);
        assert_false(reader.failed);
        assert_int_equal(reader.size, 0);
        assert_int_equal(loaded.n_members, ALL);
        assert_ptr_equal(loaded.classifier, both[k]);
        assert_ok(ensemble_score(&fitted->context, &fitted->ensemble, blobs->n, blobs->x, NULL, logit[0]),
                  &test_error);
        assert_ok(ensemble_score(&fitted->context, &loaded, blobs->n, blobs->x, NULL, logit[1]), &test_error);
        assert_memory_equal(logit[0], logit[1], blobs->n * sizeof(double));
        for (size_t m = 0; m < ALL; m++) {
            assert_ok(both[k]->score(&fitted->context, loaded.member[m], blobs->n, blobs->x, one),
                      &test_error);
            for (size_t i = 0; i < blobs->n; i++)
                sum[i] += one[i] / ALL;
        }
        for (size_t i = 0; i < blobs->n; i++)
            assert_near(sum[i], logit[0][i], 1e-12);
        ensemble_close(&loaded);
        fitted_free(fitted);
        free(blobs);
    }
}

/* ---- precision ---- */

/* The first member after an epoch. */
static const struct network *finish_first(struct context *context, struct blobs *blobs, void **set)
{
    static const bool all[MEMBERS] = {true, true, true};
    void *model;
    if (*set == NULL) {
        assert_ok(classifier_logistic.create(context, &blobs->training, set), &test_error);
        assert_ok(classifier_logistic.advance(context, *set, all), &test_error);
        assert_ok(classifier_logistic.watch(context, *set, all), &test_error);
        assert_ok(classifier_logistic.keep(context, *set, all), &test_error);
    }
    assert_ok(classifier_logistic.finish(context, *set, 0, context->arena, &model), &test_error);
    return model;
}

/* Parameters are halves if the network is in half precision, and the file has them as such. */
static void check_precision(struct context *context, const struct network *network, bool is_half)
{
    const size_t n = WIDTH + 1, number_size = is_half ? 2 : 4;
    struct bytes bytes;
    size_t halves = 0;
    for (size_t i = 0; i < n; i++)
        halves += network->folded[i] == float_of_half(half_of_float(network->folded[i]));
    assert_int_equal(network->is_half, is_half);
    assert_int_equal(halves == n, is_half);
    bytes_init(&bytes, context);
    assert_ok(classifier_logistic.save(context, network, &bytes), &test_error);
    assert_int_equal(bytes.size, 4 + 8 + 4 + n * number_size);
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    const struct loading loading = {.width = WIDTH};
    void *model;
    assert_ok(classifier_logistic.load(context, &loading, &reader, context->arena, &model), &test_error);
    assert_false(reader.failed);
    const struct network *loaded = model;
    assert_int_equal(loaded->is_half, is_half);
    assert_memory_equal(loaded->folded, network->folded, n * sizeof *network->folded);
}

/* Half precision, but not if scores of watched rows would change: in the second part their features are
 * large and cancel. */
static void test_precision(void **state)
{
    struct blobs *blobs = small_blobs();
    struct context context;
    void *set = NULL;
    (void)state;
    test_context_init(&context);
    const struct network *network = finish_first(&context, blobs, &set);
    check_precision(&context, network, true);
    float *const x = blobs->x + (size_t)WIDTH * blobs->watched[0][blobs->member[0].n_watched - 1];
    x[0] = 1e4F * network->folded[1];
    x[1] = -1e4F * network->folded[0];
    check_precision(&context, finish_first(&context, blobs, &set), false);
    classifier_logistic.destroy(set);
    test_context_close(&context);
    free(blobs);
}

/* A weight that no half can hold. */
static void test_out_of_range(void **state)
{
    struct blobs *blobs = small_blobs();
    struct context context;
    void *set = NULL;
    double logit[MOST_ROWS];
    (void)state;
    blobs->settings.network.rate = 1e6;
    test_context_init(&context);
    const struct network *network = finish_first(&context, blobs, &set);
    check_precision(&context, network, false);
    assert_ok(classifier_logistic.score(&context, network, blobs->n, blobs->x, logit), &test_error);
    for (size_t i = 0; i < blobs->member[0].n_watched; i++)
        assert_near(logit[blobs->watched[0][i]] / blobs->logit[0][i], 1, 1e-6);
    blobs->member[0].n_watched = 0; /* no score tells */
    check_precision(&context, finish_first(&context, blobs, &set), false);
    classifier_logistic.destroy(set);
    test_context_close(&context);
    free(blobs);
}

/* Before format 4, parameters followed the shape at once, in single precision. */
static void test_only_singles(void **state)
{
    static const float parameters[WIDTH + 1] = {1, 2, 3, 4, 0.1F};
    struct context context;
    struct bytes bytes;
    (void)state;
    test_context_init(&context);
    bytes_init(&bytes, &context);
    bytes_put_u32(&bytes, 1);
    bytes_put_u64(&bytes, WIDTH);
    bytes_put_f32s(&bytes, LENGTH(parameters), parameters);
    for (int only_singles = 0; only_singles < 2; only_singles++) {
        const struct loading loading = {.width = WIDTH, .only_singles = only_singles};
        struct bytes_reader reader = {bytes.data, bytes.size, false};
        void *model;
        assert_ok(classifier_mlp.load(&context, &loading, &reader, context.arena, &model), &test_error);
        assert_int_equal(reader.failed, !only_singles);
        if (only_singles) {
            assert_memory_equal(((struct network *)model)->folded, parameters, sizeof parameters);
            assert_int_equal(reader.size, 0);
        }
    }
    test_context_close(&context);
}

/* ---- damage ---- */

static void test_damaged(void **state)
{
    struct blobs *blobs = small_blobs();
    (void)state;
    blobs->settings.network.epochs = 1;
    blobs->settings.partitions = 1;
    for (size_t k = 0; k < 2; k++) {
        struct context context;
        struct bytes bytes;
        void *model[MEMBERS];
        test_context_init(&context);
        train_models(&context, both[k], blobs, 1, 1, model);
        struct ensemble ensemble = {both[k], WIDTH, MEMBERS, model};
        bytes_init(&bytes, &context);
        assert_ok(ensemble_save(&context, &ensemble, &bytes), &test_error);
        assert_true(loads(bytes.data, bytes.size, WIDTH));
        assert_false(loads(bytes.data, bytes.size, WIDTH + 1));
        assert_false(loads(bytes.data, bytes.size, WIDTH - 1));
        for (size_t size = 0; size < bytes.size; size++) {
            unsigned char *part = malloc(size > 0 ? size : 1); /* its end is known to the sanitizer */
            memcpy(part, bytes.data, size);
            assert_false(loads(part, size, WIDTH));
            free(part);
        }
        const size_t name_end = 8 + strlen(both[k]->name);
        for (size_t i = 0; i < bytes.size; i++)
            for (int bit = 0; bit < 8; bit++) {
                bytes.data[i] ^= (unsigned char)(1 << bit);
                const bool loaded = loads(bytes.data, bytes.size, WIDTH);
                /* The name, and the first widths; fewer members are a matter of who owns the rest. */
                if (i < name_end || (i >= name_end + 12 && i < name_end + 20))
                    assert_false(loaded);
                bytes.data[i] ^= (unsigned char)(1 << bit);
            }
        test_context_close(&context);
    }
    free(blobs);
}

/* Numbers of layers and widths, by hand, without what should follow. */
static void test_damaged_shapes(void **state)
{
    static const struct {
        uint32_t n_layers;
        uint64_t width[MOST_LAYERS + 1];
    } shapes[] = {
        {0, {4}},
        {MOST_LAYERS + 1, {4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
        {UINT32_MAX, {4}},
        {2, {4, 0}},
        {2, {4, UINT64_MAX}},
        {2, {4, (uint64_t)1 << 62}},
        {3, {4, (uint64_t)1 << 32, (uint64_t)1 << 32}},
        {3, {4, 12, 12}}, /* more than the 200 numbers that follow */
        {2, {4, 34}},
        {8, {4, 5, 5, 5, 5, 5, 5, 5}},
    };
    static const float zeros[200];
    struct context context;
    struct bytes bytes;
    (void)state;
    test_context_init(&context);
    for (size_t k = 0; k < 2 * (LENGTH(shapes) + 1); k++) {
        const size_t s = k / 2;
        bytes_init(&bytes, &context);
        bytes_put_text(&bytes, "mlp");
        bytes_put_u64(&bytes, 1);
        if (s < LENGTH(shapes)) {
            bytes_put_u32(&bytes, shapes[s].n_layers);
            for (size_t l = 0; l < shapes[s].n_layers && l <= MOST_LAYERS; l++)
                bytes_put_u64(&bytes, shapes[s].width[l]);
        } else { /* one that fits: 4 * 33 + 33 + 33 + 1 = 199 */
            bytes_put_u32(&bytes, 2);
            bytes_put_u64(&bytes, 4);
            bytes_put_u64(&bytes, 33);
        }
        bytes_put_u32(&bytes, k % 2 == 0 ? 16 : 32);
        (k % 2 == 0 ? bytes_put_f16s : bytes_put_f32s)(&bytes, s < LENGTH(shapes) ? 200 : 199, zeros);
        assert_int_equal(loads(bytes.data, bytes.size, WIDTH), s == LENGTH(shapes));
    }
    /* No members. */
    bytes_init(&bytes, &context);
    bytes_put_text(&bytes, "mlp");
    bytes_put_u64(&bytes, 0);
    bytes_put_f32s(&bytes, 200, zeros);
    assert_false(loads(bytes.data, bytes.size, WIDTH));
    test_context_close(&context);
}

/* A precision that there is not. */
static void test_damaged_precision(void **state)
{
    static const uint32_t bits[] = {32, 0, 1, 8, 15, 24, 33, 64, UINT32_MAX};
    static const float zeros[200];
    struct context context;
    (void)state;
    test_context_init(&context);
    for (size_t i = 0; i < LENGTH(bits); i++) {
        struct bytes bytes;
        bytes_init(&bytes, &context);
        bytes_put_text(&bytes, "logistic");
        bytes_put_u64(&bytes, 1);
        bytes_put_u32(&bytes, 1);
        bytes_put_u64(&bytes, WIDTH);
        bytes_put_u32(&bytes, bits[i]);
        bytes_put_f32s(&bytes, i == 0 ? WIDTH + 1 : LENGTH(zeros), zeros);
        assert_int_equal(loads(bytes.data, bytes.size, WIDTH), i == 0);
    }
    test_context_close(&context);
}

static void test_allocations(void **state)
{
    (void)state;
    check_allocations(&classifier_mlp, NULL);
    check_allocations(&classifier_logistic, NULL);
}

/* ---- the list ---- */

static void test_list(void **state)
{
    (void)state;
    assert_true(classifier_count() > 0);
    for (size_t k = 0; k < classifier_count(); k++)
        assert_ptr_equal(classifier_find(classifier_at(k)->name), classifier_at(k));
    assert_ptr_equal(classifier_find("logistic"), &classifier_logistic);
    assert_null(classifier_find("logistics"));
}

/* In proportion to networks, epochs and the size of layers, roughly. */
static void test_work(void **state)
{
    struct blobs *blobs = whole_blobs(300, 600);
    (void)state;
    blobs->settings.network.layers = (struct hidden_layers){.n = 1, .width = {100}};
    blobs->settings.network.epochs = 50;
    const double work = classifier_mlp.work(&blobs->examples, &blobs->settings);
    /* 6 members, 50 epochs, 18 steps of 32 rows, 500 products, 6 operations each; and what is watched. */
    assert_true(work > 6. * 50 * 18 * 32 * 500 * 6);
    assert_true(work < 2 * 6. * 50 * 18 * 32 * 500 * 6);
    blobs->settings.partitions *= 3;
    assert_near(classifier_mlp.work(&blobs->examples, &blobs->settings) / work, 3, 1e-9);
    blobs->settings.network.layers = (struct hidden_layers){.n = 1, .width = {200}};
    assert_near(classifier_mlp.work(&blobs->examples, &blobs->settings) / work, 6, 0.02);
    blobs->settings.network.epochs = 25;
    assert_near(classifier_mlp.work(&blobs->examples, &blobs->settings) / work, 3, 0.02);
    /* With batches of 1, a pass over the smaller class has 300 steps, of which common stopping takes 200. */
    blobs->settings.network.batch = 1;
    const double common = classifier_mlp.work(&blobs->examples, &blobs->settings);
    blobs->settings.stopping = STOPPING_EACH;
    const double each = classifier_mlp.work(&blobs->examples, &blobs->settings);
    assert_near((each - common) / (18. * 25 * 100 * 2 * 1000 * 6), 1, 1e-9);
    assert_null(classifier_logistic.work);
    free(blobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precision),      cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_only_singles),   cmocka_unit_test(test_damaged_precision),
        cmocka_unit_test(test_threads),        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_keep_and_save),  cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_damaged_shapes), cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_list),           cmocka_unit_test(test_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
