/* The classifier of images by the interface that the fit uses. */
#include "blobs.h"
#include "crossfit.h"

/* ---- images of noise, half of them with a bright bar somewhere ---- */

enum { SIDE = 8, PIXELS = SIDE * SIDE, IMAGES = 360, FOLDS = 3 };

struct pictures {
    float x[IMAGES * PIXELS];
    unsigned char label[IMAGES];
    struct examples examples;
    struct training_settings settings;
};

static struct pictures *pictures_make(void)
{
    struct pictures *pictures = calloc(1, sizeof *pictures);
    struct rng rng;
    rng_init(&rng, 4, 1);
    for (size_t i = 0; i < IMAGES; i++) {
        float *image = pictures->x + i * PIXELS;
        pictures->label[i] = i % 2 == 0;
        for (size_t k = 0; k < PIXELS; k++)
            image[k] = (float)(0.5 * random_normal(&rng));
        const size_t row = rng_below(&rng, SIDE), column = rng_below(&rng, SIDE / 2);
        for (size_t k = 0; k < SIDE / 2; k++) /* lying, or the same pixels scattered */
            image[i % 2 == 0 ? row * SIDE + column + k : rng_below(&rng, PIXELS)] += 3;
    }
    pictures->examples = (struct examples){
        .n_rows = IMAGES,
        .width = PIXELS,
        .x = pictures->x,
        .image = {SIDE, SIDE, 1},
        .n = IMAGES,
        .label = pictures->label,
    };
    pictures->settings = (struct training_settings){
        .folds = FOLDS,
        .partitions = 1,
        .network = {.rate = 3e-3,
                    .decay = 1e-4,
                    .batch = 32,
                    .epoch_steps = 4,
                    .epochs = 20,
                    .min_epochs = 8,
                    .patience = 15},
    };
    return pictures;
}

struct fitted {
    struct context context, memory;
    struct ensemble ensemble;
    double logit[IMAGES];
};

static struct fitted *fit(const struct pictures *pictures, const struct risk *risk, unsigned threads)
{
    struct fitted *fitted = calloc(1, sizeof *fitted);
    test_context_init(&fitted->context);
    test_context_init(&fitted->memory);
    fitted->context.threads = threads;
    const struct crossfit_request request = {
        &classifier_conv, &pictures->examples, pictures->label, NULL, risk, &pictures->settings, "conv"};
    assert_ok(crossfit(&fitted->context, &request, fitted->memory.arena, &fitted->ensemble, fitted->logit),
              &test_error);
    return fitted;
}

static void fitted_free(struct fitted *fitted)
{
    ensemble_close(&fitted->ensemble);
    test_context_close(&fitted->context);
    test_context_close(&fitted->memory);
    free(fitted);
}

static double auc_of_pictures(const struct pictures *pictures, const double *logit)
{
    double wins = 0, pairs = 0;
    for (size_t i = 0; i < IMAGES; i++)
        for (size_t j = 0; j < IMAGES; j++)
            if (pictures->label[i] == 1 && pictures->label[j] == 0) {
                wins += logit[i] > logit[j] ? 1 : 0;
                pairs++;
            }
    return wins / pairs;
}

static void test_learns(void **state)
{
    struct pictures *pictures = pictures_make();
    struct fitted *fitted = fit(pictures, &risk_of_classes, 2);
    (void)state;
    assert_true(auc_of_pictures(pictures, fitted->logit) > 0.85);
    fitted_free(fitted);
    free(pictures);
}

/* With any risk; and a model is the same after loading. */
static void test_threads_and_save(void **state)
{
    static const struct risk risks[] = {
        {.kind = RISK_CLASSES},
        {.kind = RISK_NNPU, .loss = LOSS_SIGMOID, .alpha = 0.2, .gamma = 1},
        {.kind = RISK_CVIR, .given = NAN},
    };
    struct pictures *pictures = pictures_make();
    (void)state;
    pictures->settings.network.epochs = 3;
    for (size_t r = 0; r < LENGTH(risks); r++) {
        struct fitted *one = fit(pictures, &risks[r], 1), *four = fit(pictures, &risks[r], 4);
        struct bytes bytes;
        struct ensemble loaded;
        double logit[2][IMAGES];
        assert_memory_equal(one->logit, four->logit, sizeof one->logit);
        bytes_init(&bytes, &one->context);
        assert_ok(ensemble_save(&one->context, &one->ensemble, &bytes), &test_error);
        struct bytes_reader reader = {bytes.data, bytes.size, false};
        const struct loading loading = {.width = PIXELS};
        assert_ok(ensemble_load(&one->context, &loading, &reader, one->context.arena, &loaded), &test_error);
        assert_false(reader.failed);
        assert_int_equal(reader.size, 0);
        assert_int_equal(loaded.n_members, FOLDS);
        assert_ptr_equal(loaded.classifier, &classifier_conv);
        assert_ok(ensemble_score(&one->context, &loaded, IMAGES, pictures->x, NULL, logit[0]), &test_error);
        assert_ok(ensemble_score(&four->context, &four->ensemble, IMAGES, pictures->x, NULL, logit[1]),
                  &test_error);
        assert_memory_equal(logit[0], logit[1], sizeof logit[0]);
        ensemble_close(&loaded);
        fitted_free(one);
        fitted_free(four);
    }
    free(pictures);
}

/* An image's logit does not depend on those beside it. */
static void test_alone(void **state)
{
    struct pictures *pictures = pictures_make();
    double logit[IMAGES], alone;
    (void)state;
    pictures->settings.network.epochs = 1;
    struct fitted *fitted = fit(pictures, &risk_of_classes, 1);
    const void *model = fitted->ensemble.member[0];
    assert_ok(classifier_conv.score(&fitted->context, model, IMAGES, pictures->x, logit), &test_error);
    for (size_t i = 0; i < IMAGES; i++) {
        assert_ok(classifier_conv.score(&fitted->context, model, 1, pictures->x + i * PIXELS, &alone),
                  &test_error);
        assert_near(alone, logit[i], 1e-5);
    }
    fitted_free(fitted);
    free(pictures);
}

/* ---- images of all sizes ---- */

static void test_shapes(void **state)
{
    static const struct image_shape shapes[] = {
        {1, 1, 1}, {1, 9, 1}, {7, 1, 2}, {2, 3, 3}, {5, 4, 1}, {9, 10, 3}, {28, 28, 1},
    };
    enum { ROWS = 12, LARGEST = 28 * 28 };
    static float x[ROWS * LARGEST];
    (void)state;
    for (size_t s = 0; s < LENGTH(shapes); s++) {
        struct blobs *blobs = blobs_make(6, 6);
        struct context context;
        void *set = NULL, *model[MEMBERS];
        double logit[ROWS];
        blobs->examples.image = shapes[s];
        blobs->examples.width = image_shape_size(shapes[s]);
        blobs->examples.x = x;
        for (size_t i = 0; i < (size_t)ROWS * LARGEST; i++)
            x[i] = (float)((double)(i * i % 17) / 17 - 0.5);
        test_context_init(&context);
        assert_ok(train(&context, &classifier_conv, &blobs->training, 2, 2, &set, model), &test_error);
        assert_ok(classifier_conv.score(&context, model[0], ROWS, x, logit), &test_error);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(isfinite(logit[i]));
        assert_true(classifier_conv.work(&blobs->examples, &blobs->settings) > 1e6);
        close_all(&classifier_conv, set, model);
        test_context_close(&context);
        free(blobs);
    }
}

static void test_no_shape(void **state)
{
    struct blobs *blobs = blobs_make(6, 6);
    struct context context;
    void *set = NULL;
    (void)state;
    test_context_init(&context);
    blobs->examples.image = (struct image_shape){0, 0, 0};
    assert_int_equal(classifier_conv.create(&context, &blobs->training, &set), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "conv is for images, but the rows have no shape");
    classifier_conv.destroy(set);
    test_context_close(&context);
    free(blobs);
}

/* ---- damage, memory ---- */

static void test_damaged(void **state)
{
    enum { NAME_END = 8 + 4, SIDES = NAME_END + 8, WEIGHTS = SIDES + 24 + 4 };
    struct blobs *blobs = blobs_make(20, 20);
    struct context context;
    struct bytes bytes;
    void *set = NULL, *model[MEMBERS];
    (void)state;
    test_context_init(&context);
    for (size_t k = 0; k < blobs->n * WIDTH; k++) /* pixels that are missing would make weights NaN */
        blobs->x[k] = isnan(blobs->x[k]) ? 0 : blobs->x[k];
    assert_ok(train(&context, &classifier_conv, &blobs->training, 1, 1, &set, model), &test_error);
    const struct ensemble ensemble = {&classifier_conv, WIDTH, 1, model};
    bytes_init(&bytes, &context);
    assert_ok(ensemble_save(&context, &ensemble, &bytes), &test_error);
    /* Convolutions of 2x2, then of 1x1, then dense layers: weights and biases, as halves. */
    assert_int_equal(bytes.size,
                     WEIGHTS + 2 * (26 * 16 + (9 * 16 + 1) * 16 + (25 * 16 + 1) * 32 + (9 * 32 + 1) * 32 +
                                    33 * 32 + 33 * 4 + 5 * 128 + 129 * 64 + 65));
    assert_true(loads(bytes.data, bytes.size, WIDTH));
    assert_false(loads(bytes.data, bytes.size, WIDTH + 1));
    assert_false(loads(bytes.data, bytes.size, WIDTH - 1));
    for (size_t size = 0; size < bytes.size; size += size < 100 ? 1 : 997) {
        unsigned char *part = malloc(size > 0 ? size : 1); /* its end is known to the sanitizer */
        memcpy(part, bytes.data, size);
        assert_false(loads(part, size, WIDTH));
        free(part);
    }
    for (size_t i = 0; i < bytes.size; i += i < WEIGHTS ? 1 : 5003)
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[i] ^= (unsigned char)(1 << bit);
            const bool loaded = loads(bytes.data, bytes.size, WIDTH);
            if (i < WEIGHTS)
                assert_false(loaded);
            bytes.data[i] ^= (unsigned char)(1 << bit);
        }
    /* Sides whose product is right by its lowest bits, or of which one is 0. */
    static const uint64_t sides[][3] = {
        {(uint64_t)1 << 32, (uint64_t)1 << 32, 4}, {(uint64_t)1 << 63, 2, 4}, {0, 2, 2}, {UINT64_MAX, 1, 4}};
    for (size_t s = 0; s < LENGTH(sides); s++) {
        for (size_t k = 0; k < 24; k++)
            bytes.data[SIDES + k] = (unsigned char)(sides[s][k / 8] >> (k % 8 * 8));
        assert_false(loads(bytes.data, bytes.size, WIDTH));
        assert_false(loads(bytes.data, bytes.size, 0));
    }
    close_all(&classifier_conv, set, model);
    test_context_close(&context);
    free(blobs);
}

static void test_allocations(void **state)
{
    (void)state;
    if (IS_SLOW)
        skip(); /* allocations are those of mlp */
    check_allocations(&classifier_conv, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_learns),      cmocka_unit_test(test_threads_and_save),
        cmocka_unit_test(test_alone),       cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_no_shape),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
