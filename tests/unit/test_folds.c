/* Random partitions and choices of rows, and drawing of batches. */
#include "deck.h"
#include "folds.h"
#include "support.h"

enum { MOST = 3000 };

/* Strata of unequal sizes, mixed up. */
static void make_strata(size_t n, unsigned char *stratum)
{
    for (size_t i = 0; i < n; i++)
        stratum[i] = i * 7 % 10 < 5 ? 0 : i * 7 % 10 < 9 ? 1 : 2;
}

static void check_even(size_t n, unsigned n_folds, const unsigned char *stratum, const unsigned char *fold,
                       int which /* -1: all */)
{
    size_t count[256] = {0}, total = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(fold[i] < n_folds);
        if (which < 0 || stratum[i] == which) {
            count[fold[i]]++;
            total++;
        }
    }
    for (size_t k = 0; k < n_folds; k++)
        assert_in_range(count[k], total / n_folds, (total + n_folds - 1) / n_folds);
}

static void test_deal(void **state)
{
    static const size_t sizes[] = {1, 4, 10, 99, 1001};
    static const unsigned folds[] = {2, 3, 5, 100};
    (void)state;
    for (size_t s = 0; s < LENGTH(sizes); s++)
        for (size_t f = 0; f < LENGTH(folds); f++) {
            const size_t n = sizes[s];
            unsigned char stratum[MOST], fold[MOST];
            struct context context;
            test_context_init(&context);
            make_strata(n, stratum);
            memset(fold, 255, sizeof fold);
            assert_ok(folds_deal(&context, n, stratum, folds[f], 1, fold), &test_error);
            for (int which = -1; which < N_STRATA; which++)
                check_even(n, folds[f], stratum, fold, which);
            assert_int_equal(fold[n], 255);
            assert_null(context_mark(&context));
            test_context_close(&context);
        }
}

static size_t count_equal(size_t n, const unsigned char *a, const unsigned char *b)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += a[i] == b[i];
    return count;
}

/* The same for the same seed and stream; else as if independent. */
static void test_streams(void **state)
{
    enum { N = 2000, FOLDS = 4 };
    unsigned char stratum[N], fold[4][N];
    struct context context;
    size_t pair[FOLDS] = {0};
    (void)state;
    test_context_init(&context);
    make_strata(N, stratum);
    assert_ok(folds_deal(&context, N, stratum, FOLDS, 1, fold[0]), &test_error);
    assert_ok(folds_deal(&context, N, stratum, FOLDS, 1, fold[1]), &test_error);
    assert_ok(folds_deal(&context, N, stratum, FOLDS, 2, fold[2]), &test_error);
    context.seed++;
    assert_ok(folds_deal(&context, N, stratum, FOLDS, 1, fold[3]), &test_error);
    assert_memory_equal(fold[0], fold[1], N);
    /* A quarter by chance: 500, with a deviation of about 19. */
    assert_in_range(count_equal(N, fold[0], fold[2]), 400, 600);
    assert_in_range(count_equal(N, fold[0], fold[3]), 400, 600);
    assert_in_range(count_equal(N, fold[2], fold[3]), 400, 600);
    /* Neighbours too are in the same fold no more often than by chance. */
    for (size_t i = 0; i + FOLDS < N; i++)
        for (size_t d = 0; d < FOLDS; d++)
            pair[d] += fold[0][i] == fold[0][i + 1 + d];
    for (size_t d = 0; d < FOLDS; d++)
        assert_in_range(pair[d], 400, 600);
    test_context_close(&context);
}

static void test_choose(void **state)
{
    static const size_t most[] = {0, 1, 7, 100, 500, 5000};
    enum { N = 1000 }; /* 500, 400 and 100 of the strata */
    unsigned char stratum[N];
    struct context context;
    (void)state;
    test_context_init(&context);
    make_strata(N, stratum);
    for (size_t k = 0; k < LENGTH(most); k++) {
        size_t n, again_n, other_n, count[N_STRATA] = {0};
        uint32_t *chosen, *again, *other;
        assert_ok(folds_choose(&context, N, stratum, most[k], 3, &n, &chosen), &test_error);
        for (size_t i = 0; i < n; i++) {
            assert_true(chosen[i] < N);
            assert_true(i == 0 || chosen[i] > chosen[i - 1]);
            count[stratum[chosen[i]]]++;
        }
        assert_int_equal(count[0], most[k] < 500 ? most[k] : 500);
        assert_int_equal(count[1], most[k] < 400 ? most[k] : 400);
        assert_int_equal(count[2], 0);
        assert_ok(folds_choose(&context, N, stratum, most[k], 3, &again_n, &again), &test_error);
        assert_int_equal(again_n, n);
        assert_memory_equal(again, chosen, n * sizeof *chosen);
        assert_ok(folds_choose(&context, N, stratum, most[k], 4, &other_n, &other), &test_error);
        assert_int_equal(other_n, n);
        if (most[k] > 0 && most[k] < 500)
            assert_memory_not_equal(other, chosen, n * sizeof *chosen);
    }
    test_context_close(&context);
}

/* Each row is chosen as often as any other of its stratum. */
static void test_choose_evenly(void **state)
{
    enum { N = 100, RUNS = 2000 };
    unsigned char stratum[N];
    size_t count[N] = {0};
    (void)state;
    make_strata(N, stratum);
    for (uint64_t run = 0; run < RUNS; run++) {
        struct context context;
        size_t n;
        uint32_t *chosen;
        test_context_init(&context);
        assert_ok(folds_choose(&context, N, stratum, 5, run, &n, &chosen), &test_error);
        for (size_t i = 0; i < n; i++)
            count[chosen[i]]++;
        test_context_close(&context);
    }
    for (size_t i = 0; i < N; i++) { /* of 50, 40 and 10 rows */
        const double share = stratum[i] == 0 ? 0.1 : stratum[i] == 1 ? 0.125 : 0;
        assert_near((double)count[i], RUNS * share, 5 * sqrt(RUNS * share * (1 - share)));
    }
}

/* ---- decks ---- */

enum { ROWS = 40, TWICE = 2 * ROWS };

/* Examples of rows in turn; label 1 for those of rows 0, 3, 6 ...; fold 1 for rows from 30 on. */
struct cards {
    struct context context;
    unsigned char label[TWICE], fold[ROWS];
    uint32_t row[TWICE];
    double weight[TWICE];
    struct examples examples;
    struct member member;
    struct rng rng;
};

static struct cards *cards_make(void)
{
    struct cards *cards = calloc(1, sizeof *cards);
    test_context_init(&cards->context);
    for (size_t i = 0; i < ROWS; i++) {
        cards->label[i] = i % 3 == 0;
        cards->fold[i] = i >= 30;
    }
    cards->examples = (struct examples){.n_rows = ROWS, .n = ROWS, .label = cards->label};
    cards->member = (struct member){.fold = cards->fold, .held_out = 1};
    rng_init(&cards->rng, 1, 1);
    return cards;
}

static void cards_free(struct cards *cards)
{
    test_context_close(&cards->context);
    free(cards);
}

static void test_deck_passes(void **state)
{
    struct cards *cards = cards_make();
    uint32_t first[20] = {0};
    bool differs = false;
    (void)state;
    for (unsigned char label = 0; label < 2; label++) {
        struct deck deck;
        assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, label, &deck), &test_error);
        assert_int_equal(deck.n, label ? 10 : 20);
        assert_true(deck_size(&deck) == (label ? 10 : 20));
        for (int pass = 0; pass < 50; pass++) {
            unsigned seen[ROWS] = {0};
            for (size_t i = 0; i < deck.n; i++) {
                const uint32_t row = deck_draw(&deck, &cards->rng);
                seen[row]++;
                differs = differs || (pass > 0 && row != first[i]);
                first[i] = row;
            }
            for (size_t i = 0; i < ROWS; i++)
                assert_int_equal(seen[i], i < 30 && cards->label[i] == label);
        }
        assert_true(differs);
        differs = false;
    }
    cards_free(cards);
}

/* After a part of a pass all cards are there again. */
static void test_deck_restart(void **state)
{
    struct cards *cards = cards_make();
    struct deck deck;
    (void)state;
    assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, 0, &deck), &test_error);
    for (int round = 0; round < 30; round++) {
        unsigned seen[ROWS] = {0};
        deck_restart(&deck);
        for (size_t i = 0; i < 20; i++)
            seen[deck_draw(&deck, &cards->rng)]++;
        for (size_t i = 0; i < ROWS; i++)
            assert_int_equal(seen[i], i < 30 && i % 3 != 0);
        for (int i = 0; i < round % 20; i++)
            (void)deck_draw(&deck, &cards->rng);
    }
    cards_free(cards);
}

/* Each order is as likely: the first card is any of them. */
static void test_deck_evenly(void **state)
{
    struct cards *cards = cards_make();
    struct deck deck;
    size_t count[ROWS] = {0};
    enum { RUNS = 8000 };
    (void)state;
    assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, 1, &deck), &test_error);
    for (int run = 0; run < RUNS; run++) {
        deck_restart(&deck);
        (void)deck_draw(&deck, &cards->rng);
        count[deck_draw(&deck, &cards->rng)]++;
    }
    for (size_t i = 0; i < 30; i += 3)
        assert_near((double)count[i], RUNS * 0.1, 5 * sqrt(RUNS * 0.09));
    cards_free(cards);
}

/* Rows that are examples more than once come as often. */
static void test_deck_repeated(void **state)
{
    struct cards *cards = cards_make();
    struct deck deck;
    unsigned seen[ROWS] = {0};
    (void)state;
    for (size_t i = 0; i < TWICE; i++) {
        cards->row[i] = (uint32_t)(i / 2);
        cards->label[i] = i % 2 == 1 || i % 10 == 0; /* every fifth row twice in class 1, others in both */
    }
    cards->examples.row = cards->row;
    cards->examples.n = TWICE;
    assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, 1, &deck), &test_error);
    assert_int_equal(deck.n, 36);
    for (size_t i = 0; i < deck.n; i++)
        seen[deck_draw(&deck, &cards->rng)]++;
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(seen[i], i >= 30 ? 0 : i % 5 == 0 ? 2 : 1);
    cards_free(cards);
}

static void test_deck_weights(void **state)
{
    struct cards *cards = cards_make();
    struct deck deck;
    size_t count[ROWS] = {0};
    double total = 0;
    enum { RUNS = 20000 };
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        cards->weight[i] = (double)(i % 4) / 2; /* 0, 0.5, 1, 1.5 */
    cards->examples.weight = cards->weight;
    assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, 0, &deck), &test_error);
    for (size_t i = 0; i < 30; i++)
        total += i % 3 != 0 ? cards->weight[i] : 0;
    for (int run = 0; run < RUNS; run++)
        count[deck_draw(&deck, &cards->rng)]++;
    for (size_t i = 0; i < ROWS; i++) {
        const double share = i < 30 && i % 3 != 0 ? cards->weight[i] / total : 0;
        assert_near((double)count[i], RUNS * share, 5 * sqrt(RUNS * share * (1 - share)));
    }
    cards_free(cards);
}

/* The sum of weights, but no more than the number of rows that have any. */
static void test_deck_size(void **state)
{
    static const double weights[] = {0, 0.25, 1, 3};
    (void)state;
    for (size_t k = 0; k < LENGTH(weights); k++) {
        struct cards *cards = cards_make();
        struct deck deck;
        for (size_t i = 0; i < ROWS; i++)
            cards->weight[i] = i == 6 ? 0 : weights[k];
        cards->examples.weight = cards->weight;
        assert_ok(deck_init(&cards->context, &cards->examples, &cards->member, 1, &deck), &test_error);
        assert_int_equal(deck.n, weights[k] > 0 ? 9 : 0);
        assert_near(deck_size(&deck), 9 * fmin(weights[k], 1), 1e-12);
        cards_free(cards);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deal),         cmocka_unit_test(test_streams),
        cmocka_unit_test(test_choose),       cmocka_unit_test(test_choose_evenly),
        cmocka_unit_test(test_deck_passes),  cmocka_unit_test(test_deck_restart),
        cmocka_unit_test(test_deck_evenly),  cmocka_unit_test(test_deck_repeated),
        cmocka_unit_test(test_deck_weights), cmocka_unit_test(test_deck_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
