/* Profiles of columns by their definition, counts of new rows, and profiles as bytes. */
#include "column_profile.h"
#include "feature_tables.h"
#include "reading.h"

#include <stdlib.h>

/* A mixed table in which every third row is labeled, its encoding and its profiles. */
struct profiled {
    struct mixed *mixed;
    struct table *table;
    unsigned char label[MIXED_ROWS];
    struct encoded encoded;
    struct column_profiles profiles;
};

static void profiled_make(struct profiled *at, bool weighted, unsigned threads)
{
    at->mixed = mixed_make();
    at->table = &at->mixed->table.table;
    for (size_t i = 0; i < MIXED_ROWS; i++)
        at->label[i] = i % 3 == 0;
    at->table->label = at->label;
    at->table->weight = weighted ? at->mixed->weight : NULL;
    encode_by(&at->encoded, at->table, ENCODE_ONEHOT, SCALE_RANK, threads);
    assert_ok(column_profiles_learn(&at->encoded.context, &at->encoded.encoding, at->table,
                                    at->encoded.memory.arena, &at->profiles),
              &test_error);
}

static void profiled_free(struct profiled *at)
{
    encoded_free(&at->encoded);
    free(at->mixed);
}

static double weight_of(const struct profiled *at, size_t row)
{
    return at->label[row] ? 0 : at->table->weight != NULL ? at->table->weight[row] : 1;
}

/* The weight of unlabeled rows with a number from low to high. */
static double weight_between(const struct profiled *at, const double *number, double low, double high)
{
    double sum = 0;
    for (size_t i = 0; i < MIXED_ROWS; i++)
        sum += number[i] >= low && number[i] <= high ? weight_of(at, i) : 0;
    return sum;
}

static void check_numbers(const struct profiled *at, size_t c, double total)
{
    const struct column_profile *profile = &at->profiles.column[c];
    const double *number = at->table->column[c].number;
    const double known = weight_between(at, number, -INFINITY, INFINITY);
    double mean = 0, sum = 0;
    size_t last = profile->n_bins - 1;
    assert_in_range(profile->n_bins, 1, PROFILE_BINS_MOST);
    for (size_t i = 0; i < MIXED_ROWS; i++)
        mean += isnan(number[i]) ? 0 : number[i] * weight_of(at, i) / known;
    assert_near(profile->missing, 1 - known / total, 1e-12);
    assert_near(profile->mean, mean, 1e-9 * (1 + fabs(mean)));
    for (size_t b = 0; b <= last; b++) {
        assert_near(profile->share[b], weight_between(at, number, profile->low[b], profile->high[b]) / known,
                    1e-12);
        assert_true(b == last || profile->share[b] >= 0.1 - 1e-6);
        assert_true(profile->low[b] <= profile->high[b]);
        assert_true(b == 0 || profile->high[b - 1] < profile->low[b]);
        sum += profile->share[b];
    }
    assert_near(sum, 1, 1e-12); /* no row is in between or beyond */
}

static void check_texts(const struct profiled *at, size_t c, double total)
{
    const struct column_profile *profile = &at->profiles.column[c];
    double weight[8] = {0}, missing = 0;
    for (size_t i = 0; i < MIXED_ROWS; i++)
        *(at->table->column[c].code[i] == LEVEL_MISSING ? &missing : &weight[at->table->column[c].code[i]]) +=
            weight_of(at, i);
    assert_int_equal(profile->n_bins, at->table->column[c].schema.n_levels);
    assert_null(profile->low);
    assert_near(profile->missing, missing / total, 1e-12);
    for (size_t b = 0; b < profile->n_bins; b++)
        assert_near(profile->share[b], weight[b] / (total - missing), 1e-12);
}

static void test_definition(void **state)
{
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        struct profiled at;
        double total = 0, largest = 0;
        size_t dropped = 0;
        profiled_make(&at, weighted, 1 + (unsigned)weighted);
        for (size_t i = 0; i < MIXED_ROWS; i++) {
            total += weight_of(&at, i);
            largest = fmax(largest, weight_of(&at, i));
        }
        assert_near(at.profiles.rows, total / largest, 1e-9 * total);
        for (size_t c = 0; c < at.table->n_columns; c++) {
            dropped += at.encoded.encoding.column[c].width == 0;
            if (at.encoded.encoding.column[c].width == 0)
                assert_near(at.profiles.column[c].missing, 0, 0);
            else if (at.table->column[c].number != NULL)
                check_numbers(&at, c, total);
            else
                check_texts(&at, c, total);
        }
        assert_true(dropped > 0);
        profiled_free(&at);
    }
}

/* Ten bins of as many rows if there are no ties; a bin of its own for a number that most rows have. */
static void test_bins(void **state)
{
    enum { N = 1000 };
    static double even[N], zeros[N], none[N];
    static unsigned char label[N];
    struct test_table table;
    struct encoded encoded;
    struct column_profiles profiles;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        even[i] = (double)(7 * i % N);
        zeros[i] = i % 4 == 0 ? (double)i : 0;
        label[i] = i >= 900;
        none[i] = label[i] ? 3 + (double)(i % 2) : NAN; /* only labeled rows have it */
    }
    table_init(&table, N);
    add_numbers(&table, "even", even);
    add_numbers(&table, "zeros", zeros);
    add_numbers(&table, "none", none);
    table.table.label = label;
    encode(&encoded, &table);
    assert_ok(column_profiles_learn(&encoded.context, &encoded.encoding, &table.table, encoded.memory.arena,
                                    &profiles),
              &test_error);
    assert_near(profiles.rows, 900, 0);
    assert_int_equal(profiles.column[0].n_bins, 10);
    for (size_t b = 0; b < 10; b++)
        assert_near(profiles.column[0].share[b], 0.1, 1e-12);
    assert_near(profiles.column[1].high[0], 0, 0);
    assert_near(profiles.column[1].share[0], 676.0 / 900, 1e-12);
    assert_int_equal(profiles.column[1].n_bins, 4); /* of 90, 90 and 44 of the others */
    assert_int_equal(profiles.column[2].n_bins, 0);
    assert_near(profiles.column[2].missing, 1, 0);
    encoded_free(&encoded);
}

/* A row that weighs next to nothing beside ten full bins does not make an eleventh. */
static void test_light_row(void **state)
{
    enum { N = 22 };
    static double number[N], weight[N];
    static unsigned char label[N];
    struct test_table table;
    struct encoded encoded;
    struct column_profiles profiles;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        const size_t pair = i / 2;
        number[i] = (double)pair;
        weight[i] = i < 20 ? 1e10 : 1;
        label[i] = i == N - 1;
    }
    table_init(&table, N);
    add_numbers(&table, "number", number);
    table.table.label = label;
    table.table.weight = weight;
    encode(&encoded, &table);
    assert_ok(column_profiles_learn(&encoded.context, &encoded.encoding, &table.table, encoded.memory.arena,
                                    &profiles),
              &test_error);
    assert_int_equal(profiles.column[0].n_bins, PROFILE_BINS_MOST);
    assert_near(profiles.column[0].high[PROFILE_BINS_MOST - 1], 10, 0);
    encoded_free(&encoded);
}

/* ---- counts ---- */

static void test_counts(void **state)
{
    struct profiled at;
    struct column_counts *counts, *by_pieces;
    (void)state;
    profiled_make(&at, false, 2);
    struct context *context = &at.encoded.context;
    const struct encoding *encoding = &at.encoded.encoding;
    struct mixed *other = mixed_make();
    struct table *table = &other->table.table;
    for (size_t i = 0; i < MIXED_ROWS; i++) { /* numbers beyond, levels that are new */
        other->rank[i] = i % 10 == 0 ? -1e9 : i % 10 == 1 ? 1e9 : other->rank[i];
        other->color[i] = i % 7 == 0 ? LEVEL_UNSEEN : other->color[i];
    }
    assert_ok(column_counts_make(context, encoding, &at.profiles, &counts), &test_error);
    assert_ok(column_counts_make(context, encoding, &at.profiles, &by_pieces), &test_error);
    assert_ok(column_counts_add(context, encoding, &at.profiles, table, counts), &test_error);
    for (size_t first = 0, n; first < MIXED_ROWS; first += n) {
        struct table piece = *table;
        struct column column[MOST_COLUMNS];
        n = first % 1000 == 0 ? 7 : 993;
        piece.n_rows = n;
        piece.column = column;
        for (size_t c = 0; c < table->n_columns; c++) {
            column[c] = table->column[c];
            column[c].number += column[c].number != NULL ? first : 0;
            column[c].code += column[c].code != NULL ? first : 0;
        }
        assert_ok(column_counts_add(context, encoding, &at.profiles, &piece, by_pieces), &test_error);
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &table->column[c];
        const struct column_profile *profile = &at.profiles.column[c];
        size_t missing = 0, unseen = 0, below = 0, above = 0, bin[PROFILE_BINS_MOST] = {0};
        double sum = 0;
        if (encoding->column[c].width == 0)
            continue;
        for (size_t i = 0; i < MIXED_ROWS; i++) {
            size_t b = 0;
            if (column->code != NULL) {
                missing += column->code[i] == LEVEL_MISSING;
                unseen += column->code[i] == LEVEL_UNSEEN;
                bin[column->code[i] % LEVEL_UNSEEN % 8] += column->code[i] < LEVEL_UNSEEN;
                continue;
            }
            sum += isnan(column->number[i]) ? 0 : column->number[i];
            while (b < profile->n_bins && !(column->number[i] < profile->low[b]))
                b++;
            if (isnan(column->number[i]))
                missing++;
            else if (column->number[i] > profile->high[profile->n_bins - 1])
                above++;
            else
                *(b == 0 ? &below : &bin[b - 1]) += 1;
        }
        assert_int_equal(counts[c].missing, missing);
        assert_int_equal(counts[c].unseen, unseen);
        assert_int_equal(counts[c].below, below);
        assert_int_equal(counts[c].above, above);
        assert_near(counts[c].sum, sum, 1e-9 * fabs(sum));
        assert_memory_equal(counts[c].bin, bin, profile->n_bins * sizeof *bin);
        assert_int_equal(by_pieces[c].missing, missing);
        assert_int_equal(by_pieces[c].above, above);
        assert_memory_equal(by_pieces[c].bin, bin, profile->n_bins * sizeof *bin);
    }
    assert_true(counts[0].below == 300 && counts[0].above >= 300);
    free(other);
    profiled_free(&at);
}

/* ---- bytes ---- */

static void save(struct profiled *at, struct bytes *bytes)
{
    bytes_init(bytes, &at->encoded.memory);
    column_profiles_save(&at->profiles, &at->encoded.encoding, bytes);
}

static bool load(struct profiled *at, size_t size, const unsigned char *data,
                 struct column_profiles *profiles)
{
    struct bytes_reader reader = {.data = data, .size = size};
    assert_ok(column_profiles_load(&at->encoded.memory, &reader, &at->encoded.encoding,
                                   at->encoded.memory.arena, profiles),
              &test_error);
    return !reader.failed && reader.size == 0;
}

static void test_saved_and_loaded(void **state)
{
    struct profiled at;
    struct bytes bytes, again;
    (void)state;
    profiled_make(&at, true, 1);
    save(&at, &bytes);
    assert_true(load(&at, bytes.size, bytes.data, &at.profiles));
    save(&at, &again);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    at.profiles.rows = 0; /* no profiles */
    save(&at, &bytes);
    assert_int_equal(bytes.size, 8);
    assert_true(load(&at, bytes.size, bytes.data, &at.profiles));
    assert_near(at.profiles.rows, 0, 0);
    profiled_free(&at);
}

/* Either it is refused, or it can be used. */
static void test_damaged_bytes(void **state)
{
    struct profiled at;
    struct bytes bytes;
    struct column_profiles loaded;
    struct rng rng;
    size_t accepted = 0;
    (void)state;
    profiled_make(&at, false, 1);
    save(&at, &bytes);
    unsigned char *data = malloc(bytes.size);
    for (size_t size = 0; size < bytes.size; size++) {
        unsigned char *exact = malloc(size + 1); /* so that a sanitizer sees each step beyond */
        memcpy(exact, bytes.data, size);
        assert_false(load(&at, size, exact, &loaded));
        free(exact);
    }
    rng_init(&rng, 3, 1);
    for (int round = 0; round < 2000; round++) {
        struct column_counts *counts;
        memcpy(data, bytes.data, bytes.size);
        for (uint32_t k = 1 + rng_below(&rng, 3); k > 0; k--)
            data[rng_below(&rng, (uint32_t)bytes.size)] = (unsigned char)rng_below(&rng, 256);
        if (!load(&at, bytes.size, data, &loaded) || !(loaded.rows > 0))
            continue;
        accepted++;
        struct block *mark = context_mark(&at.encoded.context);
        assert_ok(column_counts_make(&at.encoded.context, &at.encoded.encoding, &loaded, &counts),
                  &test_error);
        assert_ok(column_counts_add(&at.encoded.context, &at.encoded.encoding, &loaded, at.table, counts),
                  &test_error);
        context_release(&at.encoded.context, mark);
    }
    assert_in_range(accepted, 100, 1900);
    free(data);
    profiled_free(&at);
}

/* What no fit writes. */
static void test_senseless_profiles(void **state)
{
    struct profiled at;
    struct bytes bytes;
    struct column_profiles loaded;
    (void)state;
    profiled_make(&at, false, 1);
    struct column_profile *number = &at.profiles.column[0], *text = &at.profiles.column[2];
    assert_non_null(number->low);
    assert_null(text->low);
#define CHECK(place, value)                                       \
    do {                                                          \
        const double kept = (double)(place);                      \
        (place) = (value);                                        \
        save(&at, &bytes);                                        \
        assert_false(load(&at, bytes.size, bytes.data, &loaded)); \
        (place) = (__typeof__(place))kept;                        \
    } while (0)
    CHECK(at.profiles.rows, NAN);
    CHECK(at.profiles.rows, INFINITY);
    CHECK(at.profiles.rows, -1);
    CHECK(number->missing, 1.1);
    CHECK(number->missing, NAN);
    CHECK(number->mean, INFINITY);
    CHECK(number->share[1], -0.1);
    CHECK(number->share[1], 0.3); /* more than all */
    CHECK(number->low[1], number->high[0]);
    CHECK(number->high[1], number->low[2]);
    CHECK(number->high[1], NAN);
    CHECK(number->low[1], number->high[1] + 1);
    CHECK(text->n_bins, text->n_bins - 1);
    CHECK(text->share[0], 2);
#undef CHECK
    save(&at, &bytes);
    assert_true(load(&at, bytes.size, bytes.data, &loaded)); /* all was put back */
    profiled_free(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),         cmocka_unit_test(test_bins),
        cmocka_unit_test(test_light_row),          cmocka_unit_test(test_counts),
        cmocka_unit_test(test_saved_and_loaded),   cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_senseless_profiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
