/* CSV files of scores: rows, labels, weights, and what is refused. */
#include "cell.h"
#include "columns.h"
#include "csv.h"
#include "labels.h"
#include "reading.h"

#include <stdio.h>

/* ---- rows ---- */

/* All rows of a text as "a|b|c/d|e|f", fed to the reader in pieces of the given size. */
static dedpul_status parse(const char *text, size_t length, size_t piece_size, char *out)
{
    struct stream stream;
    struct csv csv;
    bool has_row = true;
    dedpul_status status = DEDPUL_OK;
    out[0] = '\0';
    stream_open_memory(&stream, "test", text, length);
    stream_in_pieces(&stream, piece_size);
    csv_init(&csv, &stream, NULL, &test_error);
    while ((status = csv_next(&csv, &has_row)) == DEDPUL_OK && has_row) {
        if (out[0] != '\0')
            (void)strcat(out, "/");
        for (size_t i = 0; i < csv.n_fields; i++) {
            if (i > 0)
                (void)strcat(out, "|");
            (void)strncat(out, csv.field[i].text, csv.field[i].length);
        }
    }
    csv_free(&csv);
    return status;
}

static void assert_rows(const char *text, const char *expected)
{
    static const size_t sizes[] = {1, 2, 3, 7, 1 << 20};
    char out[1000];
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        assert_ok(parse(text, strlen(text), sizes[i], out), &test_error);
        assert_string_equal(out, expected);
    }
}

static void test_rows(void **state)
{
    (void)state;
    assert_rows("a,b\n1,2\n", "a|b/1|2");
    assert_rows("a,b\n1,2", "a|b/1|2");
    assert_rows("a,b\r\n1,2\r\n", "a|b/1|2");
    assert_rows("a,b\r1,2\r", "a|b/1|2");
    assert_rows("a;b\n1,5;2\n", "a|b/1,5|2");
    assert_rows("a\tb\n1\t2\n", "a|b/1|2");
    assert_rows("\xef\xbb\xbf"
                "a,b\n1,2\n",
                "a|b/1|2");
    assert_rows("\n\na,b\n\n1,2\n\n\n", "a|b/1|2");
    assert_rows("\r\n\na;b\n1;2\n", "a|b/1|2");
    assert_rows("\"a,x\",b\n\"say \"\"hi\"\"\",\"\"\n", "a,x|b/say \"hi\"|");
    assert_rows("a,b\n\"two\nlines\",2\n", "a|b/two\nlines|2");
    assert_rows("\"a;b;c\",d\n1,2\n", "a;b;c|d/1|2");
    assert_rows("a,b,\n,,\n", "a|b|/||");
    assert_rows("a,b\nx\"y,\"z\"\n", "a|b/x\"y|z");
    assert_rows("", "");
    assert_rows("one\n", "one");
}

static void assert_refused(const char *text, size_t length, const char *message)
{
    static const size_t sizes[] = {1, 3, 1 << 20};
    char out[1000];
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        assert_int_equal(parse(text, length, sizes[i], out), DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, message);
    }
}

static void test_rows_refused(void **state)
{
    (void)state;
    assert_refused("a,b\n\"1,2\n", 9, "line 2: a quote is opened but never closed");
    assert_refused("a,b\n\"1\"x,2\n", 11, "line 2: text follows a closing quote");
    assert_refused("a,b\n1,\0\n", 8, "byte 7 is zero");
    assert_refused("\xff\xfe"
                   "a\0,\0",
                   6, "UTF-16");
}

static void test_line_numbers(void **state)
{
    static const char text[] = "a,b\r\n\r\n\"1\n1\",2\n\n3,4\n";
    static const size_t lines[] = {1, 3, 6};
    struct stream stream;
    struct csv csv;
    bool has_row;
    (void)state;
    stream_open_memory(&stream, "test", text, strlen(text));
    csv_init(&csv, &stream, NULL, &test_error);
    for (size_t i = 0; i < LENGTH(lines); i++) {
        assert_ok(csv_next(&csv, &has_row), &test_error);
        assert_true(has_row);
        assert_int_equal(csv.text.line, lines[i]);
    }
    csv_free(&csv);
}

static void test_row_sizes(void **state)
{
    const size_t longest = LONGEST_ROW + 10;
    char *text = malloc(longest + 10);
    struct stream stream;
    struct csv csv;
    bool has_row;
    (void)state;
    memset(text, ',', longest);
    text[1000000] = '\n'; /* a million and one fields */
    stream_open_memory(&stream, "test", text, 1000001);
    csv_init(&csv, &stream, NULL, &test_error);
    assert_ok(csv_next(&csv, &has_row), &test_error);
    assert_int_equal(csv.n_fields, 1000001);
    csv_free(&csv);
    memset(text, 'x', longest);
    stream_open_memory(&stream, "test", text, longest);
    csv_init(&csv, &stream, NULL, &test_error);
    assert_int_equal(csv_next(&csv, &has_row), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "longer than 16 MiB");
    csv_free(&csv);
    free(text);
}

/* ---- score files ---- */

static dedpul_status read_table(const char *text, const dedpul_columns *columns, dedpul_score_table **table)
{
    struct stream stream;
    stream_open_memory(&stream, "file.csv", text, strlen(text));
    return score_table_from_stream(&stream, columns, NULL, table, &test_error);
}

/* Reads labels and scores 0.1, 0.2, ... and compares the labels. */
static void assert_labels(const char *text, const char *positive, const char *expected)
{
    const dedpul_columns columns = {.label = "label", .score = "score", .positive = positive};
    dedpul_score_table *table;
    assert_ok(read_table(text, &columns, &table), &test_error);
    assert_int_equal(table->rows.n, strlen(expected));
    for (size_t i = 0; i < table->rows.n; i++) {
        assert_int_equal(table->label[i], expected[i] == '1');
        assert_near(table->rows.score[i], 0.1 * (double)(i + 1), 1e-12);
    }
    assert_null(table->rows.weight);
    dedpul_score_table_free(table);
}

static void test_labels(void **state)
{
    (void)state;
    assert_labels("label,score\n1,0.1\n0,0.2\n", NULL, "10");
    assert_labels("score,label\n0.1,-1\n0.2,+1\n", NULL, "01");
    assert_labels("label,score\n1.0,0.1\n0.0,0.2\n1,0.3\n", NULL, "101");
    assert_labels("label,score\nTrue,0.1\nFALSE,0.2\n", NULL, "10");
    assert_labels("label,score\nP,0.1\nu,0.2\n", NULL, "10");
    assert_labels("id , label , score\n7, 1 , 0.1\n8,0, 0.2 \n", NULL, "10");
    assert_labels("label,score\nfraud,0.1\n,0.2\nother,0.3\n", "fraud", "100");
    assert_labels("label,score\na,.1\nb,.2\nc,.3\nd,.4\ne,.5\nf,.6\ng,.7\nh,.8\ni,.9\n", "i", "000000001");
}

static void test_several_positive_labels(void **state)
{
    static const char text[] = "label,score\na,0.1\nb,0.2\nc,0.3\n,0.4\nd e,0.5\n";
    dedpul_columns columns = {.label = "label", .score = "score"};
    char many[100] = "L0", rows[200] = "label,score\nL0,0.5\n";
    dedpul_score_table *table;
    (void)state;
    assert_labels(text, "a,c", "10100");
    assert_labels(text, "d e , b,b", "01001");
    /* A label that has a comma itself. */
    assert_labels("label,score\n\"a,b\",0.1\nc,0.2\n", "a,b", "10");
    assert_labels("label,score\n\"a,b\",0.1\na,0.2\nb,0.3\n", "a,b", "100");
    for (int i = 1; i < 14; i++) {
        (void)sprintf(many + strlen(many), ",L%d", i);
        (void)sprintf(rows + strlen(rows), "L%d,0.5\n", i);
    }
    columns.positive = many;
    assert_ok(read_table(strcat(rows, "other,0.5\n"), &columns, &table), &test_error);
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(table->label[i], i < 14);
    dedpul_score_table_free(table);
    (void)strcat(many, ",L14");
    assert_int_equal(read_table(rows, &columns, &table), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "more than 14 positive labels");
}

/* Spellings of 1 and 0 until the codes run out, then something else. */
static void test_labels_beyond_the_codes(void **state)
{
    char text[2000] = "label,score\n";
    const dedpul_columns columns = {.label = "label", .score = "score"};
    dedpul_score_table *table;
    (void)state;
    for (int i = 0; i < 16; i++)
        (void)sprintf(text + strlen(text), "%d.%0*d,0.5\n", i % 2, i + 1, 0);
    (void)strcat(text, "garbage,0.5\n");
    assert_int_equal(read_table(text, &columns, &table), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "labels are 1/0");
}

/* More distinct labels than are told apart, the positive one last. */
static void test_many_labels(void **state)
{
    char text[2000] = "label,score\n";
    const dedpul_columns columns = {.label = "label", .score = "score", .positive = "L49"};
    dedpul_score_table *table;
    (void)state;
    for (int i = 0; i < 50; i++)
        (void)sprintf(text + strlen(text), "L%d,0.5\n", i);
    assert_ok(read_table(text, &columns, &table), &test_error);
    for (size_t i = 0; i < 50; i++)
        assert_int_equal(table->label[i], i == 49);
    dedpul_score_table_free(table);
}

static void assert_table_refused(const char *text, const dedpul_columns *columns, const char *message)
{
    dedpul_columns standard;
    dedpul_score_table *table;
    dedpul_columns_init(&standard);
    assert_int_equal(read_table(text, columns != NULL ? columns : &standard, &table), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "file.csv");
    assert_contains(test_error.message, message);
}

static void test_tables_refused(void **state)
{
    const dedpul_columns weighted = {.label = "label", .score = "score", .weight = "w"};
    const dedpul_columns named = {.label = "label", .score = "score", .positive = "yes"};
    const dedpul_columns several = {.label = "label", .score = "score", .positive = "no,yes"};
    char long_label[400] = "label,score\n";
    (void)state;
    assert_table_refused("", NULL, "is empty");
    assert_table_refused("\n\n", NULL, "is empty");
    assert_table_refused("label,score\n", NULL, "has a header but no rows");
    assert_table_refused("label,scroe\n1,2\n", NULL, "no column 'score'; did you mean 'scroe'?");
    assert_table_refused("x,y\n1,2\n", NULL,
                         "no column 'label'; there are 'x', 'y'. Name the column of labels (--label COL)");
    assert_table_refused("label,score,score\n1,2,3\n", NULL, "columns 2 and 3 are both called 'score'");
    assert_table_refused("label,score\n1,0.5\n0,abc\n", NULL,
                         "line 3, column 'score': 'abc' is not a number");
    assert_table_refused("label,score\n1,\n", NULL, "line 2, column 'score': '' is not a number");
    assert_table_refused("label,score\n1,nan\n", NULL, "'nan' is not finite");
    assert_table_refused("label,score\n1,inf\n", NULL, "'inf' is not finite");
    assert_table_refused("label,score\n1,1.5\n", NULL, "'1.5' is out of range; scores lie in [0, 1]");
    assert_table_refused("label,score\n1,-0.5\n", NULL, "'-0.5' is out of range");
    assert_table_refused("label,score\n1,0.5,7\n", NULL, "line 2 has 3 fields");
    assert_table_refused("label,score\n1\n", NULL, "line 2 has 1 fields");
    assert_table_refused("label,score\nyes,0.5\nno,0.6\n", NULL,
                         "holds 'yes' (line 2), 'no' (line 3); labels are");
    assert_table_refused("label,score\n1,0.5\n0,0.6\n-1,0.7\n", NULL, "labels are 1/0, 1/-1");
    assert_table_refused("label,score\n1,0.5\n,0.6\n", NULL, "'' (line 3)");
    assert_table_refused("label,score\n1,0.5\nfalse,0.6\n", NULL, "'false' (line 3)");
    assert_table_refused("label,score\na,.1\nb,.1\nc,.1\nd,.1\ne,.1\nf,.1\ng,.1\n", NULL, "...");
    assert_table_refused("label,score\nno,0.5\n", &named, "no row has 'yes' in column 'label'; found 'no'");
    assert_table_refused("label,score\nno,0.5\n", &several, "no row has 'yes' in column 'label'; found 'no'");
    assert_table_refused("label,score,w\n1,0.5,-1\n", &weighted, "column 'w': '-1' is out of range");
    assert_table_refused("label,score,w\n1,0.5,1e16\n", &weighted, "weights are counts");
    memset(long_label + strlen(long_label), 'x', 300);
    (void)strcat(long_label, ",0.5\n");
    assert_table_refused(long_label, NULL, "is longer than 255 bytes");
}

static void test_weights(void **state)
{
    const dedpul_columns columns = {.label = "label", .score = "score", .weight = "n"};
    dedpul_score_table *table;
    (void)state;
    assert_ok(read_table("n,score,label\n3,0.5,1\n0,0.25,0\n", &columns, &table), &test_error);
    assert_near(table->rows.weight[0], 3, 0);
    assert_near(table->rows.weight[1], 0, 0);
    dedpul_score_table_free(table);
}

static void assert_truth(const char *text, const char *positive, const char *expected)
{
    const dedpul_columns columns = {.label = "label", .score = "score", .positive = positive, .truth = "t"};
    dedpul_score_table *table;
    assert_ok(read_table(text, &columns, &table), &test_error);
    for (size_t i = 0; i < table->rows.n; i++)
        assert_int_equal(table->truth[i],
                         expected[i] == '?' ? DEDPUL_TRUTH_UNKNOWN : (unsigned char)(expected[i] - '0'));
    dedpul_score_table_free(table);
}

/* True classes, in several words; where nobody knows, the cell is empty, or NA. */
static void test_truth(void **state)
{
    const dedpul_columns columns = {.label = "label", .score = "score", .truth = "t"};
    const dedpul_columns named = {.label = "label", .score = "score", .positive = "yes", .truth = "t"};
    const dedpul_columns without = {.label = "label", .score = "score"};
    dedpul_score_table *table;
    (void)state;
    assert_truth("label,score,t\n1,0.5,\n0,0.4,1\n0,0.3,0\n0,0.2,NA\n0,0.1, \n", NULL, "?10??");
    assert_truth("t,label,score\n-1,p,0.5\n1,u,0.4\n", NULL, "01");
    assert_truth("t,label,score\nTrue,p,0.5\nFALSE,u,0.4\n", NULL, "10");
    assert_truth("t,label,score\nN,p,0.5\np,u,0.4\n", NULL, "01");
    assert_truth("t,label,score\nyes,yes,0.5\nno,,0.4\nmaybe,,0.3\n,,0.3\n", "yes", "100?");
    assert_ok(read_table("label,score\n1,0.5\n0,0.4\n", &without, &table), &test_error);
    assert_null(table->truth);
    dedpul_score_table_free(table);
    assert_table_refused("label,score,t\n1,0.5,0\n0,0.4,spam\n", &columns,
                         "column 't' holds 'spam' (line 3), '0' (line 2); true classes are 1/0");
    assert_table_refused("label,score,t\np,0.5,p\nu,0.4,u\n", &columns, "true classes are");
    assert_table_refused("label,score,t\nyes,0.5,1\nno,0.4,0\n", &named,
                         "no row has 'yes' in column 't'; found '1' (line 2)");
    assert_table_refused("label,score\n1,0.5\n", &columns, "no column 't'");
}

static void test_identifiers(void **state)
{
    dedpul_columns columns = {.label = "label", .score = "score", .id = "who"};
    dedpul_score_table *table;
    (void)state;
    assert_ok(read_table("who,label,score\nann,1,0.5\n\" b,\"\"c\"\"\",0,0.4\n,0,0.3\n", &columns, &table),
              &test_error);
    assert_string_equal(table->ids->name, "who");
    assert_memory_equal(table->ids->bytes, "ann b,\"c\"", 9);
    assert_memory_equal(table->ids->offset, ((size_t[]){0, 3, 9, 9}), 4 * sizeof(size_t));
    dedpul_score_table_free(table);
    assert_table_refused("whom,label,score\n1,1,0.5\n", &columns,
                         "there is no column 'who'; did you mean 'whom'? There are 'whom', 'label', 'score'. "
                         "Name the column of identifiers (--id COL)");
    columns.id = "score";
    assert_table_refused("who,label,score\n1,1,0.5\n", &columns,
                         "column 'score' cannot be both the score and the identifier");
}

/* Outputs are written only on success. */
static void test_outputs_on_failure(void **state)
{
    static const char bad[] = "a\n\"open";
    const struct place place = {"file", "line", 2, '.'};
    const struct number_range range = {0, 1, "", NULL};
    const struct cell cell = {.text = "2", .length = 1};
    struct labels labels;
    struct stream stream;
    struct csv csv;
    double value = 7;
    bool has_row = false, is_positive[MOST_LABELS + 1];
    unsigned char code;
    (void)state;
    assert_int_equal(cell_in_range(&cell, &place, "score", &range, &test_error, &value), DEDPUL_INVALID_DATA);
    assert_near(value, 7, 0);
    assert_ok(labels_init(&labels, place, "y", "yes", &test_error), &test_error);
    assert_ok(labels_code(&labels, "no", 2, 2, &test_error, &code), &test_error);
    memset(is_positive, true, sizeof is_positive);
    assert_int_equal(labels_decide(&labels, true, &test_error, is_positive), DEDPUL_INVALID_DATA);
    labels.positive = NULL;
    assert_int_equal(labels_decide_truth(&labels, true, 1, &code, &test_error), DEDPUL_INVALID_DATA);
    assert_int_equal(code, 1);
    for (size_t i = 0; i < LENGTH(is_positive); i++)
        assert_true(is_positive[i]);
    stream_open_memory(&stream, "file", bad, strlen(bad));
    csv_init(&csv, &stream, NULL, &test_error);
    assert_ok(csv_next(&csv, &has_row), &test_error);
    has_row = false;
    assert_int_equal(csv_next(&csv, &has_row), DEDPUL_INVALID_DATA);
    assert_false(has_row);
    csv_free(&csv);
}

/* No name of a file or column reaches a terminal as it is: here with ESC, C1 and a broken letter. */
static void test_names_in_messages(void **state)
{
    static const char *const texts[] = {"",
                                        "x\n1\n",
                                        "label\x1b[2J,score\n2,0.5\n3,0.5\n",
                                        "label\x1b[2J,score\n1,9\n",
                                        "label\x1b[2J,score,score\n1,9\n",
                                        "label\x1b[2J,label\x1b[2J,score\n1,1,9\n"};
    const dedpul_columns columns = {.label = "label\x1b[2J", .score = "score"};
    dedpul_score_table *table;
    struct stream stream;
    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        stream_open_memory(&stream, "f\x1b]0;\xc2\x9b\xff\xc3\xb6.csv", texts[i], strlen(texts[i]));
        assert_int_equal(score_table_from_stream(&stream, &columns, NULL, &table, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "f\\x1b]0;\\xc2\\x9b\\xff\xc3\xb6.csv");
        for (const char *at = test_error.message; *at != '\0'; at++)
            assert_true((unsigned char)*at >= 0x20 && (unsigned char)*at != 0x9b);
    }
    assert_int_equal(dedpul_score_table_read("/nonexistent\x1b", NULL, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/nonexistent\\x1b:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_refused),
        cmocka_unit_test(test_line_numbers),
        cmocka_unit_test(test_row_sizes),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_several_positive_labels),
        cmocka_unit_test(test_many_labels),
        cmocka_unit_test(test_labels_beyond_the_codes),
        cmocka_unit_test(test_tables_refused),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_identifiers),
        cmocka_unit_test(test_names_in_messages),
        cmocka_unit_test(test_outputs_on_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
