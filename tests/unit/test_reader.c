/* Typed columns, roles and schemas, mostly from CSV; the other formats are in test_formats.c. */
#include "number.h"
#include "reading.h"

#include <locale.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

static const struct table_request all = {.most_levels = 4};
static const struct table_request labeled = {.label = "y", .most_levels = 4};

/* ---- kinds of columns ---- */

static void test_numbers(void **state)
{
    (void)state;
    assert_reads("a,b\n1,2\n-1.5e3, 7 \n", &all, "a=1,-1500|b=2,7");
    assert_reads("a,b\n1,\nNA,nan\n ? ,NaN\n na ,\" \"\n", &all, "a=1,?,?,?|b=?,?,?,?");
    assert_reads("a;b\n1;2\n", &all, "a=1|b=2");
    assert_reads("a\tb\n1\t2\n", &all, "a=1|b=2");
    assert_reads(" a ,\" b\"\r\n1,2\r\n", &all, "a=1|b=2");
    assert_reads("a,,\n1,2,3\n", &all, "a=1|column 2=2|column 3=3");
    assert_reads("1\n5\n", &all, "1=5");
}

static void test_texts(void **state)
{
    (void)state;
    assert_reads("c\nred\n blue\nred \nNA\n", &all, "c=red,blue,red,?");
    assert_reads("c\n1\n1.0\nNA\n0.1\nx\n 1e0\n-0\n", &all, "c=1,1,?,0.1,x,1,0");
    assert_reads("c\n1e22\n0.30000000000000004\nx\n", &all, "c=1e+22,0.30000000000000004,x");
    assert_reads("c\n\"two\nlines\"\n\"say \"\"hi\"\"\"\n", &all, "c=two\nlines,say \"hi\"");
    assert_reads("a,b\nNA,x\n0x10,y\n", &all, "a=?,0x10|b=x,y");
}

static void test_levels_in_byte_order(void **state)
{
    static const char text[] = "c\nb\na\n\xc3\xa9\nB\n";
    static const char *const expected[] = {"B", "a", "b", "\xc3\xa9"};
    static const uint32_t codes[] = {2, 1, 3, 0};
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    (void)state;
    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(table_reader_open(&stream, &all, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    assert_int_equal(table->column[0].schema.n_levels, LENGTH(expected));
    for (size_t i = 0; i < LENGTH(expected); i++) {
        assert_string_equal(table->column[0].schema.level[i], expected[i]);
        assert_int_equal(table->column[0].code[i], codes[i]);
    }
    table_reader_free(reader);
    table_reader_free(NULL);
}

static void test_numbers_as_text(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {-0.0, "0"},
                 {-12, "-12"},
                 {999999999999999, "999999999999999"},
                 {1e15, "1e+15"},
                 {1.0 / 3, "0.3333333333333333"},
                 {5e-324, "4.94065645841247e-324"}};
    char buffer[NUMBER_SIZE];
    struct rng rng;
    double back;
    (void)state;
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is there, numbers have commas */
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_string_equal(format_double(buffer, cases[i].value), cases[i].text);
    rng_init(&rng, 1, 0);
    for (size_t i = 0; i < 10000; i++) {
        const double value = ldexp(rng_uniform(&rng) - 0.5, (int)rng_below(&rng, 200) - 100);
        (void)format_double(buffer, value);
        assert_true(parse_double(buffer, strlen(buffer), &back) && back == value);
    }
    (void)setlocale(LC_ALL, "C");
}

static void test_columns_refused(void **state)
{
    (void)state;
    assert_refuses("a\n1\ninf\n", &all, "line 3, column 'a': 'inf' is not finite");
    assert_refuses("a\nx\n-Infinity\n", &all, "line 3, column 'a': '-Infinity' is not finite");
    assert_refuses("a\n1e999\n", &all, "line 2, column 'a': '1e999' is not finite");
    assert_refuses(
        "id\na\nb\nc\nd\na\ne\n", &all,
        "line 7, column 'id' has more than 4 distinct texts; it looks like an identifier, such "
        "as 'a'. Keep it beside the answer (--id 'id'), leave it out (--ignore 'id'), or allow more "
        "(--max-levels N)");
    assert_refuses("a\n1\n2\n3\n4\n5\nunknown\n", &all,
                   "line 7, column 'a': 'unknown' is not a number, but most of the column's more than 4");
    assert_refuses("a\n1\n-\n3\n4\n5\n6\n", &all, "line 3, column 'a': '-' is not a number");
    assert_refuses("a,b\n1\n", &all, "line 2 has 1 fields, but the header names 2 columns");
    assert_refuses("a,b\n1,2,3\n", &all, "line 2 has 3 fields");
    assert_refuses("a,b,c,b\n", &all, "columns 2 and 4 are both called 'b'");
    assert_refuses("a,b\n", &all, "has a header but no rows");
    assert_refuses("", &all, "is empty; its first line must name the columns");
    assert_refuses("PK\3\4xyz", &all, "zip archive");
    assert_refuses_bytes("a\n1\n\0\n", 6, &all, "byte 5 is zero", __FILE__, __LINE__);
}

/* ---- label, weight, columns to leave out ---- */

static void test_roles(void **state)
{
    struct table_request request = labeled;
    (void)state;
    assert_reads("a,y,b\n1,p,2\n3,u,4\n", &labeled, "a=1,3|b=2,4|label=10");
    request.positive = "yes";
    assert_reads("a,y\n1,\n3, yes \n4,no\n", &request, "a=1,3,4|label=010");
    request = (struct table_request){.label = "y", .weight = "w", .ignore = "id, b,,id", .most_levels = 4};
    assert_reads("id,w,y,a,b\nx,3,1,7,u\ny,0,0,8,v\n", &request, "a=7,8|label=10|weight=3,0");
    request = (struct table_request){.ignore = "b", .most_levels = 4};
    assert_reads("a,b\n1,2\n", &request, "a=1");
}

static void test_roles_refused(void **state)
{
    struct table_request request = labeled;
    (void)state;
    request.label = "label";
    assert_refuses("a,lable\n1,2\n", &request, "there is no column 'label'; did you mean 'lable'?");
    request.label = "y";
    assert_refuses("abc,xyz\n1,2\n", &request,
                   "there is no column 'y'; there are 'abc', 'xyz'. Name the column of labels (--label COL)");
    assert_refuses("y\n1\n", &request, "no columns beside");
    assert_refuses("a,y\n1,red\n", &request, "column 'y' holds 'red' (line 2); labels are 1/0");
    assert_refuses("a,y\n1,1\n2,\n", &request, "'' (line 3)");
    request.positive = "yes";
    assert_refuses("a,y\n1,no\n", &request, "no row has 'yes' in column 'y'; found 'no' (line 2)");
    request = (struct table_request){.label = "y", .weight = "y", .most_levels = 4};
    assert_refuses("a,y\n1,1\n", &request, "column 'y' cannot be both the label and the weight");
    request.weight = "w";
    request.ignore = "y";
    assert_refuses("a,y,w\n1,1,1\n", &request, "column 'y' cannot be both the label and to be left out");
    request.ignore = NULL;
    assert_refuses("a,y,w\n1,1,x\n", &request, "line 2, column 'w': 'x' is not a number; weights are counts");
    assert_refuses("a,y,w\n1,1,\n", &request, "line 2, column 'w': '' is not a number");
    assert_refuses("a,y,w\n1,1,-1\n", &request, "'-1' is out of range; weights are counts");
    request = (struct table_request){.ignore = "idd", .most_levels = 4};
    assert_refuses("id,a\n1,2\n", &request, "there is no column 'idd' to leave out; did you mean 'id'?");
}

/* ---- schemas ---- */

static char *color_levels[] = {"1", "blue", "red"};
static const struct column_schema schema[] = {
    {"size", COLUMN_NUMBER, 0, NULL},
    {"color", COLUMN_TEXT, 3, color_levels},
};
static const struct table_request with_schema = {.most_levels = 4, .n_schema = 2, .schema = schema};

static void test_identifiers(void **state)
{
    struct table_request request = {.label = "y", .id = "id", .most_levels = 2};
    (void)state;
    assert_reads("id,a,y\np1,1,1\np2,2,0\np3,3,0\n", &request, "a=1,2,3|label=100|id=[p1][p2][p3]");
    /* As they are in the file: blanks, digits, separators, empty. */
    assert_reads("a,id,y\n1, 007 ,1\n2,1.50,0\n3,\"x, \"\"y\"\"\nz\",0\n4,,1\n", &request,
                 "a=1,2,3,4|label=1001|id=[ 007 ][1.50][x, \"y\"\nz][]");
    request.format.decimal = ',';
    assert_reads("a;id;y\n1;0,50;1\n2;p;0\n", &request, "a=1,2|label=10|id=[0,50][p]");
}

static void test_kinds(void **state)
{
    struct table_request request = {.label = "y", .kind = "k", .most_levels = 2};
    (void)state;
    assert_reads("k,a,y\nblue,1,1\n,2,0\n red ,3,1\nNA,4,0\nblue,5,1\ngreen,6,1\n", &request,
                 "a=1,2,3,4,5,6|label=101011|kind=blue,?,red,?,blue,green");
    assert_reads("k,a,y\n4,1,1\n,2,0\n07,3,1\n", &request, "a=1,2,3|label=101|kind=4,?,07");
    request.kind = "y";
    assert_refuses("k,a,y\n4,1,1\n", &request, "column 'y' cannot be both the label and the kind");
    request.kind = "no";
    assert_refuses("k,a,y\n4,1,1\n", &request, "Name the column of kinds (--kind COL)");
}

static void test_groups(void **state)
{
    const struct table_request request = {.label = "y", .group = "g", .most_levels = 2};
    (void)state;
    assert_reads("g,a,y\nx,1,1\n y ,2,0\nx,3,0\nz,4,0\ny,5,0\n", &request,
                 "a=1,2,3,4,5|label=10000|group=0,1,0,2,1");
    assert_reads("g,a,y\n,1,1\nx,2,0\nNA,3,0\nx,4,0\n", &request, "a=1,2,3,4|label=1000|group=1,0,2,0");
}

static void test_keys_refused(void **state)
{
    struct table_request request = {.label = "y", .id = "ids", .most_levels = 2};
    (void)state;
    assert_refuses(
        "id,a,y\np,1,1\n", &request,
        "there is no column 'ids'; did you mean 'id'? There are 'id', 'a', 'y'. Name the column of "
        "identifiers (--id COL)");
    request.id = "y";
    assert_refuses("id,a,y\np,1,1\n", &request, "column 'y' cannot be both the label and the identifier");
    request.id = request.group = "id";
    assert_refuses("id,a,y\np,1,1\n", &request, "column 'id' cannot be both the identifier and the group");
    request.group = "g";
    assert_refuses("id,a,y\np,1,1\n", &request, "Name the column of groups (--group COL)");
    request.group = NULL;
    request.ignore = "id";
    assert_refuses("id,a,y\np,1,1\n", &request,
                   "column 'id' cannot be both the identifier and to be left out");
}

static void test_schema(void **state)
{
    struct table_request request = with_schema;
    (void)state;
    assert_reads("color,extra,size\nred,x,1\n 1.0,y,NA\ngreen,z,3\n?,z,4\n7,,5\n", &with_schema,
                 "size=1,?,3,4,5|color=red,1,*,?,*");
    assert_reads("size,color\n", &with_schema, "size=|color=");
    request.label = "y";
    request.weight = "w";
    assert_reads("w,y,size,color\n2,1,3,red\n4,0,5,blue\n", &request,
                 "size=3,5|color=red,blue|label=10|weight=2,4");
    assert_refuses("colour,size\n", &with_schema,
                   "file has no column 'color', which the model needs; did you mean 'colour'?");
    assert_refuses("size,color\n1,red\nbig,red\n", &with_schema,
                   "line 3, column 'size': 'big' is not a number, but the column held only numbers");
    assert_refuses("size,color\n1,inf\n", &with_schema, "line 2, column 'color': 'inf' is not finite");
    request = with_schema;
    request.label = "size";
    assert_refuses("size,color\n1,red\n", &request,
                   "column 'size' cannot be both the label and a column that the model needs");
}

/* A file read with its own schema, in pieces of any size and from a stream of any granularity. */
static void test_pieces(void **state)
{
    static const size_t pieces[] = {1, 7, 20, 0}, stream_sizes[] = {1, 7, 0};
    static const char *const colors[] = {"red", "blue", "NA", "1", "1.50"};
    char text[4000] = "size,y,color,id\n", whole[8000], out[8000];
    const struct table_request identified = {.label = "y", .id = "id", .most_levels = 4};
    struct table_request request = identified;
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    (void)state;
    for (int i = 0; i < 60; i++)
        (void)sprintf(text + strlen(text), "%d.25,%d,%s,row %d\r\n", i, i % 3 == 0, colors[i % 5], i);
    struct reading reading = {.request = &request};
    assert_ok(read_as_text(&reading, text, strlen(text), whole, sizeof whole), &test_error);

    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(table_reader_open(&stream, &identified, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    const struct column_schema own[] = {table->column[0].schema, table->column[1].schema};
    request.n_schema = 2;
    request.schema = own;
    for (size_t i = 0; i < LENGTH(pieces); i++)
        for (size_t k = 0; k < LENGTH(stream_sizes); k++) {
            reading.piece = pieces[i];
            reading.stream_size = stream_sizes[k];
            assert_ok(read_as_text(&reading, text, strlen(text), out, sizeof out), &test_error);
            assert_string_equal(out, whole);
        }
    table_reader_free(reader);
}

/* Only the end of the file shows that no row has the positive label. */
static void test_positive_label_in_pieces(void **state)
{
    static const char text[] = "size,color,y\n1,red,no\n2,red,no\n3,red,yes\n";
    struct table_request request = with_schema;
    struct reading reading = {.request = &request, .piece = 1};
    char out[200];
    (void)state;
    request.label = "y";
    request.positive = "yes";
    assert_ok(read_as_text(&reading, text, strlen(text), out, sizeof out), &test_error);
    assert_string_equal(out, "size=1,2,3|color=red,red,red|label=001");
    request.positive = "maybe";
    assert_int_equal(read_as_text(&reading, text, strlen(text), out, sizeof out), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "no row has 'maybe'");
}

static void test_pieces_need_a_schema(void **state)
{
    static const char text[] = "a\n1\n2\n";
    struct reading reading = {.request = &all, .piece = 1};
    char out[200];
    (void)state;
    assert_int_equal(read_as_text(&reading, text, strlen(text), out, sizeof out), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "all rows must be read in one call");
}

/* ---- files and memory ---- */

static void test_gzip(void **state)
{
    static const char text[] = "a,c\n1,red\n2,blue\n";
    char path[] = "/tmp/dedpul-test-XXXXXX";
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    (void)state;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    gzFile file = gzdopen(descriptor, "wb");
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    (void)gzclose(file);
    assert_ok(stream_open(&stream, path, &test_error), &test_error);
    assert_ok(table_reader_open(&stream, &all, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    assert_int_equal(table->n_rows, 2);
    assert_near(table->column[0].number[1], 2, 0);
    assert_string_equal(table->column[1].schema.level[table->column[1].code[1]], "blue");
    table_reader_free(reader);
    stream_close(&stream);
    (void)unlink(path);
}

/* The n-th allocation fails, for every n until none does. */
static void check_allocation(const char *text, const struct table_request *request, size_t least)
{
    char out[8000];
    size_t failures = 0;
    for (;; failures++) {
        struct failing failing = {0, failures, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct reading reading = {.request = request, .allocator = &allocator};
        const dedpul_status status = read_as_text(&reading, text, strlen(text), out, sizeof out);
        assert_int_equal(failing.blocks, 0);
        if (status == DEDPUL_OK)
            break;
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_contains(test_error.message, "out of memory reading file");
    }
    assert_true(failures >= least);
}

static void test_allocation(void **state)
{
    struct table_request request = {.label = "y", .weight = "w", .most_levels = 100};
    char text[4000] = "a,y,w,color\n";
    (void)state;
    for (int i = 0; i < 40; i++)
        (void)sprintf(text + strlen(text), "%d,%d,1,%s%d\n", i, i % 2, i > 20 ? "c" : "", i);
    check_allocation(text, &request, 50);
    request.weight = NULL;
    request.id = "color";
    request.group = "w";
    check_allocation(text, &request, 20);
    request.id = request.group = NULL;
    check_allocation("size,color\n1,red\n", &with_schema, 10);
    request.label = "label";
    check_allocation("1 1:1\n0 5:1 20:3\n1 2:2 3:3 300:1\n", &request, 15);
    request.categorical = "2,300";
    check_allocation("1 1:1\n0 5:1 20:3\n1 2:2 3:3 300:1\n", &request, 20);
}

static void test_propensities(void **state)
{
    struct table_request request = {.label = "y", .propensity = "e", .most_levels = 2};
    (void)state;
    assert_reads("a,y,e\n1,1,0.5\n2,0,\n3,1,1\n4,0,NA\n5,0,0\n", &request,
                 "a=1,2,3,4,5|label=10100|propensity=0.5,?,1,?,0");
    assert_refuses("a,y,e\n1,1,0.5\n2,1,1.01\n", &request,
                   "line 3, column 'e': '1.01' is out of range; a propensity is the chance of a positive");
    assert_refuses("a,y,e\n1,1,-0.1\n", &request, "'-0.1' is out of range");
    assert_refuses("a,y,e\n1,1,often\n", &request, "'often' is not a number");
    assert_refuses("a,y,e\n1,1,inf\n", &request, "'inf' is not");
    request.propensity = "a";
    request.weight = "a";
    assert_refuses("a,y,e\n1,1,1\n", &request, "column 'a' cannot be both the weight and the propensity");
    request.propensity = "no";
    request.weight = NULL;
    assert_refuses("a,y,e\n1,1,1\n", &request, "Name the column of propensities (--propensity-value COL)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_levels_in_byte_order),
        cmocka_unit_test(test_numbers_as_text),
        cmocka_unit_test(test_columns_refused),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_roles_refused),
        cmocka_unit_test(test_identifiers),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_propensities),
        cmocka_unit_test(test_keys_refused),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_positive_label_in_pieces),
        cmocka_unit_test(test_pieces_need_a_schema),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
