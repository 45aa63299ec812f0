/* How files are written: decimal commas, headers, other programs' files, codes, and what texts are. */
#include "columns.h"
#include "dialect.h"
#include "number.h"
#include "reading.h"

#include "dedpul_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct table_request all = {.most_levels = 8};
static const struct table_request comma = {.most_levels = 8, .format = {.decimal = ','}};
static const struct table_request point = {.most_levels = 8, .format = {.decimal = '.'}};
static const struct table_request unnamed = {.most_levels = 8, .format = {.no_header = true}};

/* ---- decimal commas ---- */

static void test_numbers_with_commas(void **state)
{
    static const char *const texts[] = {"1,5",
                                        "-0,25",
                                        ",5",
                                        "1,5e-3",
                                        "0,30000000000000004",
                                        "12345678901234567890,5",
                                        "0,1234567890123456789012345",
                                        " 7,0 ",
                                        "1,7976931348623157e308"};
    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        char pointed[64];
        double value;
        (void)snprintf(pointed, sizeof pointed, "%s", texts[i]);
        *strchr(pointed, ',') = '.';
        assert_true(parse_decimal(texts[i], strlen(texts[i]), ',', &value));
        assert_true(value == strtod(pointed, NULL));
        assert_true(is_number_with_comma(texts[i], strlen(texts[i])));
        assert_false(parse_double(texts[i], strlen(texts[i]), &value));
        assert_false(parse_decimal(pointed, strlen(pointed), ',', &value));
    }
    assert_true(may_be_thousands("1,234", 5) && may_be_thousands("-12,345,678", 11));
    assert_false(may_be_thousands("0,234", 5) || may_be_thousands("1234,567", 8) ||
                 may_be_thousands("1,23", 4) || may_be_thousands("123", 3) ||
                 may_be_thousands("1,234,5", 7) || may_be_thousands("", 0));
}

static void test_commas_found(void **state)
{
    (void)state;
    assert_reads("a;b\n1,5;2\n0,25;x\n", &all, "a=1.5,0.25|b=2,x");
    assert_reads("a\tb\n-1,5\t2\n", &all, "a=-1.5|b=2");
    assert_reads("a;b\n\"1,5\";2\n3;\"x \"\"1,5\"\"\"\n", &all, "a=1.5,3|b=2,x \"1,5\"");
    assert_reads("a;b\r\n\r\n1,5;NA\r\n", &all, "a=1.5|b=?");
    assert_reads("a;b\n1,5;u\n1,50;v\nx;w\n", &all, "a=1.5,1.5,x|b=u,v,w"); /* a level, in one form */
    assert_reads("a;b\n1,234;0,5\n", &all, "a=1.234|b=0.5");                /* other cells tell */
    assert_reads("0,1;0,5;0,9\n0,5;1;2\n", &all, "0,1=0.5|0,5=1|0,9=2");    /* names with commas */
}

static void test_commas_not_found(void **state)
{
    (void)state;
    assert_reads("a,b\n1,5\n", &all, "a=1|b=5");
    assert_reads("a,b\n\"1,5\",2\n", &all, "a=1,5|b=2"); /* commas separate the columns */
    assert_reads("a;b\n1,5;2.5\n", &all, "a=1,5|b=2.5"); /* the points are decimal */
    assert_reads("a;b\n1,5;1,2,3\n", &all, "a=1,5|b=1,2,3");
    assert_reads("a;b\n1,234;2\n", &all, "a=1,234|b=2"); /* thousands? */
    assert_reads("a;b\nx, 1;2\n", &all, "a=x, 1|b=2");
    assert_reads("0,5;b;c\n1;2;3\n", &all, "0,5=1|b=2|c=3"); /* a name */
}

static void test_commas_said(void **state)
{
    (void)state;
    assert_reads("a;b\n1,234;2\n", &comma, "a=1.234|b=2");
    assert_reads("a;b\n1,5;2.5\n", &comma, "a=1.5|b=2.5");
    assert_reads("a,b\n\"1,5\",2\n", &comma, "a=1.5|b=2");
    assert_reads("a;b\n1,5;2\n", &point, "a=1,5|b=2");
    assert_refuses("a;b\n1,5;2\n1,5;inf\n", &all, "line 3, column 'b': 'inf' is not finite");
}

static bool is_guess(const char *text)
{
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(table_reader_open(&stream, &all, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    const bool guess = table->is_comma_guess;
    table_reader_free(reader);
    return guess;
}

/* 1,5 alone may be a pair; other numbers leave no doubt. */
static void test_commas_guessed(void **state)
{
    (void)state;
    assert_true(is_guess("a;b\n1,5;2\n11,48;2\n"));
    assert_false(is_guess("a;b\n1,5;2\n0,5;2\n"));
    assert_false(is_guess("a;b\n1,5;2\n11,4875;2\n"));
    assert_false(is_guess("a;b\n1,234;2\n"));
    assert_false(is_guess("a;b\n1.5;2\n"));
}

/* What stands behind the first bytes decides nothing; a row that they cut off does not, either. */
static void test_commas_far_behind(void **state)
{
    enum { ROWS = 60000 };
    char *text = malloc(ROWS * 8 + 100);
    size_t used = (size_t)sprintf(text, "a;b\n");
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, "%d;12\n", i % 10);
    used += (size_t)sprintf(text + used, "1,5;2\n");
    stream_open_memory(&stream, "file", text, used);
    assert_ok(
        table_reader_open(&stream, &(struct table_request){.most_levels = 20}, NULL, &test_error, &reader),
        &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    assert_int_equal(table->column[0].schema.kind, COLUMN_TEXT);
    assert_string_equal(table->column[0].schema.level[table->column[0].code[ROWS]], "1,5");
    table_reader_free(reader);
    free(text);
}

/* A text that was a level stays it where commas have become decimal, and numbers are found in either form. */
static void test_commas_with_schema(void **state)
{
    static char *levels[] = {"1,5", "1.5", "None"};
    static const struct column_schema schema[] = {{"a", COLUMN_NUMBER, 0, NULL},
                                                  {"b", COLUMN_TEXT, 3, levels}};
    static const struct table_request request = {.most_levels = 8, .n_schema = 2, .schema = schema};
    (void)state;
    assert_reads("a;b\n0,5;1,5\n0,25;1,50\n3;None\n4;none\n5;NA\n", &request,
                 "a=0.5,0.25,3,4,5|b=1,5,1.5,None,?,?");
    assert_refuses(
        "a;b\n1,234;1,5\n2.5;x\n", &request,
        "column 'a': '1,234' is not a number; if its comma is a decimal comma, say so (--decimal ,)");
}

/* ---- headers ---- */

static void test_no_header(void **state)
{
    struct table_request request = unnamed;
    struct reading reading = {.request = &request};
    char out[200];
    (void)state;
    assert_reads("1,2\n3,4\n", &unnamed, "1=1,3|2=2,4");
    assert_reads("1;0,5;0,75\n0;0,25;1\n", &unnamed, "1=1,0|2=0.5,0.25|3=0.75,1");
    assert_reads("x,x\n\ny,1\n", &unnamed, "1=x,y|2=x,1");
    request.label = "1";
    assert_reads("1,5\n0,6\n", &request, "2=5,6|label=10");
    assert_ok(read_as_text(&reading, "1,5\n0,6\n", 8, out, sizeof out), &test_error);
    assert_int_equal(reading.numbered, 2);
    assert_refuses("1,5\n0,6,7\n", &request, "line 2 has 3 fields, but line 1 has 2 columns");
    request.label = "label";
    assert_refuses("1,5\n0,6\n", &request,
                   "no column 'label'; its columns have no names but numbers, 1 to 2");
    assert_refuses("", &request, "is empty");
    request = (struct table_request){.label = "y", .most_levels = 8, .format = {.no_header = true}};
    reading.labels = "1\n0\n";
    reading.labels_size = 4;
    assert_ok(read_as_text(&reading, "5\n6\n", 4, out, sizeof out), &test_error);
    assert_string_equal(out, "1=5,6|label=10");
}

static void test_data_in_place_of_names(void **state)
{
    const char *const advice =
        "line 1 looks like data, not like names of columns: if there is no header, say so (--no-header)";
    const struct table_request labeled = {.label = "1", .most_levels = 8};
    const struct table_request named = {.label = "label", .most_levels = 8};
    (void)state;
    assert_refuses("1,5.1,0.2\n0,4.9,0.3\n", &labeled, advice); /* not even where a name is found */
    assert_refuses("1,5.1,,0.2\n", &all, advice);
    assert_refuses("-3\n4\n", &all, advice);
    assert_refuses("1,0.0,0.0\n", &all, advice);
    assert_refuses("red,5.1,0.2\n", &named, advice);
    assert_refuses("5,3,2\n", &named, advice);
    assert_refuses("p,x,p\n", &named,
                   "columns 1 and 3 are both called 'p'; rename one, or say that there is no header");
    assert_refuses("red,1,2\n", &named, "there are 'red', '1', '2'");
    assert_reads("2,1\n5,6\n", &all, "2=5|1=6");
    assert_reads("400.5,401,401.5\n5,6,7\n", &all, "400.5=5|401=6|401.5=7"); /* wavelengths */
    assert_reads("x,2020,2021\n5,6,7\n", &all, "x=5|2020=6|2021=7");
}

static void test_wrong_width(void **state)
{
    (void)state;
    assert_refuses(
        "a,b\n1,5,2\n", &all,
        "a value with a comma in it, also a number with a decimal comma, must stand in double quotes");
    assert_refuses("a;b\n1;5;2\n", &all, "a value with a semicolon in it must stand in double quotes");
    assert_refuses("a\tb\n1\n", &all, "a value with a tab in it");
}

/* ---- other programs' files ---- */

static void test_foreign(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *message;
    } cases[] = {
#define FOREIGN(bytes, message) {bytes, sizeof bytes - 1, message}
        FOREIGN("PAR1\x15\x04\0",
                "a Parquet file; turn it into CSV: python3 -c \"import pandas; "
                "pandas.read_parquet('file').to_csv('table.csv', index=False)\" (needs pyarrow)"),
        FOREIGN("FEA1\0\0\0\0", "pandas.read_feather('file')"),
        FOREIGN("ARROW1\0\0", "pandas.read_feather('file')"),
        FOREIGN(
            "[{\"a\": 1}]",
            "file is JSON; turn it into CSV: python3 -c \"import pandas; pandas.read_json('file').to_csv"),
        FOREIGN("\xef\xbb\xbf{\n \"a\": {\"0\": 1}}", "pandas.read_json('file')."),
        FOREIGN(
            "{\"a\": 1}\n{\"a\": 2}\n",
            "JSON lines; turn it into CSV: python3 -c \"import pandas; pandas.read_json('file', lines=True)"),
        FOREIGN("[[1, 2], [3, 4]]", "pandas.read_json"),
        FOREIGN("\x80\x04\x95\x01\0", "pandas.read_pickle"),
        FOREIGN("PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml",
                "pandas.read_excel"),
        FOREIGN("PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x7\0\0\0arr.npy",
                "NumPy arrays (.npz); save one of them"),
        FOREIGN("PK\3\4\24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0a", "zip archive; unpack it"),
        FOREIGN("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "pandas.read_excel"),
        FOREIGN("$FL2@(#) SPSS DATA FILE\2\0",
                "pandas.read_spss('file').to_csv('table.csv', index=False)\" (needs pyreadstat)"),
        FOREIGN("<stata_dta><header>\0", "pandas.read_stata"),
        FOREIGN("r\2\1\0", "pandas.read_stata"),
        FOREIGN("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd", "pandas.read_sas"),
        FOREIGN("\x89HDF\r\n\x1a\n\0", "pandas.read_hdf"),
        FOREIGN("RDX3\nX\n\0\0", "write.csv"),
        FOREIGN("X\n\0\0\0\3", "readRDS"),
        FOREIGN("SQLite format 3\0", "sqlite3 -header -csv"),
        FOREIGN("BZh91AY&SY\1", "bzip2 -dc"),
        FOREIGN("\xfd"
                "7zXZ\0",
                "xz -dc"),
        FOREIGN("\x28\xb5\x2f\xfd\4\0", "zstd -dc"),
        FOREIGN("\xff\xfe"
                "a\0,\0",
                "iconv -f UTF-16"),
        FOREIGN("<!doctype html>\n<p>", "a web page; download the data itself"),
        FOREIGN("%PDF-1.5\1", "a PDF document"),
#undef FOREIGN
    };
    const dedpul_columns columns = {.label = "label", .score = "score"};
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct stream stream;
        dedpul_score_table *table;
        assert_refuses_bytes(cases[i].bytes, cases[i].n, &all, cases[i].message, __FILE__, __LINE__);
        stream_open_memory(&stream, "file", cases[i].bytes, cases[i].n);
        assert_int_equal(score_table_from_stream(&stream, &columns, NULL, &table, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, cases[i].message);
    }
}

/* Names of columns may be like the first bytes of such files. */
static void test_not_foreign(void **state)
{
    (void)state;
    assert_reads("PAR1,x\n1,2\n", &all, "PAR1=1|x=2");
    assert_reads("BZh,x\n1,2\n", &all, "BZh=1|x=2");
    assert_reads("X\n1\n", &all, "X=1");
    assert_reads("{a},[b]\n1,2\n", &all, "{a}=1|[b]=2");
    assert_reads("[a],b\n1,2\n", &all, "[a]=1|b=2");
    assert_reads("<a>,b\n1,2\n", &all, "<a>=1|b=2");
}

/* ---- codes, and "None" ---- */

static void test_categorical(void **state)
{
    struct table_request request = {.categorical = "c, d", .most_levels = 3, .label = "y"};
    (void)state;
    assert_reads("c,y,d,e\n1,1,7,1\n1.0,0,,2\n03,0,x,3\n", &request, "c=1,1,3|d=7,?,x|e=1,2,3|label=100");
    assert_refuses("c,y,d\n1,1,1\n2,0,1\n3,0,1\n4,0,1\n", &request,
                   "line 5, column 'c' has more than 3 distinct codes. Allow more (--max-levels N)");
    assert_refuses("c,y\n1,1\n", &request, "there is no column 'd' of codes (--categorical); ");
    request.categorical = "y";
    assert_refuses("c,y\n1,1\n", &request,
                   "column 'y' cannot be both the label and of codes (--categorical)");
    request = (struct table_request){.categorical = "3,1", .most_levels = 4};
    assert_reads("1 1:2 2:5\n0 3:7 4:8\n", &request, "1=2,0|2=5,0|3=0,7|4=0,8");
    request.image = (struct image_shape){1, 2, 1};
    request.categorical = "a";
    assert_refuses("a,b\n1,2\n", &request, "the pixels of images are numbers, so none can be a code");
}

/* The kinds are what the model keeps. */
static void test_categorical_kinds(void **state)
{
    static const char text[] = "1 1:2 2:5\n0 3:7 4:8\n";
    const struct table_request request = {.categorical = "3,1", .most_levels = 4};
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    (void)state;
    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(table_reader_open(&stream, &request, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    for (size_t c = 0; c < 4; c++) {
        const struct column *column = &table->column[c];
        assert_int_equal(column->schema.kind, c % 2 == 0 ? COLUMN_TEXT : COLUMN_NUMBER);
        assert_int_equal(column->schema.n_levels, c % 2 == 0 ? 2 : 0);
    }
    assert_string_equal(table->column[2].schema.level[1], "7");
    table_reader_free(reader);
}

static void test_none(void **state)
{
    const struct table_request request = {.categorical = "c", .most_levels = 8};
    (void)state;
    assert_reads("c\nred\nNone\n", &all, "c=red,?");
    assert_reads("c,d\nNone,None\nnone,none\nNA,NA\n,\nred,red\n", &all, "c=?,?,?,?,red|d=?,?,?,?,red");
    assert_reads("c,d\nNone,None\nnone,none\nNA,NA\n,\nred,red\n", &request,
                 "c=None,none,?,?,red|d=?,?,?,?,red");
}

/* ---- what texts are ---- */

static void test_kinds_of_text(void **state)
{
    static const struct {
        const char *format; /* of a number from 10 to 19 */
        const char *message;
    } cases[] = {
        {"2024-01-%d", "it holds dates, such as '2024-01-17'. Turn its dates into numbers"},
        {"%d.3.2024", "it holds dates"},
        {"%d/3/24 12:30", "it holds dates"},
        {"2024/3/%dT00:00:00", "it holds dates"},
        {"1,2%d", "its numbers have commas, such as '1,217'. Say that these are "
                  "decimal commas (--decimal ,)"},
        {"%d%%", "its numbers stand beside signs, such as '17%'"},
        {"\xe2\x82\xac %d", "its numbers stand beside signs"},
        {"sold %d of these", "it holds free text, such as 'sold 17 of these'"},
        {"w%d", "it looks like an identifier"},
        {"Smith %d", "it looks like an identifier"},
        {"192.168.1.%d", "it looks like an identifier"},
        {"12:%d:30", "it looks like an identifier"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char text[400] = "t\tx\n";
        for (int k = 10; k < 20; k++) {
            /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral) */
            (void)sprintf(text + strlen(text), cases[i].format, k);
            (void)strcat(text, "\t1.5\n");
        }
        assert_refuses(text, &all, cases[i].message);
    }
}

/* ---- score files ---- */

static void assert_scores(const char *text, const dedpul_columns *columns, double first, double second)
{
    struct stream stream;
    dedpul_score_table *table;
    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(score_table_from_stream(&stream, columns, NULL, &table, &test_error), &test_error);
    assert_int_equal(table->rows.n, 2);
    assert_near(table->rows.score[0], first, 1e-15);
    assert_near(table->rows.score[1], second, 1e-15);
    assert_int_equal(table->label[0], 1);
    assert_int_equal(table->label[1], 0);
    if (columns->weight != NULL)
        assert_near(table->rows.weight[1], 1.5, 0);
    if (columns->truth != NULL)
        assert_int_equal(table->truth[1], 1);
    dedpul_score_table_free(table);
}

static dedpul_status try_scores(const char *text, const dedpul_columns *columns)
{
    struct stream stream;
    dedpul_score_table *table;
    stream_open_memory(&stream, "file", text, strlen(text));
    return score_table_from_stream(&stream, columns, NULL, &table, &test_error);
}

static void test_scores(void **state)
{
    dedpul_columns columns;
    (void)state;
    dedpul_columns_init(&columns);
    columns.weight = "w";
    columns.truth = "t";
    assert_scores("label;score;w;t\n1,0;0,9;2;1\n0,0;0,125;1,5;1,0\n", &columns, 0.9, 0.125);
    columns.weight = columns.truth = NULL;
    assert_int_equal(try_scores("label,score\n1,\"0,9\"\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message,
                    "'0,9' is not a number, unless its comma is a decimal comma (then say --decimal ,)");
    columns.decimal = ",";
    assert_scores("label,score\n1,\"0,9\"\n0,\"1,000\"\n", &columns, 0.9, 1);
    columns.decimal = NULL;
    columns.score_scale = "percent";
    assert_scores("label,score\n1,90\n0,0.5\n", &columns, 0.9, 0.005);
    assert_int_equal(try_scores("label,score\n1,101\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message,
                    "'101' is out of range; with --scale percent, scores lie in [0, 100]");
    columns.score_scale = "logit";
    assert_scores("label,score\n1,-2\n0,700\n", &columns, 1 / (1 + exp(2)), 1);
    assert_int_equal(try_scores("label,score\n1,-701\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "scores lie in [-700, 700]; bring others into [0, 1]");
    columns.score_scale = NULL;
    assert_int_equal(try_scores("label,score\n1,90\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message,
                    "If these are percents, say so (--scale percent); if they are logits");
    columns.header = "no";
    columns.label = "2";
    columns.score = "1";
    assert_scores("0.9,1\n0.5,0\n", &columns, 0.9, 0.5);
    columns.score = "3";
    assert_int_equal(try_scores("0.9,1\n0.5,0\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message,
                    "no column '3'; columns are called 1 to 2. Name the column of scores");
    columns.header = NULL;
    assert_int_equal(try_scores("0.9,1\n0.5,0\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "line 1 looks like data");
    assert_int_equal(try_scores("0.9,p\n0.5,u\n", &columns), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "line 1 looks like data");
}

static void test_fields_refused(void **state)
{
    dedpul_columns columns;
    dedpul_table *table;
    (void)state;
    dedpul_columns_init(&columns);
    columns.decimal = ";";
    assert_int_equal(dedpul_table_read("/dev/null", &columns, NULL, &table, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "decimal: ';' is not . or ,");
    dedpul_columns_init(&columns);
    columns.header = "none";
    assert_int_equal(try_scores("", &columns), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "header: 'none' is not yes or no");
    dedpul_columns_init(&columns);
    columns.score_scale = "rank";
    assert_int_equal(try_scores("", &columns), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "scale: 'rank' is not probability or percent or logit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_with_commas),
        cmocka_unit_test(test_commas_found),
        cmocka_unit_test(test_commas_not_found),
        cmocka_unit_test(test_commas_said),
        cmocka_unit_test(test_commas_guessed),
        cmocka_unit_test(test_commas_far_behind),
        cmocka_unit_test(test_commas_with_schema),
        cmocka_unit_test(test_no_header),
        cmocka_unit_test(test_data_in_place_of_names),
        cmocka_unit_test(test_wrong_width),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_not_foreign),
        cmocka_unit_test(test_categorical),
        cmocka_unit_test(test_categorical_kinds),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_kinds_of_text),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_fields_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
