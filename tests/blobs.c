#include "blobs.h"

#include "ensemble.h"
#include "reading.h"

struct blobs *blobs_make(size_t n_1, size_t n_0)
{
    struct blobs *blobs = calloc(1, sizeof *blobs);
    struct rng rng;
    rng_init(&rng, 5, 1);
    blobs->n = n_1 + n_0;
    for (size_t i = 0; i < blobs->n; i++) {
        blobs->label[i] = i < n_1;
        blobs->fold[i] = (unsigned char)(i % MEMBERS);
        blobs->weight[i] = 1;
        for (size_t j = 0; j < WIDTH; j++)
            blobs->x[i * WIDTH + j] = (float)(random_normal(&rng) + (j == 1 && i < n_1 ? 1.5 : 0));
        if (i % 10 == 0)
            blobs->x[i * WIDTH + 1] = NAN;
    }
    for (unsigned m = 0; m < MEMBERS; m++) {
        struct member *member = &blobs->member[m];
        *member = (struct member){
            .fold = blobs->fold, .held_out = m, .watched = blobs->watched[m], .logit = blobs->logit[m]};
        for (size_t i = m; i < blobs->n; i += MEMBERS)
            blobs->watched[m][member->n_watched++] = (uint32_t)i;
    }
    blobs->examples = (struct examples){.n_rows = blobs->n,
                                        .width = WIDTH,
                                        .x = blobs->x,
                                        .image = {2, 2, 1},
                                        .n = blobs->n,
                                        .label = blobs->label};
    blobs->settings = (struct training_settings){
        .folds = MEMBERS,
        .partitions = 2,
        .network = {.layers = {.n = 2, .width = {5, 3}},
                    .batch_norm = true,
                    .dropout = 0.25,
                    .rate = NAN,
                    .decay = 1e-4,
                    .batch = 16,
                    .epoch_steps = 4,
                    .epochs = 40,
                    .min_epochs = 3,
                    .patience = 6},
        .trees = {.depth = 3, .rate = 0.3, .l2 = 1, .rounds = 50, .patience = 7},
    };
    blobs->training = (struct training){
        .examples = &blobs->examples,
        .n_members = MEMBERS,
        .member = blobs->member,
        .settings = &blobs->settings,
        .risk = &risk_of_classes,
    };
    return blobs;
}

static const bool all[MEMBERS] = {true, true, true};

struct blobs *whole_blobs(size_t n_1, size_t n_0)
{
    struct blobs *blobs = blobs_make(n_1, n_0);
    for (size_t i = 0; i < blobs->n * WIDTH; i++)
        if (isnan(blobs->x[i]))
            blobs->x[i] = 0.75F;
    return blobs;
}

dedpul_status train(struct context *context, const struct classifier *classifier,
                    const struct training *training, unsigned rounds, unsigned kept, void **set,
                    void *model[MEMBERS])
{
    TRY(classifier->create(context, training, set));
    for (unsigned round = 1; round <= rounds; round++) {
        TRY(classifier->advance(context, *set, all));
        if (round <= kept)
            TRY(classifier->watch(context, *set, all));
        if (round == kept)
            TRY(classifier->keep(context, *set, all));
    }
    for (size_t m = 0; m < MEMBERS; m++)
        TRY(classifier->finish(context, *set, m, context->arena, &model[m]));
    return DEDPUL_OK;
}

void train_models(struct context *context, const struct classifier *classifier, struct blobs *blobs,
                  unsigned epochs, unsigned kept, void *model[MEMBERS])
{
    void *set = NULL;
    assert_ok(train(context, classifier, &blobs->training, epochs, kept, &set, model), &test_error);
    classifier->destroy(set);
}

void close_all(const struct classifier *classifier, void *set, void *model[MEMBERS])
{
    classifier->destroy(set);
    for (size_t m = 0; m < MEMBERS; m++)
        classifier->close(model[m]);
}

void logits_by_row(const struct blobs *blobs, double *logit)
{
    for (size_t m = 0; m < MEMBERS; m++)
        for (size_t i = 0; i < blobs->member[m].n_watched; i++)
            logit[blobs->watched[m][i]] = blobs->logit[m][i];
}

double auc_of(const struct blobs *blobs, const double *logit)
{
    double wins = 0, pairs = 0;
    for (size_t i = 0; i < blobs->n && blobs->label[i] == 1; i++)
        for (size_t j = i + 1; j < blobs->n; j++)
            if (blobs->label[j] == 0) {
                wins += logit[i] > logit[j] ? 1 : logit[i] == logit[j] ? 0.5 : 0;
                pairs++;
            }
    return wins / pairs;
}

static dedpul_status whole_life(struct context *context, const struct classifier *classifier,
                                struct blobs *blobs, void **set, void *model[MEMBERS + 1])
{
    struct bytes bytes;
    TRY(train(context, classifier, &blobs->training, 2, 1, set, model));
    TRY(classifier->score(context, model[0], blobs->n, blobs->x, blobs->logit[0]));
    bytes_init(&bytes, context);
    TRY(classifier->save(context, model[0], &bytes));
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    const struct loading loading = {.width = WIDTH, .plugin = blobs->settings.plugin};
    return classifier->load(context, &loading, &reader, context->arena, &model[MEMBERS]);
}

void check_allocations(const struct classifier *classifier, const struct plugin *plugin)
{
    struct blobs *blobs = blobs_make(30, 30);
    dedpul_status status = DEDPUL_NO_MEMORY;
    blobs->settings.plugin = plugin;
    for (size_t n = 0; status != DEDPUL_OK; n++) {
        struct failing failing = {.fails_at = n};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct context context;
        void *set = NULL, *model[MEMBERS + 1] = {NULL};
        test_context_open(&context, &allocator, &test_error);
        status = whole_life(&context, classifier, blobs, &set, model);
        if (status != DEDPUL_OK) {
            assert_int_equal(status, DEDPUL_NO_MEMORY);
            assert_contains(test_error.message, "out of memory");
        } else {
            assert_true(n > 10);
        }
        close_all(classifier, set, model);
        classifier->close(model[MEMBERS]);
        test_context_close(&context);
        assert_int_equal(failing.blocks, 0);
    }
    free(blobs);
}

bool loads(const unsigned char *data, size_t size, size_t width)
{
    static const float x[WIDTH + 1] = {1, 2, 3, 4, 5};
    struct context context;
    struct ensemble ensemble;
    double logit;
    struct bytes_reader reader = {data, size, false};
    test_context_init(&context);
    memset(&ensemble, 0x5a, sizeof ensemble);
    const struct loading loading = {.width = width};
    assert_ok(ensemble_load(&context, &loading, &reader, context.arena, &ensemble), &test_error);
    if (!reader.failed)
        assert_ok(ensemble_score(&context, &ensemble, 1, x, NULL, &logit), &test_error);
    ensemble_close(&ensemble);
    test_context_close(&context);
    return !reader.failed;
}
