/* Columns that moved are named; columns of rows like those of the fit are not, but for the stated rate. */
#include "drift.h"
#include "feature_tables.h"

#include <stdio.h>

/* ---- rows of columns of many kinds ---- */

enum { COLUMNS = 10, ROWS_MOST = 20000, LEVELS = 60 };
enum { NORMAL, SKEWED, TIED, ZEROS, BINARY, GAPS, HOLES, FEW, ZIPF, RARE };

static char *names[COLUMNS] = {"normal", "skewed", "tied", "zeros", "binary",
                               "gaps",   "holes",  "few",  "zipf",  "rare"};
static char level_text[LEVELS][4];
static char *level_name[LEVELS];

struct rows {
    struct test_table table;
    double number[FEW][ROWS_MOST], weight[ROWS_MOST];
    uint32_t code[COLUMNS - FEW][ROWS_MOST];
    unsigned char label[ROWS_MOST];
};

static struct rows *rows_make(void)
{
    struct rows *rows = calloc(1, sizeof *rows);
    table_init(&rows->table, 0);
    for (size_t i = 0; i < LEVELS; i++) {
        (void)snprintf(level_text[i], sizeof level_text[i], "%02zu", i);
        level_name[i] = level_text[i];
    }
    for (size_t c = 0; c < FEW; c++)
        add_numbers(&rows->table, names[c], rows->number[c]);
    for (size_t c = FEW; c < COLUMNS; c++)
        add_texts(&rows->table, names[c], LEVELS, level_name, rows->code[c - FEW]);
    rows->table.table.label = rows->label;
    return rows;
}

static void draw_numbers(struct rng *rng, size_t i, double (*number)[ROWS_MOST])
{
    number[NORMAL][i] = random_normal(rng);
    number[SKEWED][i] = exp(random_normal(rng));
    number[TIED][i] = floor(3 * random_normal(rng));
    number[ZEROS][i] = rng_below(rng, 10) > 0 ? 0 : exp(random_normal(rng));
    number[BINARY][i] = rng_below(rng, 3) == 0;
    number[GAPS][i] = rng_below(rng, 5) == 0 ? NAN : 100 + random_normal(rng);
    number[HOLES][i] = rng_below(rng, 200) == 0 ? NAN : rng_uniform(rng);
}

static void draw_rows(struct rng *rng, size_t n, bool weighted, struct rows *rows)
{
    rows->table.table.n_rows = n;
    rows->table.table.weight = weighted ? rows->weight : NULL;
    for (size_t i = 0; i < n; i++) {
        draw_numbers(rng, i, rows->number);
        rows->code[0][i] = rng_below(rng, 3);
        rows->code[ZIPF - FEW][i] = (uint32_t)(pow(LEVELS + 1, rng_uniform(rng)) - 1);
        rows->code[RARE - FEW][i] = rng_below(rng, 50) > 0 ? 0 : rng_below(rng, LEVELS);
        rows->weight[i] = 1 + rng_below(rng, 4);
    }
}

/* Gives new rows the encoding's codes, as a reader does. */
static void recode(struct context *context, const struct encoding *encoding, struct rows *rows)
{
    for (size_t c = FEW; c < COLUMNS; c++) {
        uint32_t *known_as;
        assert_ok(encoding_match_levels(context, &encoding->column[c].schema, &rows->table.column[c].schema,
                                        &known_as),
                  &test_error);
        for (size_t i = 0; i < rows->table.table.n_rows; i++)
            if (rows->code[c - FEW][i] < LEVEL_UNSEEN)
                rows->code[c - FEW][i] = known_as[rows->code[c - FEW][i]];
    }
}

/* Compares new rows with those of a fit. Encoding and memory must be closed by encoded_free. */
static struct drift_table compare(struct rows *fit, struct rows *new, struct encoded *encoded)
{
    struct column_profiles profiles;
    struct column_counts *counts;
    struct drift_table table;
    encode(encoded, &fit->table);
    struct context *context = &encoded->context;
    recode(context, &encoded->encoding, new);
    assert_ok(column_profiles_learn(context, &encoded->encoding, &fit->table.table, encoded->memory.arena,
                                    &profiles),
              &test_error);
    assert_ok(column_counts_make(context, &encoded->encoding, &profiles, &counts), &test_error);
    assert_ok(column_counts_add(context, &encoded->encoding, &profiles, &new->table.table, counts),
              &test_error);
    assert_ok(find_drift(context, &encoded->encoding, &profiles, new->table.table.n_rows, counts,
                         encoded->memory.arena, &table),
              &test_error);
    return table;
}

/* ---- clean rows ---- */

/* Fresh rows of a fit and fresh new rows, many times: at most 1 of 100 has a column that is named. */
static void test_false_alarms(void **state)
{
    static const size_t fitted[] = {60, 400, 2000}, batch[] = {20, 50, 200, 1500};
    struct rows *fit = rows_make(), *new = rows_make();
    struct rng rng;
    size_t batches = 0, alarms = 0;
    (void)state;
    rng_init(&rng, 11, 1);
    for (int round = 0; round < (IS_SLOW ? 4 : 40); round++)
        for (size_t k = 0; k < LENGTH(fitted) * LENGTH(batch); k++) {
            struct encoded encoded;
            draw_rows(&rng, fitted[k % LENGTH(fitted)], round % 2 == 1, fit);
            draw_rows(&rng, batch[k / LENGTH(fitted)], false, new);
            const struct drift_table table = compare(fit, new, &encoded);
            assert_in_range(table.n_compared, COLUMNS - 2, COLUMNS); /* some are constant in few rows */
            alarms += table.n > 0;
            batches++;
            encoded_free(&encoded);
        }
    assert_true(alarms <= 1 + batches / 100);
    free(fit);
    free(new);
}

/* ---- rows that moved ---- */

static void shift(struct rows *new, size_t i)
{
    new->number[NORMAL][i] += 1;
}

static void take_other_unit(struct rows *new, size_t i)
{
    new->number[SKEWED][i] *= 100;
}

static void lose_all(struct rows *new, size_t i)
{
    new->number[HOLES][i] = NAN;
}

static void rename_levels(struct rows *new, size_t i)
{
    new->code[0][i] = i % 4 == 0 ? LEVEL_UNSEEN : new->code[0][i];
}

static void prefer_level(struct rows *new, size_t i)
{
    new->code[0][i] = i % 3 == 0 ? 1 : new->code[0][i];
}

/* Few rows, but far away: the bins of a tenth hardly change. */
static void stray(struct rows *new, size_t i)
{
    new->number[ZEROS][i] *= i % 2 == 0 ? 1e3 : 1;
}

static void fill_gaps(struct rows *new, size_t i)
{
    new->number[GAPS][i] =
        isnan(new->number[GAPS][i]) ? 98.5 + 1e-3 * (double)(i % 3000) : new->number[GAPS][i];
}

static void flip(struct rows *new, size_t i)
{
    new->number[BINARY][i] = 1 - new->number[BINARY][i];
}

struct change {
    void (*apply)(struct rows *new, size_t i);
    size_t column;
    const char *values;
};

static const struct change changes[] = {
    {shift, NORMAL, " to "},      {take_other_unit, SKEWED, "above "},
    {lose_all, HOLES, "missing"}, {rename_levels, FEW, "unseen levels"},
    {prefer_level, FEW, "'01'"},  {stray, ZEROS, "above "},
    {fill_gaps, GAPS, "missing"}, {flip, BINARY, "1"},
};

/* Each is named, alone, from 200 rows on. */
static void test_named(void **state)
{
    static const size_t batch[] = {200, 1000, 10000};
    struct rows *fit = rows_make(), *new = rows_make();
    struct rng rng;
    (void)state;
    rng_init(&rng, 12, 1);
    for (size_t k = 0; k < LENGTH(changes) * LENGTH(batch); k++) {
        const struct change *change = &changes[k / LENGTH(batch)];
        struct encoded encoded;
        draw_rows(&rng, 1000, k % 2 == 1, fit);
        draw_rows(&rng, batch[k % LENGTH(batch)], false, new);
        for (size_t i = 0; i < new->table.table.n_rows; i++)
            change->apply(new, i);
        const struct drift_table table = compare(fit, new, &encoded);
        assert_int_equal(table.n, 1);
        assert_string_equal(table.column[0].column, names[change->column]);
        assert_contains(table.column[0].change, change->values);
        assert_true(table.column[0].chance < DRIFT_CHANCE);
        assert_true(fabs(table.column[0].share.now - table.column[0].share.before) > 0.01);
        encoded_free(&encoded);
    }
    free(fit);
    free(new);
}

/* What is said about columns, and in which order. */
static void test_table(void **state)
{
    struct rows *fit = rows_make(), *new = rows_make();
    struct encoded encoded;
    struct rng rng;
    double sum = 0;
    (void)state;
    rng_init(&rng, 13, 1);
    draw_rows(&rng, 1000, false, fit);
    draw_rows(&rng, 500, false, new);
    for (size_t i = 0; i < 500; i++) {
        lose_all(new, i);
        shift(new, i);
        rename_levels(new, i);
        sum += new->number[NORMAL][i];
    }
    const struct drift_table table = compare(fit, new, &encoded);
    const struct drift *lost = &table.column[0], *shifted = &table.column[1], *renamed = &table.column[2];
    assert_int_equal(table.n_compared, COLUMNS);
    assert_int_equal(table.n, 3);
    assert_string_equal(lost->column, "holes");
    assert_near(lost->distance, 1 - lost->missing.before, 1e-12);
    assert_near(lost->missing.now, 1, 0);
    assert_near(lost->share.now, 1, 0);
    assert_true(isnan(lost->mean.now) && !isnan(lost->mean.before));
    assert_string_equal(shifted->column, "normal");
    assert_near(shifted->mean.now, sum / 500, 1e-12);
    assert_near(shifted->mean.before, 0, 0.1);
    assert_near(shifted->distance, 0.38, 0.06); /* of normals a standard deviation apart */
    assert_string_equal(renamed->column, "few");
    assert_near(renamed->unseen, 0.25, 0);
    assert_near(renamed->distance, 0.25, 0.06);
    assert_true(isnan(renamed->mean.now));
    for (size_t i = 0; i < table.n; i++)
        assert_true(i == 0 || table.column[i].distance <= table.column[i - 1].distance);
    encoded_free(&encoded);
    free(fit);
    free(new);
}

/* However many rows there are, what does not matter is not named. Fewer than 20 rows say nothing. */
static void test_what_does_not_matter(void **state)
{
    struct rows *fit = rows_make(), *new = rows_make();
    struct encoded encoded;
    struct rng rng;
    (void)state;
    rng_init(&rng, 14, 1);
    draw_rows(&rng, ROWS_MOST, false, fit);
    draw_rows(&rng, ROWS_MOST, false, new);
    for (size_t i = 0; i < ROWS_MOST; i++) {
        new->number[NORMAL][i] += 0.1; /* distance 0.04 */
        new->number[SKEWED][i] *= i % 150 == 0 ? 1e9 : 1;
        new->number[HOLES][i] = i % 40 == 0 ? NAN : new->number[HOLES][i];
        new->code[0][i] = i % 150 == 0 ? LEVEL_UNSEEN : new->code[0][i];
    }
    struct drift_table table = compare(fit, new, &encoded);
    assert_int_equal(table.n_compared, COLUMNS);
    assert_int_equal(table.n, 0);
    encoded_free(&encoded);
    for (size_t i = 0; i < ROWS_MOST; i += 60) /* few, but of a kind that was not there */
        new->number[ZEROS][i] = -1;
    table = compare(fit, new, &encoded);
    assert_int_equal(table.n, 1);
    assert_string_equal(table.column[0].change, "below 0");
    assert_true(table.column[0].distance < 0.05);
    encoded_free(&encoded);
    for (size_t n = 19; n <= 20; n++) {
        draw_rows(&rng, n, false, new);
        for (size_t i = 0; i < n; i++)
            lose_all(new, i);
        table = compare(fit, new, &encoded);
        assert_int_equal(table.n_compared, n == 20 ? COLUMNS : 0);
        assert_int_equal(table.n, n == 20);
        encoded_free(&encoded);
    }
    free(fit);
    free(new);
}

/* At the fit, only labeled rows had values. */
static void test_never_there(void **state)
{
    struct rows *fit = rows_make(), *new = rows_make();
    struct encoded encoded;
    struct rng rng;
    (void)state;
    rng_init(&rng, 15, 1);
    draw_rows(&rng, 1000, false, fit);
    draw_rows(&rng, 200, false, new);
    for (size_t i = 0; i < 1000; i++) {
        fit->label[i] = i >= 900;
        fit->number[HOLES][i] = i >= 900 ? fit->number[HOLES][i] : NAN;
    }
    const struct drift_table table = compare(fit, new, &encoded);
    assert_int_equal(table.n, 1);
    assert_string_equal(table.column[0].change, "missing");
    assert_near(table.column[0].distance, 1 - table.column[0].missing.now, 1e-12);
    assert_true(table.column[0].missing.now < 0.1 && isnan(table.column[0].mean.before));
    encoded_free(&encoded);
    free(fit);
    free(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_named),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_what_does_not_matter),
        cmocka_unit_test(test_never_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
