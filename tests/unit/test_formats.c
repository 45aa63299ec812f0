/* NumPy and libsvm files, and how formats are told apart. */
#include "reading.h"

#include <stdio.h>

static const struct table_request all = {.most_levels = 4};

/* ---- NumPy ---- */

struct npy {
    size_t n;
    unsigned char bytes[4000];
};

static void append_bytes(struct npy *npy, uint64_t value, size_t size, bool is_big_endian)
{
    for (size_t i = 0; i < size; i++)
        npy->bytes[npy->n++] = (unsigned char)(value >> 8 * (is_big_endian ? size - 1 - i : i));
}

/* A file with the header given, and behind it the values 1, 2, ... of the type. */
static struct npy make_npy(unsigned version, const char *header, const char *type, size_t n_values)
{
    struct npy npy = {.n = 0};
    const size_t length = strlen(header);
    memcpy(npy.bytes, "\x93NUMPY", 6);
    npy.n = 6;
    append_bytes(&npy, version, 1, false);
    append_bytes(&npy, 0, 1, false);
    append_bytes(&npy, length, version == 1 ? 2 : 4, false);
    memcpy(npy.bytes + npy.n, header, length);
    npy.n += length;
    for (size_t i = 1; i <= n_values; i++) {
        const double wide = (double)i;
        const float narrow = (float)i;
        uint64_t wide_bits;
        uint32_t narrow_bits;
        memcpy(&wide_bits, &wide, sizeof wide_bits);
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        const size_t size = (size_t)(type[2] - '0');
        append_bytes(&npy, type[1] != 'f' ? i : size == 8 ? wide_bits : narrow_bits, size, type[0] == '>');
    }
    return npy;
}

static struct npy make_plain(const char *type, const char *shape, size_t n_values)
{
    char header[200];
    (void)sprintf(header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }  \n", type, shape);
    return make_npy(1, header, type, n_values);
}

static void test_numpy(void **state)
{
    static const char *const types[] = {"<f4", "<f8", ">f4", ">f8", "|u1", "|i1", "<i2", ">u2",
                                        "<u4", ">i4", "<i8", ">i8", "<u8", "<u1", "|b1"};
    struct npy npy;
    (void)state;
    for (size_t i = 0; i < LENGTH(types); i++) {
        npy = make_plain(types[i], "(2, 3)", 6);
        assert_reads_bytes(npy.bytes, npy.n, &all, "1=1,4|2=2,5|3=3,6", __FILE__, __LINE__);
        npy = make_plain(types[i], "(3,)", 3);
        assert_reads_bytes(npy.bytes, npy.n, &all, "1=1,2,3", __FILE__, __LINE__);
    }
    for (unsigned version = 1; version <= 3; version++) {
        npy = make_npy(version, "{\"shape\":(2L,1),'fortran_order':False,'descr':'<f8'}", "<f8", 2);
        assert_reads_bytes(npy.bytes, npy.n, &all, "1=1,2", __FILE__, __LINE__);
    }
}

/* Numbers that tell rows apart are written as they are read. */
static void test_numpy_keys(void **state)
{
    struct table_request request = {.id = "1", .group = "3", .most_levels = 4};
    struct npy npy = make_plain("<i8", "(2, 3)", 6);
    (void)state;
    assert_reads_bytes(npy.bytes, npy.n, &request, "2=2,5|id=[1][4]|group=0,1", __FILE__, __LINE__);
    request.id = "4";
    assert_refuses_bytes(npy.bytes, npy.n, &request,
                         "there is no column '4'; its columns have no names but numbers, 1 to 3. Name the "
                         "column of identifiers (--id COL)",
                         __FILE__, __LINE__);
}

/* Of every size, the most negative integers are read as such, and the largest. */
static void test_numpy_integers(void **state)
{
    static const struct {
        const char *type, *expected;
    } cases[] = {
        {"|i1", "1=-128,127,-1"},
        {"|u1", "1=128,127,255"},
        {"<i2", "1=-32768,32767,-1"},
        {"<u2", "1=32768,32767,65535"},
        {"<i4", "1=-2147483648,2147483647,-1"},
        {"<i8", "1=-9.223372036854776e+18,9.223372036854776e+18,-1"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct npy npy = make_plain(cases[i].type, "(3,)", 3);
        const size_t size = (size_t)(cases[i].type[2] - '0');
        unsigned char *value = npy.bytes + npy.n - 3 * size;
        memset(value, 0, size);
        memset(value + size, 0xff, 2 * size);
        value[size - 1] = 0x80;
        value[2 * size - 1] = 0x7f;
        assert_reads_bytes(npy.bytes, npy.n, &all, cases[i].expected, __FILE__, __LINE__);
    }
}

static void test_numpy_images(void **state)
{
    struct reading reading = {.request = &all};
    struct npy npy = make_plain("|u1", "(2, 1, 3)", 6);
    char out[200];
    (void)state;
    assert_ok(read_as_text(&reading, npy.bytes, npy.n, out, sizeof out), &test_error);
    assert_string_equal(out, "1=1,4|2=2,5|3=3,6");
    assert_true(reading.image.height == 1 && reading.image.width == 3 && reading.image.channels == 1);
    npy = make_plain("<f4", "(1, 1, 3, 2)", 6);
    assert_ok(read_as_text(&reading, npy.bytes, npy.n, out, sizeof out), &test_error);
    assert_string_equal(out, "1=1|2=2|3=3|4=4|5=5|6=6");
    assert_true(reading.image.height == 1 && reading.image.width == 3 && reading.image.channels == 2);
    npy = make_plain("<f4", "(1, 6)", 6);
    assert_ok(read_as_text(&reading, npy.bytes, npy.n, out, sizeof out), &test_error);
    assert_int_equal(reading.image.height, 0);
}

static void test_numpy_roles(void **state)
{
    const struct table_request request = {.label = "2", .positive = "2", .ignore = "1", .most_levels = 4};
    struct table_request other = {.label = "y", .most_levels = 4};
    struct npy npy = make_plain("<f8", "(2, 3)", 6);
    (void)state;
    assert_reads_bytes(npy.bytes, npy.n, &request, "3=3,6|label=10", __FILE__, __LINE__);
    assert_refuses_bytes(npy.bytes, npy.n, &other,
                         "no column 'y'; its columns have no names but numbers, 1 to 3", __FILE__, __LINE__);
    other.label = "3";
    assert_refuses_bytes(npy.bytes, npy.n, &other, "column '3' holds '3' (row 1), '6' (row 2)", __FILE__,
                         __LINE__);
    other.label = NULL;
    memcpy(npy.bytes + npy.n - 8, "\0\0\0\0\0\0\xf0\xff", 8);
    assert_refuses_bytes(npy.bytes, npy.n, &other, "row 2, column '3': '-inf' is not finite", __FILE__,
                         __LINE__);
    memcpy(npy.bytes + npy.n - 8, "\0\0\0\0\0\0\xf8\x7f", 8);
    assert_reads_bytes(npy.bytes, npy.n, &other, "1=1,4|2=2,5|3=3,?", __FILE__, __LINE__);
}

static void assert_npy_refused(struct npy npy, const char *message)
{
    assert_refuses_bytes(npy.bytes, npy.n, &all, message, __FILE__, __LINE__);
}

static void test_numpy_refused(void **state)
{
    struct npy npy = make_plain("<f8", "(2, 3)", 6);
    (void)state;
    for (size_t n = npy.n - 1; n >= 6; n--) {
        npy.n = n;
        assert_npy_refused(npy, "cut off");
    }
    assert_npy_refused(make_plain("<f8", "(2, 3)", 5), "ends after 1 of its 2 rows");
    assert_npy_refused(make_plain("<f8", "(2, 3)", 7), "further bytes after its 2 rows");
    assert_npy_refused(make_plain("<c8", "(2, 3)", 6), "type '<c8'; save it with x.astype('float32')");
    static const char *const types[] = {"|O", "<f2", "|f4", "|u2", "<b2", "<i3", "=f4", "<U1", "<f16"};
    for (size_t i = 0; i < LENGTH(types); i++)
        assert_npy_refused(make_plain(types[i], "(2, 3)", 0), "x.astype('float32')");
    npy = make_plain("<f8", "(2, 3)", 6);
    *(char *)memchr(npy.bytes, '8', npy.n) = '\0';
    assert_npy_refused(npy, "x.astype('float32')");
    assert_npy_refused(make_plain("<f8", "(2, 3, 1, 1, 1)", 6), "array of 5 dimensions");
    assert_npy_refused(make_plain("<f8", "()", 1), "array of 0 dimensions");
    assert_npy_refused(make_plain("<f8", "(0, 3)", 0), "has no rows");
    assert_npy_refused(make_plain("<f8", "(3, 0)", 0), "has 0 columns; a table has 1 to 1000000");
    assert_npy_refused(make_plain("<f8", "(1, 1000001)", 0), "has 1000001 columns");
    assert_npy_refused(make_plain("|u1", "(1, 8589934592, 8589934592, 2)", 0), "has 18446744073709551615");
    assert_npy_refused(make_plain("|u1", "(1, 3, 0, 2)", 0), "has 0 columns");
    assert_npy_refused(make_plain("<f8", "(99999999999999999999, 1)", 0), "cannot be read");
    assert_npy_refused(make_plain("<f8", "(18446744073709551615, 1000000)", 3), "cut off: it ends after 0");
    assert_npy_refused(make_plain("<f8", "(2 3)", 0), "cannot be read");
    assert_npy_refused(make_npy(4, "{}", "<f8", 1), "version 4");
    assert_npy_refused(make_npy(1, "{'fortran_order': False}", "<f8", 1), "cannot be read");
    assert_npy_refused(make_npy(1, "{'descr': '<f8'}", "<f8", 1), "lacks 'fortran_order' or 'shape'");
    assert_npy_refused(make_npy(1, "{'descr': [('a', '<f8')], 'shape': (1,)}", "<f8", 1), "astype");
    assert_npy_refused(make_npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", "<f8", 6),
                       "numpy.ascontiguousarray");
    assert_npy_refused(make_npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 1)}", "|u1", 6),
                       "numpy.ascontiguousarray");
    npy = make_npy(2, "{}", "<f8", 1);
    npy.bytes[11] = 0x7f; /* the header's length */
    assert_npy_refused(npy, "NumPy header of");
}

/* A model fitted on 4 columns of which the second was the label. */
static void test_numpy_schema(void **state)
{
    static const struct column_schema schema[] = {
        {"1", COLUMN_NUMBER, 0, NULL}, {"3", COLUMN_NUMBER, 0, NULL}, {"4", COLUMN_NUMBER, 0, NULL}};
    struct table_request request = {.most_levels = 4, .n_schema = 3, .schema = schema, .n_numbered = 4};
    struct reading reading = {.request = &all};
    struct npy npy = make_plain("<f4", "(2, 4)", 8);
    char out[200];
    (void)state;
    assert_ok(read_as_text(&reading, npy.bytes, npy.n, out, sizeof out), &test_error);
    assert_int_equal(reading.numbered, 4);
    assert_reads_bytes(npy.bytes, npy.n, &request, "1=1,5|3=3,7|4=4,8", __FILE__, __LINE__);
    npy = make_plain("<f4", "(2, 3)", 6);
    assert_reads_bytes(npy.bytes, npy.n, &request, "1=1,4|3=2,5|4=3,6", __FILE__, __LINE__);
    request.label = "2";
    assert_refuses_bytes(npy.bytes, npy.n, &request, "so there is no column of labels", __FILE__, __LINE__);
    request.label = NULL;
    request.id = "2";
    assert_refuses_bytes(npy.bytes, npy.n, &request, "so there is no column of labels", __FILE__, __LINE__);
    request.id = NULL;
    request.label = "2";
    npy = make_plain("<f4", "(1, 5)", 5);
    assert_refuses_bytes(npy.bytes, npy.n, &request,
                         "file has 5 columns; the model was fitted on a file with 4", __FILE__, __LINE__);
    assert_reads("4,1,3,2\n1,2,3,0\n", &request, "1=2|3=3|4=1|label=0");
}

/* ---- libsvm ---- */

static void test_libsvm(void **state)
{
    struct table_request request = {.label = "label", .most_levels = 4};
    struct reading reading = {.request = &request};
    char out[200];
    (void)state;
    assert_reads("1 1:0.5 3:2\n-1 2:1e2\n", &request, "1=0.5,0|2=0,100|3=2,0|label=10");
    assert_reads("# made by hand\n\n+1 qid:7 2:3 # note, with comma\r\n\r\n0 10:1\t\n", &request,
                 "2=3,0|10=0,1|label=10");
    assert_reads("1\n0\n1 4:5\n", &request, "4=0,0,5|label=101");
    assert_reads("\xef\xbb\xbf"
                 "1 1:5",
                 &request, "1=5|label=1");
    assert_reads("1 1:5 2:6\n", &all, "1=5|2=6");
    request.weight = "2";
    request.ignore = "3, 4";
    assert_reads("1 1:5 2:6 3:7\n0 1:8\n", &request, "1=5,8|label=10|weight=6,0");
    request.truth = "4"; /* a class that is not there is 0 */
    request.ignore = "3";
    assert_reads("1 1:5 2:6 3:7\n0 1:8 4:1\n0 1:9\n", &request, "1=5,8,9|label=100|weight=6,0,0|truth=010");
    request = (struct table_request){.label = "label", .kind = "2", .most_levels = 4};
    assert_reads("1 1:5 2:6\n0 1:8\n0 1:9 2:1.5\n", &request, "1=5,8,9|label=100|kind=6,?,1.5");
    request = (struct table_request){.label = "label", .propensity = "2", .most_levels = 4};
    assert_reads("1 1:5 2:0.5\n0 1:8\n0 1:9 2:1\n", &request, "1=5,8,9|label=100|propensity=0.5,0,1");
    request = (struct table_request){.label = "label", .id = "2", .group = "3", .most_levels = 4};
    assert_reads("1 1:5 2:6 3:7\n0 1:8\n0 1:9 2:1.5 3:7\n", &request,
                 "1=5,8,9|label=100|id=[6][0][1.5]|group=0,1,0");
    assert_refuses("1 1:5 2:1e15\n", &request, "line 1: '1e+15' is too large for the number of a row");
    request = (struct table_request){.label = "label", .most_levels = 4};
    assert_ok(read_as_text(&reading, "1 1:2\n", 6, out, sizeof out), &test_error);
    assert_int_equal(reading.numbered, 0);
}

static void test_libsvm_schema(void **state)
{
    static char *levels[] = {"0", "7"};
    static const struct column_schema schema[] = {
        {"2", COLUMN_NUMBER, 0, NULL}, {"5", COLUMN_TEXT, 2, levels}, {"age", COLUMN_NUMBER, 0, NULL}};
    const struct table_request request = {
        .label = "label", .most_levels = 4, .n_schema = 3, .schema = schema, .n_numbered = 9};
    struct reading reading = {.request = &request};
    char out[200];
    (void)state;
    for (reading.piece = 0; reading.piece < 4; reading.piece++) {
        static const char text[] = "1 1:4 2:3 5:7\n0 99:1\n1 5:3\n";
        assert_ok(read_as_text(&reading, text, strlen(text), out, sizeof out), &test_error);
        assert_string_equal(out, "2=3,0,0|5=7,0,*|age=0,0,0|label=101");
    }
}

static void test_libsvm_refused(void **state)
{
    struct table_request request = {.label = "3", .most_levels = 4};
    (void)state;
    assert_refuses("1 0:1\n", &all, "line 1: '0:1' has index 0; indices begin with 1");
    assert_refuses("1 1:1\n1 3:1 2:1\n", &all, "line 2: '2:1' does not have a larger index");
    assert_refuses("1 1:1 1:2\n", &all, "'1:2' does not have a larger index");
    assert_refuses("1 1:x\n", &all, "'1:x' has a value that is not a number");
    assert_refuses("1 1:nan\n", &all, "'1:nan' has a value that is not finite");
    assert_refuses("1 1:1\n1 1000001:1\n", &all, "has an index above 1000000");
    assert_refuses("1 1:1\n1 99999999999999999999999:1\n", &all, "has an index above 1000000");
    assert_refuses("1 1:1\n\nx 1:1\n", &all, "line 3: 'x' is not a finite number");
    assert_refuses("1 1:1\r\n1 2\r\n", &all, "line 2: '2' is not index:value");
    assert_refuses("1 1:1\n1 :2\n", &all, "':2' is not index:value");
    assert_refuses("1 1:1\n", &request, "their column is 'label' (--label label), not '3'");
    request.label = "y";
    assert_refuses("1 1:1\n", &request, "columns of a libsvm file are called label, 1, 2, ...");
}

/* Lines that look like libsvm only in part are delimited text. */
static void test_detection(void **state)
{
    char text[10000] = "1";
    (void)state;
    assert_reads("1,2:3\n4,5\n", &all, "1=4|2:3=5");
    assert_reads("1\t2:3\n4\t5\n", &all, "1=4|2:3=5");
    assert_reads("1 x\n4\n", &all, "1 x=4");
    assert_reads("# a\n4\n", &all, "# a=4");
    assert_reads("x 1:2\n4\n", &all, "x 1:2=4");
    for (int i = 1; i <= 900; i++) /* the first line is longer than what is looked at */
        (void)sprintf(text + strlen(text), " %d:%d", i, i);
    struct stream stream;
    struct table_reader *reader;
    struct table *table;
    stream_open_memory(&stream, "file", text, strlen(text));
    assert_ok(table_reader_open(&stream, &all, NULL, &test_error, &reader), &test_error);
    assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
    assert_int_equal(table->n_columns, 900);
    for (size_t i = 0; i < 900; i++)
        assert_near(table->column[i].number[0], (double)(i + 1), 0);
    table_reader_free(reader);
}

/* Numbers of lines stay right where CR and LF fall into different reads. */
static void test_lines_across_reads(void **state)
{
    static const char text[] = "1 1:1\r\n\r\n1 1:2\r\r\n1 x\r\n";
    struct reading reading = {.request = &all};
    char out[200];
    (void)state;
    for (reading.stream_size = 1; reading.stream_size < 10; reading.stream_size++) {
        assert_int_equal(read_as_text(&reading, text, strlen(text), out, sizeof out), DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "line 5: 'x'");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy),          cmocka_unit_test(test_numpy_keys),
        cmocka_unit_test(test_numpy_integers), cmocka_unit_test(test_numpy_images),
        cmocka_unit_test(test_numpy_roles),    cmocka_unit_test(test_numpy_refused),
        cmocka_unit_test(test_numpy_schema),   cmocka_unit_test(test_libsvm),
        cmocka_unit_test(test_libsvm_schema),  cmocka_unit_test(test_libsvm_refused),
        cmocka_unit_test(test_detection),      cmocka_unit_test(test_lines_across_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
