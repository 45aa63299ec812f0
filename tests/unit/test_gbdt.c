/* Gradient boosted trees by the interface that the fit uses, and the threads that they are trained by. */
#include "blobs.h"
#include "crew.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

/* ---- threads that stay ---- */

/* Of this process, as far as the system tells. */
static size_t count_threads(void)
{
    size_t n = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks != NULL && readdir(tasks) != NULL)
        n++;
    if (tasks != NULL)
        (void)closedir(tasks);
    return n;
}

/* After the first threads have ended: the thread sanitizer starts one of its own with them. */
static size_t threads_before;

struct visits {
    pthread_t thread[7];
    unsigned n[7];
    bool moved;
};

static dedpul_status visit(struct context *context, void *argument, size_t index)
{
    struct visits *visits = argument;
    if (visits->n[index]++ > 0 && !pthread_equal(visits->thread[index], pthread_self()))
        visits->moved = true;
    visits->thread[index] = pthread_self();
    if (visits->n[index] == 100 && index >= 3)
        return error_set(context->error, DEDPUL_INVALID_DATA, "task %zu", index);
    return DEDPUL_OK;
}

static void test_crew(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads < 10; threads++) {
        struct context context;
        struct visits visits = {.moved = false};
        test_context_init(&context);
        context.threads = threads;
        struct crew *crew = crew_start(&context, LENGTH(visits.n));
        assert_non_null(crew);
        for (int run = 1; run < 100; run++)
            assert_ok(crew_run(crew, &context, visit, &visits), &test_error);
        assert_int_equal(crew_run(crew, &context, visit, &visits), DEDPUL_INVALID_DATA);
        assert_string_equal(test_error.message, "task 3");
        for (size_t i = 0; i < LENGTH(visits.n); i++)
            assert_int_equal(visits.n[i], 100);
        assert_false(visits.moved);
        crew_stop(crew);
        test_context_close(&context);
    }
    crew_stop(NULL);
    (void)usleep(10000);
    threads_before = count_threads();
}

static const struct loading loading = {.width = WIDTH}, wider = {.width = WIDTH + 1};

static void train_trees(struct context *context, const struct training *training, unsigned rounds,
                        unsigned kept, void *model[MEMBERS])
{
    void *set = NULL;
    assert_ok(train(context, &classifier_gbdt, training, rounds, kept, &set, model), &test_error);
    classifier_gbdt.destroy(set); /* models live on */
}

static void close_trees(struct context *context, void *model[MEMBERS])
{
    close_all(&classifier_gbdt, NULL, model);
    test_context_close(context);
}

/* ---- trees ---- */

static void test_learns(void **state)
{
    struct blobs *blobs = blobs_make(300, 400);
    struct context context;
    void *model[MEMBERS] = {NULL};
    double logit[MOST_ROWS] = {0};
    (void)state;
    test_context_init(&context);
    const struct schedule schedule = classifier_gbdt.schedule(&blobs->examples, &blobs->settings);
    assert_int_equal(schedule.fewest, 1);
    assert_int_equal(schedule.most, 50);
    assert_int_equal(schedule.patience, 7);
    train_trees(&context, &blobs->training, 15, 15, model);
    logits_by_row(blobs, logit);
    const double auc = auc_of(blobs, logit);
    assert_true(auc > 0.75); /* the ideal one, with a tenth of the values missing: 0.84 */
    assert_true(auc < 0.9);
    close_trees(&context, model);
    free(blobs);
}

static void test_balanced(void **state)
{
    struct blobs *blobs = blobs_make(150, 1500);
    struct context context;
    void *model[MEMBERS] = {NULL};
    double logit[MOST_ROWS] = {0}, mean[2] = {0, 0};
    (void)state;
    blobs->settings.trees.depth = 1; /* learns no noise, which would tell against the smaller class */
    test_context_init(&context);
    train_trees(&context, &blobs->training, 10, 10, model);
    logits_by_row(blobs, logit);
    for (size_t i = 0; i < blobs->n; i++)
        mean[blobs->label[i]] += logit[i] / (blobs->label[i] == 1 ? 150 : 1500);
    /* Unbalanced, their sum would be lower by about 2 log 10 = 4.6. */
    assert_near(mean[0] + mean[1], 0, 0.2);
    assert_true(mean[1] - mean[0] > 0.5);
    close_trees(&context, model);
    free(blobs);
}

/* Each negative is an example 150 times: a member learns from 100,000 of 150,000, which the seed chooses. */
static void test_many_examples(void **state)
{
    enum { COPIES = 150, N = 150 + 1500 * COPIES };
    uint32_t *row = calloc(N, sizeof *row);
    unsigned char *label = calloc(N, 1);
    double logit[3][MOST_ROWS] = {{0}}, mean[2] = {0, 0};
    struct blobs *blobs = blobs_make(150, 1500);
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        row[i] = i < 150 ? i : 150 + (i - 150) / COPIES;
        label[i] = i < 150;
    }
    blobs->examples.n = N;
    blobs->examples.row = row;
    blobs->examples.label = label;
    blobs->settings.trees.depth = 1;
    for (size_t k = 0; k < LENGTH(logit); k++) {
        struct context context;
        void *model[MEMBERS] = {NULL};
        test_context_init(&context);
        context.seed = k == 2;
        train_trees(&context, &blobs->training, 10, 10, model);
        logits_by_row(blobs, logit[k]);
        close_trees(&context, model);
    }
    for (size_t i = 0; i < blobs->n; i++)
        mean[blobs->label[i]] += logit[0][i] / (blobs->label[i] == 1 ? 150 : 1500);
    assert_near(mean[0] + mean[1], 0, 0.2); /* classes stay balanced */
    assert_memory_equal(logit[0], logit[1], sizeof logit[0]);
    assert_memory_not_equal(logit[0], logit[2], sizeof logit[0]);
    free(row);
    free(label);
    free(blobs);
}

/* Weight 3 as three examples of the same row, weight 0 as none. */
static void test_weights(void **state)
{
    static uint32_t row[3 * MOST_ROWS];
    static unsigned char label[3 * MOST_ROWS];
    struct blobs *weighted = blobs_make(200, 300), *repeated = blobs_make(200, 300);
    struct context context[2];
    void *model[2][MEMBERS] = {{NULL}};
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < weighted->n; i++) {
        weighted->weight[i] = (double)(i / MEMBERS % 4);
        for (size_t copy = 0; copy < i / MEMBERS % 4; copy++) {
            row[n] = (uint32_t)i;
            label[n++] = weighted->label[i];
        }
    }
    weighted->examples.weight = weighted->weight;
    repeated->examples.row = row;
    repeated->examples.label = label;
    repeated->examples.n = n;
    test_context_init(&context[0]);
    test_context_init(&context[1]);
    train_trees(&context[0], &weighted->training, 8, 8, model[0]);
    train_trees(&context[1], &repeated->training, 8, 8, model[1]);
    for (size_t m = 0; m < MEMBERS; m++)
        for (size_t i = 0; i < weighted->member[m].n_watched; i++)
            assert_near(weighted->logit[m][i], repeated->logit[m][i], 1e-4);
    close_trees(&context[0], model[0]);
    close_trees(&context[1], model[1]);
    free(weighted);
    free(repeated);
}

/* Watched logits and saved bytes. */
static void test_threads(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    struct blobs *blobs[LENGTH(threads)];
    struct context context[LENGTH(threads)];
    struct bytes bytes[LENGTH(threads)];
    (void)state;
    for (size_t t = 0; t < LENGTH(threads); t++) {
        void *model[MEMBERS] = {NULL};
        blobs[t] = blobs_make(300, 300);
        test_context_init(&context[t]);
        context[t].threads = threads[t];
        context[t].seed = 1;
        train_trees(&context[t], &blobs[t]->training, 6, 5, model);
        bytes_init(&bytes[t], &context[t]);
        for (size_t m = 0; m < MEMBERS; m++)
            assert_ok(classifier_gbdt.save(&context[t], model[m], &bytes[t]), &test_error);
        assert_memory_equal(blobs[t]->logit, blobs[0]->logit, sizeof blobs[0]->logit);
        assert_int_equal(bytes[t].size, bytes[0].size);
        assert_memory_equal(bytes[t].data, bytes[0].data, bytes[0].size);
        close_all(&classifier_gbdt, NULL, model);
    }
    for (size_t t = 0; t < LENGTH(threads); t++) {
        test_context_close(&context[t]);
        free(blobs[t]);
    }
}

/* The rows of the matrix one by one give what `watch` found in round 5 of 9, bit for bit. */
static void check_watched(struct blobs *blobs, struct context *context, void *model[MEMBERS])
{
    double logit[MOST_ROWS];
    for (size_t m = 0; m < MEMBERS; m++) {
        assert_ok(classifier_gbdt.score(context, model[m], blobs->n, blobs->x, logit), &test_error);
        for (size_t i = 0; i < blobs->member[m].n_watched; i++)
            assert_memory_equal(&logit[blobs->watched[m][i]], &blobs->logit[m][i], sizeof *logit);
    }
}

static void test_keep_and_save(void **state)
{
    struct blobs *blobs = blobs_make(200, 200);
    struct context context;
    struct bytes bytes;
    void *model[MEMBERS] = {NULL}, *loaded[MEMBERS] = {NULL};
    (void)state;
    test_context_init(&context);
    context.threads = 2;
    train_trees(&context, &blobs->training, 9, 5, model);
    check_watched(blobs, &context, model);
    bytes_init(&bytes, &context);
    for (size_t m = 0; m < MEMBERS; m++)
        assert_ok(classifier_gbdt.save(&context, model[m], &bytes), &test_error);
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    for (size_t m = 0; m < MEMBERS; m++)
        assert_ok(classifier_gbdt.load(&context, &loading, &reader, context.arena, &loaded[m]), &test_error);
    assert_int_equal(reader.size, 0);
    check_watched(blobs, &context, loaded);
    close_all(&classifier_gbdt, NULL, loaded);
    close_trees(&context, model);
    free(blobs);
}

/* More rows than are scored at once. */
static void test_score_many(void **state)
{
    enum { N = 20000 };
    struct blobs *blobs = blobs_make(100, 100);
    struct context context;
    void *model[MEMBERS] = {NULL};
    float *x = malloc(sizeof *x * N * WIDTH);
    double *logit = malloc(N * sizeof *logit), one;
    (void)state;
    for (size_t i = 0; i < N; i++)
        memcpy(x + i * WIDTH, blobs->x + i % 200 * WIDTH, WIDTH * sizeof *x);
    test_context_init(&context);
    train_trees(&context, &blobs->training, 3, 3, model);
    assert_ok(classifier_gbdt.score(&context, model[0], N, x, logit), &test_error);
    for (size_t i = 0; i < N; i += 7) {
        assert_ok(classifier_gbdt.score(&context, model[0], 1, x + i * WIDTH, &one), &test_error);
        assert_memory_equal(&one, &logit[i], sizeof one);
    }
    assert_ok(classifier_gbdt.score(&context, model[0], 0, x, logit), &test_error);
    close_trees(&context, model);
    free(x);
    free(logit);
    free(blobs);
}

static void test_damaged(void **state)
{
    struct blobs *blobs = blobs_make(50, 50);
    struct context context;
    struct bytes bytes;
    void *model[MEMBERS] = {NULL}, *loaded = NULL;
    (void)state;
    test_context_init(&context);
    train_trees(&context, &blobs->training, 2, 2, model);
    bytes_init(&bytes, &context);
    assert_ok(classifier_gbdt.save(&context, model[0], &bytes), &test_error);
    for (size_t i = 0; i < bytes.size; i += 3) { /* a byte changed; the end missing */
        struct bytes_reader whole = {bytes.data, bytes.size, false}, part = {bytes.data, i, false};
        bytes.data[i] ^= 0x10;
        assert_int_equal(classifier_gbdt.load(&context, &loading, &whole, context.arena, &loaded),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "damaged");
        bytes.data[i] ^= 0x10;
        assert_int_equal(classifier_gbdt.load(&context, &loading, &part, context.arena, &loaded),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "damaged");
    }
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    assert_int_equal(classifier_gbdt.load(&context, &wider, &reader, context.arena, &loaded),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "have 4 features, not 5");
    assert_null(loaded);
    close_trees(&context, model);
    free(blobs);
}

/* XGBoost's messages come through, in one line and without its source's path. */
static void test_xgboost_refuses(void **state)
{
    struct blobs *blobs = blobs_make(50, 50);
    struct context context;
    void *set = NULL, *model[MEMBERS] = {NULL};
    (void)state;
    test_context_init(&context);
    blobs->settings.trees.l2 = -1;
    assert_int_equal(train(&context, &classifier_gbdt, &blobs->training, 1, 1, &set, model),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "XGBoost: ");
    assert_contains(test_error.message, "lambda");
    assert_null(strchr(test_error.message, '\n'));
    assert_null(strstr(test_error.message, ".cc:"));
    close_all(&classifier_gbdt, set, model);
    test_context_close(&context);
    free(blobs);
}

static void test_missing_class(void **state)
{
    struct blobs *blobs = blobs_make(2, 50);
    struct context context;
    void *set = NULL, *model[MEMBERS] = {NULL};
    (void)state;
    test_context_init(&context);
    blobs->fold[0] = blobs->fold[1] = 2;
    assert_int_equal(train(&context, &classifier_gbdt, &blobs->training, 1, 1, &set, model),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "outside fold 3 no row of class 1");
    close_all(&classifier_gbdt, set, model);
    test_context_close(&context);
    free(blobs);
}

/* The address sanitizer sees handles of XGBoost too. */
static void test_allocations(void **state)
{
    (void)state;
    check_allocations(&classifier_gbdt, NULL);
}

/* XGBoost's would stay. Threads that were joined leave the system's list a moment later. */
static void test_no_threads_left(void **state)
{
    (void)state;
    for (int wait = 0; wait < 1000 && count_threads() > threads_before; wait++)
        (void)usleep(1000);
    assert_true(count_threads() <= threads_before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crew),
        cmocka_unit_test(test_learns),
        cmocka_unit_test(test_balanced),
        cmocka_unit_test(test_many_examples),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_keep_and_save),
        cmocka_unit_test(test_score_many),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_xgboost_refuses),
        cmocka_unit_test(test_missing_class),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_no_threads_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
