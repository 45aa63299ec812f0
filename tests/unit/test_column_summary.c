/* What columns say of the labels by themselves: against counting. */
#include "column_summary.h"
#include "feature_tables.h"
#include "fitting.h"
#include "reading.h"
#include "rng.h"

#include <stdio.h>

static void summarise(const struct table *table, struct column_summary *summary)
{
    struct context context;
    test_context_init(&context);
    assert_ok(summarise_columns(&context, table, summary), &test_error);
    test_context_close(&context);
}

/* Each pair of a labeled and an unlabeled row; `missing` stands for numbers that are not there. */
static double count_auc(const struct table *table, const double *number, double missing)
{
    double won = 0, pairs = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t k = 0; table->label[i] == 1 && k < table->n_rows; k++) {
            const double a = isnan(number[i]) ? missing : number[i],
                         b = isnan(number[k]) ? missing : number[k];
            const double weight = table->label[k] == 0 ? table->weight[i] * table->weight[k] : 0;
            won += weight * (a > b ? 1 : a == b ? 0.5 : 0);
            pairs += weight;
        }
    return won / pairs;
}

/* A decile of the numbers of rows with a label: the row at which a tenth, two tenths, ... are passed. */
static double decile(const struct table *table, const double *number, unsigned char label, size_t tenths)
{
    double best = INFINITY, total = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        total += table->label[i] == label && !isnan(number[i]) ? table->weight[i] : 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        double up_to = 0;
        for (size_t k = 0; k < table->n_rows; k++)
            up_to += table->label[k] == label && number[k] <= number[i] ? table->weight[k] : 0;
        if (table->label[i] == label && up_to > floor((double)tenths / 10 * (total - 1)))
            best = fmin(best, number[i]);
    }
    return best;
}

/* The bin of a number: how many deciles of either label are below it. */
static void fill_bins(const struct table *table, const double *number, double *bin)
{
    for (size_t i = 0; i < table->n_rows; i++)
        bin[i] = isnan(number[i]) ? -1 : 0;
    for (unsigned char label = 0; label < 2; label++)
        for (size_t tenths = 1; tenths < 10; tenths++) {
            const double cut = decile(table, number, label, tenths);
            for (size_t i = 0; i < table->n_rows; i++)
                bin[i] += number[i] > cut ? 1 : 0;
        }
}

/* The AUC if a row's score is the labeled share of its bin among every other row of either label. */
static double count_auc_by_bins(const struct table *table, const double *number)
{
    double bin[MIXED_ROWS], share[MIXED_ROWS], total[2] = {0, 0};
    size_t half[MIXED_ROWS], seen[2] = {0, 0};
    fill_bins(table, number, bin);
    for (size_t i = 0; i < table->n_rows; i++) {
        half[i] = seen[table->label[i]]++ % 2;
        total[table->label[i]] += table->weight[i];
    }
    for (size_t i = 0; i < table->n_rows; i++) {
        double with[2] = {0, 0};
        for (size_t k = 0; k < table->n_rows; k++)
            with[table->label[k]] += half[k] != half[i] && bin[k] == bin[i] ? table->weight[k] : 0;
        share[i] = (with[1] + total[1] / (total[0] + total[1])) / (with[0] + with[1] + 1);
    }
    return count_auc(table, share, 0);
}

/* The share of the rows with a label that have a number at most this one, and below it. */
static void assert_median(const struct table *table, const double *number, unsigned char label, double median)
{
    double below = 0, up_to = 0, total = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double weight = table->label[i] == label && !isnan(number[i]) ? table->weight[i] : 0;
        below += number[i] < median ? weight : 0;
        up_to += number[i] <= median ? weight : 0;
        total += weight;
    }
    if (total == 0)
        assert_true(isnan(median));
    else
        assert_true(below <= total / 2 && up_to >= total / 2);
}

static void test_numbers(void **state)
{
    struct mixed *mixed = mixed_make();
    struct table *table = &mixed->table.table;
    struct column_summary summary[MOST_COLUMNS];
    unsigned char label[MIXED_ROWS];
    (void)state;
    table->n_rows = 600;
    table->label = label;
    table->weight = mixed->weight;
    for (size_t i = 0; i < table->n_rows; i++)
        label[i] = isnan(mixed->few[i]) ? i % 2 == 0 : mixed->rank[i] < -1.5 || i % 5 == 0;
    summarise(table, summary);
    for (size_t c = 0; c < table->n_columns; c++) {
        const double *number = table->column[c].number;
        double missing = 0, total = 0;
        if (number == NULL)
            continue;
        const double low = count_auc(table, number, -INFINITY), high = count_auc(table, number, INFINITY);
        const double ordered = 0.5 + fmax(fabs(low - 0.5), fabs(high - 0.5));
        assert_near(summary[c].auc, ordered, 1e-9);
        assert_near(summary[c].shape_auc, fmax(ordered, count_auc_by_bins(table, number)), 1e-9);
        for (unsigned char of = 0; of < 2; of++)
            assert_median(table, number, of, summary[c].median[of]);
        for (size_t i = 0; i < table->n_rows; i++) {
            missing += isnan(number[i]) ? table->weight[i] : 0;
            total += table->weight[i];
        }
        assert_near(summary[c].missing, missing / total, 1e-12);
        assert_true(summary[c].level[0] == LEVEL_MISSING && summary[c].level[1] == LEVEL_MISSING);
    }
    free(mixed);
}

/* Labeled rows at both ends; and a number that labeled rows alone have. */
static void test_shapes(void **state)
{
    enum { ROWS = 1200 };
    struct test_table made;
    struct column_summary summary[3];
    double ends[ROWS], filled[ROWS], noise[ROWS];
    unsigned char label[ROWS];
    struct rng rng;
    (void)state;
    rng_init(&rng, 8, 1);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i % 4 == 0;
        ends[i] = random_normal(&rng) + (label[i] ? rng_below(&rng, 2) == 0 ? 4 : -4 : 0);
        filled[i] = label[i] && i % 3 != 0 ? (double)i : NAN;
        noise[i] = random_normal(&rng);
    }
    table_init(&made, ROWS);
    add_numbers(&made, "ends", ends);
    add_numbers(&made, "filled", filled);
    add_numbers(&made, "noise", noise);
    made.table.label = label;
    summarise(&made.table, summary);
    assert_true(summary[0].shape_auc > 0.93 && summary[0].auc < 0.6);
    assert_near(summary[1].alone, 2 / 3.0, 1e-12);
    assert_near(summary[0].alone, 0, 0);
    assert_true(summary[2].shape_auc < 0.57);
}

/* Texts that tell the label are found; rare texts gain nothing by chance. */
static void test_texts(void **state)
{
    enum { ROWS = 900, MANY = 250 };
    struct test_table made;
    struct column_summary summary[3];
    char *level[MANY];
    uint32_t leak[ROWS], noise[ROWS], partly[ROWS];
    unsigned char label[ROWS];
    struct rng rng;
    double left = 0;
    (void)state;
    rng_init(&rng, 7, 1);
    for (size_t k = 0; k < MANY; k++)
        level[k] = "text";
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i % 3 == 0;
        leak[i] = label[i] ? 2 : i % 4 == 0 ? LEVEL_MISSING : 1;
        noise[i] = rng_below(&rng, MANY);
        partly[i] = label[i] ? rng_below(&rng, 4) == 0 : rng_below(&rng, 4) != 0;
        left += label[i] && partly[i] == 0;
    }
    table_init(&made, ROWS);
    add_texts(&made, "leak", LENGTH(colors), colors, leak);
    add_texts(&made, "noise", MANY, level, noise);
    add_texts(&made, "partly", LENGTH(sides), sides, partly);
    made.table.label = label;
    summarise(&made.table, summary);
    assert_near(summary[0].auc, 1, 1e-12);
    assert_near(summary[0].missing, 150.0 / ROWS, 1e-12);
    assert_int_equal(summary[0].level[1], 2);
    assert_near(summary[0].alone, 1, 1e-12);
    assert_int_equal(summary[0].level_alone, 2);
    assert_near(summary[2].alone, 0, 0);
    assert_int_equal(summary[0].level[0], 1);
    assert_near(summary[0].share[0], 1, 1e-12);
    assert_true(summary[1].auc >= 0.5 && summary[1].auc < 0.55);
    assert_near(summary[2].auc, 0.75, 0.03);
    assert_int_equal(summary[2].level[1], 0);
    assert_near(summary[2].share[1], left / 300, 1e-12);
    assert_true(isnan(summary[2].median[0]));
}

/* ---- the public function ---- */

static void test_public(void **state)
{
    dedpul_table *table;
    size_t failures = 0;
    (void)state;
    write_text(test_path("t.csv"), "label,n,t\n1,5,red\n1,,red\n1,7,blue\n0,1,blue\n0,2,\n");
    assert_ok(dedpul_table_read(test_path("t.csv"), NULL, NULL, &table, &test_error), &test_error);
    for (size_t n = 0;; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_table_summary *summary = NULL;
        const dedpul_status status = dedpul_table_summarise(table, 1, &allocator, &summary, &test_error);
        if (status == DEDPUL_OK) {
            const dedpul_column_summary *first = summary->columns[0], *second = summary->columns[1];
            assert_int_equal(summary->n_columns, 2);
            assert_string_equal(first->name, "n");
            assert_near(first->auc, 1, 1e-12);
            assert_near(first->missing, 0.2, 1e-12);
            assert_near(first->median_labeled, 5, 0);
            assert_near(first->median_unlabeled, 1, 0);
            assert_null(first->level_labeled);
            assert_string_equal(second->level_labeled, "red");
            assert_near(second->share_labeled, 2 / 3.0, 1e-12);
            assert_string_equal(second->level_unlabeled, "blue");
            dedpul_table_summary_free(summary);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_null(summary);
        assert_int_equal(failing.blocks, 0);
        failures++;
    }
    assert_true(failures > 5);
    dedpul_table_free(table);
    dedpul_table_summary_free(NULL);
}

static void test_refused(void **state)
{
    dedpul_table *table;
    dedpul_table_summary *summary = NULL;
    (void)state;
    assert_int_equal(dedpul_table_summarise(NULL, 1, NULL, &summary, &test_error), DEDPUL_INVALID_ARGUMENT);
    write_text(test_path("t.csv"), "label,n\n0,5\n0,6\n");
    assert_ok(dedpul_table_read(test_path("t.csv"), NULL, NULL, &table, &test_error), &test_error);
    assert_int_equal(dedpul_table_summarise(table, 1, NULL, &summary, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "the table has no labeled rows");
    assert_null(summary);
    dedpul_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_shapes),  cmocka_unit_test(test_texts),
        cmocka_unit_test(test_public),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
