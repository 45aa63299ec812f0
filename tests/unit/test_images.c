/* Images as tables: IDX and CIFAR-10 files, shapes, and labels in files of their own. */
#include "fitting.h"
#include "number.h"
#include "reading.h"
#include "tables.h"

#include <stdio.h>
#include <zlib.h>

static const struct table_request all = {.most_levels = 4};

struct file {
    size_t n;
    unsigned char bytes[20000];
};

static void append(struct file *file, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        file->bytes[file->n++] = (unsigned char)(value >> 8 * (size - 1 - i));
}

static void assert_image(struct image_shape image, size_t height, size_t width, size_t channels)
{
    assert_int_equal(image.height, height);
    assert_int_equal(image.width, width);
    assert_int_equal(image.channels, channels);
}

/* ---- shapes as text ---- */

static void test_shape_text(void **state)
{
    static const char *const bad[] = {"",        "28",        "28x",         "x28",
                                      "28x28x",  "28x28x1x1", "0x1",         "1x1x0",
                                      "28 x 28", "28x28 ",    "-1x2",        "1001x1000",
                                      "axb",     "28*28",     "1x1x1000001", "99999999999999999999x1"};
    struct image_shape shape = {7, 7, 7};
    char text[IMAGE_SHAPE_TEXT];
    (void)state;
    for (size_t i = 0; i < LENGTH(bad); i++) {
        assert_false(image_shape_parse(bad[i], &shape));
        assert_image(shape, 7, 7, 7);
    }
    assert_true(image_shape_parse("28x30", &shape));
    assert_image(shape, 28, 30, 1);
    assert_string_equal(image_shape_format(text, shape), "28x30");
    assert_true(image_shape_parse("32X16x3", &shape));
    assert_image(shape, 32, 16, 3);
    assert_string_equal(image_shape_format(text, shape), "32x16x3");
    assert_true(image_shape_parse("1000x1000", &shape));
    assert_true(image_shape_fits(shape, 1000000));
    assert_false(image_shape_fits(shape, 999999));
    assert_false(image_shape_fits((struct image_shape){SIZE_MAX, SIZE_MAX, 1}, 1)); /* (-1)^2 */
    assert_false(image_shape_fits((struct image_shape){0, 1, 1}, 0));
}

/* ---- IDX ---- */

enum { U8 = 0x08, I8 = 0x09, I16 = 0x0b, I32 = 0x0c, F32 = 0x0d, F64 = 0x0e };

static void append_value(struct file *file, int type, int value)
{
    const float narrow = (float)value;
    const double wide = value;
    uint32_t narrow_bits;
    uint64_t wide_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    memcpy(&wide_bits, &wide, sizeof wide_bits);
    if (type == F32)
        append(file, narrow_bits, 4);
    else if (type == F64)
        append(file, wide_bits, 8);
    else
        append(file, (uint64_t)(int64_t)value, type == I16 ? 2 : type == I32 ? 4 : 1);
}

/* The values are 1, 2, ... */
static struct file make_idx(int type, size_t n_dimensions, const uint32_t *dimension, size_t n_values)
{
    struct file file = {.n = 0};
    append(&file, (uint64_t)type << 8 | n_dimensions, 4);
    for (size_t i = 0; i < n_dimensions; i++)
        append(&file, dimension[i], 4);
    for (size_t i = 1; i <= n_values; i++)
        append_value(&file, type, (int)i);
    return file;
}

static void check_reads(const struct file *file, const char *expected, struct reading *reading)
{
    char out[400];
    assert_ok(read_as_text(reading, file->bytes, file->n, out, sizeof out), &test_error);
    assert_string_equal(out, expected);
}

static void test_idx(void **state)
{
    static const int types[] = {U8, I8, I16, I32, F32, F64};
    struct reading reading = {.request = &all};
    (void)state;
    for (size_t i = 0; i < LENGTH(types); i++)
        for (reading.stream_size = 0; reading.stream_size < 8; reading.stream_size++) {
            struct file file = make_idx(types[i], 1, (uint32_t[]){3}, 3);
            check_reads(&file, "1=1,2,3", &reading);
            assert_image(reading.image, 0, 0, 0);
            assert_int_equal(reading.numbered, 1);
            file = make_idx(types[i], 2, (uint32_t[]){2, 3}, 6);
            check_reads(&file, "1=1,4|2=2,5|3=3,6", &reading);
            assert_image(reading.image, 0, 0, 0);
            file = make_idx(types[i], 3, (uint32_t[]){2, 3, 1}, 6);
            check_reads(&file, "1=1,4|2=2,5|3=3,6", &reading);
            assert_image(reading.image, 3, 1, 1);
            file = make_idx(types[i], 4, (uint32_t[]){1, 1, 2, 3}, 6);
            check_reads(&file, "1=1|2=2|3=3|4=4|5=5|6=6", &reading);
            assert_image(reading.image, 1, 2, 3);
            assert_int_equal(reading.numbered, 6);
            if (types[i] == U8)
                continue;
            file = make_idx(types[i], 1, (uint32_t[]){2}, 0);
            append_value(&file, types[i], -1);
            append_value(&file, types[i], -128);
            check_reads(&file, "1=-1,-128", &reading);
        }
    struct file file = make_idx(U8, 1, (uint32_t[]){2}, 0);
    append(&file, 0x80ff, 2);
    check_reads(&file, "1=128,255", &reading);
}

static void assert_refused(const struct file *file, const struct table_request *request, const char *message)
{
    assert_refuses_bytes(file->bytes, file->n, request, message, __FILE__, __LINE__);
}

static void test_idx_refused(void **state)
{
    struct file file = make_idx(I16, 3, (uint32_t[]){2, 3, 1}, 6);
    (void)state;
    for (file.n--; file.n >= 4; file.n--)
        assert_refused(&file, &all, file.n < 16 ? "cut off in its header" : "is cut off: it ends after");
    file = make_idx(U8, 2, (uint32_t[]){2, 3}, 7);
    assert_refused(&file, &all, "further bytes after its 2 rows");
    file = make_idx(0x0a, 2, (uint32_t[]){2, 3}, 6);
    assert_refused(&file, &all, "unknown type 10");
    file = make_idx(U8, 5, (uint32_t[]){1, 1, 1, 1, 1}, 1);
    assert_refused(&file, &all, "5 dimensions; at most 4");
    file = make_idx(U8, 2, (uint32_t[]){2, 0}, 0);
    assert_refused(&file, &all, "has 0 columns");
    file = make_idx(U8, 3, (uint32_t[]){0, 2, 2}, 0);
    assert_refused(&file, &all, "has no rows");
    file = make_idx(U8, 3, (uint32_t[]){1, 1001, 1000}, 0);
    assert_refused(&file, &all, "has 1001000 columns; a table has 1 to 1000000");
    file = make_idx(U8, 4, (uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 0);
    assert_refused(&file, &all, "columns; a table has 1 to 1000000");
    file = make_idx(F32, 1, (uint32_t[]){1}, 0);
    append(&file, 0x7f800000, 4);
    assert_refused(&file, &all, "row 1, column '1': 'inf' is not finite");
    file = make_idx(F32, 3, (uint32_t[]){1, 1, 1}, 0);
    append(&file, 0x7fc00000, 4);
    assert_refused(&file, &all, "row 1, column '1': 'nan' is missing, but an image must have all its pixels");
}

/* ---- CIFAR-10 ---- */

enum { SIDE = 32, RECORD = 3073 };

static unsigned pixel(size_t row, size_t channel, size_t y, size_t x)
{
    return (unsigned)((17 * row + 89 * channel + 7 * y + x) % 256);
}

/* Labels are 9, 1, 2, 0, ... */
static struct file make_cifar(size_t n)
{
    static const unsigned char labels[] = {9, 1, 2, 0, 5};
    struct file file = {.n = 0};
    for (size_t row = 0; row < n; row++) {
        file.bytes[file.n++] = labels[row];
        for (size_t channel = 0; channel < 3; channel++)
            for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
                file.bytes[file.n++] = (unsigned char)pixel(row, channel, i / SIDE, i % SIDE);
    }
    return file;
}

static void test_cifar(void **state)
{
    static const struct table_request requests[] = {{.most_levels = 4},
                                                    {.label = "label", .positive = "1", .most_levels = 4}};
    const struct file file = make_cifar(4);
    (void)state;
    for (size_t k = 0; k < LENGTH(requests); k++) {
        struct stream stream;
        struct table_reader *reader;
        struct table *table;
        char name[NUMBER_SIZE];
        stream_open_memory(&stream, "file", file.bytes, file.n);
        assert_ok(table_reader_open(&stream, &requests[k], NULL, &test_error, &reader), &test_error);
        assert_int_equal(table_reader_numbered(reader), 3072);
        assert_ok(table_reader_next(reader, SIZE_MAX, &table), &test_error);
        assert_int_equal(table->n_rows, 4);
        assert_int_equal(table->n_columns, 3072);
        assert_image(table->image, 32, 32, 3);
        for (size_t c = 0; c < 3072; c++) {
            (void)sprintf(name, "%zu", c + 1);
            assert_string_equal(table->column[c].schema.name, name);
            for (size_t row = 0; row < 4; row++)
                assert_near(table->column[c].number[row], pixel(row, c % 3, c / 3 / SIDE, c / 3 % SIDE), 0);
        }
        if (k == 0)
            assert_null(table->label);
        else
            assert_memory_equal(table->label, "\0\1\0\0", 4);
        table_reader_free(reader);
    }
}

static void test_cifar_refused(void **state)
{
    struct table_request request = {.label = "label", .positive = "1", .most_levels = 4};
    struct file file = make_cifar(2);
    (void)state;
    file.n--;
    assert_refused(&file, &request, "cut off: after 1 rows of 3073 bytes there are 3072 bytes more");
    file.n = RECORD + 1;
    assert_refused(&file, &request, "cut off: after 1 rows of 3073 bytes there are 1 bytes more");
    file = make_cifar(3);
    file.bytes[(size_t)2 * RECORD] = 10;
    assert_refused(&file, &request, "row 3 has label 10, but CIFAR-10 has 0 to 9");
    file = make_cifar(3);
    request.label = "7";
    assert_refused(&file, &request,
                   "labels begin its rows, so their column is 'label' (--label label), not '7'");
    request.label = "y";
    assert_refused(&file, &request, "no names but numbers, 1 to 3072, after 'label'");
    request.label = "label";
    request.ignore = "12";
    assert_refused(&file, &request,
                   "has 3071 columns beside those of labels, of weights and to leave out, but "
                   "images of 32x32x3 have 3072 pixels");
}

/* A picture without dark or white pixels is one still; text is none, even where it begins with a tab. */
static void test_cifar_detection(void **state)
{
    struct file file = make_cifar(2);
    const struct table_request request = {.label = "label", .positive = "1", .most_levels = 4};
    struct reading reading = {.request = &all};
    char out[400];
    (void)state;
    memset(file.bytes + 1, 'x', RECORD - 1);
    file.bytes[5] = 0xf9;
    file.n--;
    assert_refused(&file, &request, "is cut off: after 1 rows of 3073 bytes");
    memset(file.bytes, 'x', (size_t)2 * RECORD);
    file.bytes[0] = file.bytes[RECORD] = '\t';
    file.bytes[10] = '\n';
    file.bytes[4000] = '\n';
    assert_refused(&file, &request, "there is no column 'label'");
    file = make_cifar(2);
    file.bytes[RECORD] = 10; /* not the begin of a second record */
    assert_int_not_equal(read_as_text(&reading, file.bytes, file.n, out, sizeof out), DEDPUL_OK);
    assert_null(strstr(test_error.message, "CIFAR"));
}

/* A model of these images reads them with or without labels. */
static void test_schema(void **state)
{
    static struct column_schema schema[3072];
    static char names[3072][8];
    const struct file cifar = make_cifar(2);
    struct file idx = make_idx(U8, 4, (uint32_t[]){2, 32, 32, 3}, 6144);
    const struct file *const files[] = {&cifar, &idx};
    (void)state;
    for (size_t c = 0; c < 3072; c++) {
        (void)sprintf(names[c], "%zu", c + 1);
        schema[c] = (struct column_schema){names[c], COLUMN_NUMBER, 0, NULL};
    }
    for (size_t row = 0; row < 2; row++)
        for (size_t c = 0; c < 3072; c++)
            idx.bytes[20 + 3072 * row + c] = (unsigned char)pixel(row, c % 3, c / 3 / SIDE, c / 3 % SIDE);
    for (size_t numbered = 3072; numbered <= 3073; numbered++)
        for (size_t k = 0; k < 2; k++) {
            const struct table_request request = {.n_schema = 3072, .schema = schema, .n_numbered = numbered};
            struct stream stream;
            struct table_reader *reader;
            struct table *table;
            stream_open_memory(&stream, "file", files[k]->bytes, files[k]->n);
            assert_ok(table_reader_open(&stream, &request, NULL, &test_error, &reader), &test_error);
            for (size_t row = 0; row < 2; row++) {
                assert_ok(table_reader_next(reader, 1, &table), &test_error);
                assert_int_equal(table->n_rows, 1);
                for (size_t c = 0; c < 3072; c++)
                    assert_near(table->column[c].number[0], pixel(row, c % 3, c / 3 / SIDE, c / 3 % SIDE), 0);
            }
            assert_ok(table_reader_next(reader, 1, &table), &test_error);
            assert_int_equal(table->n_rows, 0);
            table_reader_free(reader);
        }
}

/* ---- labels in a file of their own ---- */

static const struct table_request labeled = {.label = "label", .positive = "2", .most_levels = 4};

static void check_labels(const void *labels, size_t size, const char *expected)
{
    const struct file images = make_idx(U8, 3, (uint32_t[]){3, 1, 2}, 6);
    struct reading reading = {.request = &labeled, .labels = labels, .labels_size = size};
    for (reading.stream_size = 0; reading.stream_size < 4; reading.stream_size++)
        check_reads(&images, expected, &reading);
    assert_image(reading.image, 1, 2, 1);
}

static void test_labels(void **state)
{
    static const char one[] = "label\n1\n2\n3\n", several[] = "id,label,x\n1,1,7\n2,2,8\n3,3,9\n";
    static const char sparse[] = "1 3:5\n2 1:7\n3 2:3\n", expected[] = "1=1,3,5|2=2,4,6|label=010";
    static const char npy[] = "\x93NUMPY\1\0\x34\0"
                              "{'descr':'|u1','fortran_order':False,'shape':(3,),}\n"
                              "\1\2\3";
    static const int types[] = {U8, I8, I16, I32, F32, F64};
    (void)state;
    for (size_t i = 0; i < LENGTH(types); i++) {
        const struct file labels = make_idx(types[i], 1, (uint32_t[]){3}, 3);
        check_labels(labels.bytes, labels.n, expected);
    }
    check_labels(one, strlen(one), expected);
    check_labels(several, strlen(several), expected);
    check_labels(sparse, strlen(sparse), expected);
    check_labels(npy, sizeof npy - 1, expected);
    const struct file cifar = make_cifar(3); /* of label 2 is the last */
    check_labels(cifar.bytes, cifar.n, "1=1,3,5|2=2,4,6|label=001");
}

static void assert_labels_refused(const struct file *file, const struct table_request *request,
                                  const void *labels, size_t size, const char *message)
{
    struct reading reading = {.request = request, .labels = labels, .labels_size = size};
    char out[400];
    assert_int_equal(read_as_text(&reading, file->bytes, file->n, out, sizeof out), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
}

static void test_labels_refused(void **state)
{
    static const char text[] = "id,y\n1,1\n2,2\n3,3\n", ragged[] = "label,y\n1,1\n2\n", none[] = "label\n";
    struct table_request by_words = labeled;
    struct file images = make_idx(U8, 2, (uint32_t[]){3, 2}, 6);
    (void)state;
    for (uint32_t n = 1; n < 6; n++) {
        const struct file labels = make_idx(U8, 1, (uint32_t[]){n}, n);
        char message[100];
        (void)sprintf(message, "file has 3 rows, but labels %u labels", n);
        if (n != 3)
            assert_labels_refused(&images, &labeled, labels.bytes, labels.n, message);
    }
    assert_labels_refused(&images, &labeled, none, strlen(none), "file has 3 rows, but labels 0 labels");
    assert_labels_refused(&images, &labeled, text, strlen(text),
                          "labels: there is no column 'label'; there are "
                          "'id', 'y'");
    assert_labels_refused(&images, &labeled, ragged, strlen(ragged), "labels: line 3 has 1 fields");
    assert_labels_refused(&images, &labeled, images.bytes, images.n, "labels: there is no column 'label'");
    const struct file labels = make_idx(U8, 1, (uint32_t[]){3}, 3);
    by_words.positive = NULL;
    assert_labels_refused(&images, &by_words, labels.bytes, labels.n, "labels: column '1' holds '2' (row 2)");
    assert_labels_refused(&images, &labeled, labels.bytes, labels.n - 1, "labels is cut off");
    images.n--;
    assert_labels_refused(&images, &labeled, labels.bytes, labels.n, "file is cut off");
    images.n = (size_t)sprintf((char *)images.bytes, "a,label\n1,2\n3,4\n5,6\n");
    assert_labels_refused(&images, &labeled, labels.bytes, labels.n,
                          "file has a column 'label', but the labels "
                          "are in a file of their own");
    struct table_request request = labeled;
    request.ignore = "label";
    struct reading reading = {.request = &request, .labels = labels.bytes, .labels_size = labels.n};
    check_reads(&images, "a=1,3,5|label=010", &reading);
}

/* The n-th allocation fails, for every n until none does. */
static void test_allocation(void **state)
{
    const struct file images = make_idx(U8, 3, (uint32_t[]){3, 1, 2}, 6);
    const struct file labels = make_idx(I16, 1, (uint32_t[]){3}, 3);
    size_t failures = 0;
    char out[400];
    (void)state;
    for (;; failures++) {
        struct failing failing = {0, failures, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct reading reading = {
            .request = &labeled, .allocator = &allocator, .labels = labels.bytes, .labels_size = labels.n};
        const dedpul_status status = read_as_text(&reading, images.bytes, images.n, out, sizeof out);
        assert_int_equal(failing.blocks, 0);
        if (status == DEDPUL_OK)
            break;
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_contains(test_error.message, "out of memory reading ");
    }
    assert_true(failures >= 12);
}

/* ---- shapes that are given ---- */

static void test_shape(void **state)
{
    struct table_request request = {
        .label = "label", .weight = "w", .ignore = "id", .most_levels = 4, .image = {1, 3, 1}};
    struct reading reading = {.request = &request};
    char out[400];
    (void)state;
    static const char text[] = "a,w,b,id,c,label\n1,2,3,4,5,1\n6,7,8,9,10,0\n";
    assert_ok(read_as_text(&reading, text, strlen(text), out, sizeof out), &test_error);
    assert_string_equal(out, "a=1,6|b=3,8|c=5,10|label=10|weight=2,7");
    assert_image(reading.image, 1, 3, 1);
    request.image.channels = 2;
    assert_refuses(text, &request,
                   "file has 3 columns beside those of labels, of weights and to leave out, but "
                   "images of 1x3x2 have 6 pixels (--shape)");
    request = (struct table_request){.most_levels = 4, .image = {1, 2, 1}};
    assert_refuses("a,b\n1,2\n3,x\n", &request, "line 3, column 'b': 'x' is not a number, as the pixels");
    assert_refuses("a,b\n1,2\n,4\n", &request,
                   "line 3, column 'a': '' is missing, but an image must have all");
    /* A shape in the file can be read as another. */
    const struct file file = make_idx(U8, 3, (uint32_t[]){1, 2, 1}, 2);
    check_reads(&file, "1=1|2=2", &reading);
    assert_image(reading.image, 1, 2, 1);
}

/* Of a sparse file, pixels that are 0 in all rows are there too. */
static void test_sparse_shape(void **state)
{
    struct table_request request = {.label = "label", .most_levels = 4, .image = {2, 2, 1}};
    struct reading reading = {.request = &request};
    static const char text[] = "1 3:5\n0 1:7\n";
    char out[400];
    (void)state;
    assert_ok(read_as_text(&reading, text, strlen(text), out, sizeof out), &test_error);
    assert_string_equal(out, "1=0,7|2=0,0|3=5,0|4=0,0|label=10");
    assert_image(reading.image, 2, 2, 1);
    assert_refuses("1 3:5\n0 5:7\n", &request, "has 5 columns");
}

/* ---- the public interface ---- */

static void write_gzip(const char *path, const struct file *file)
{
    gzFile gzip = gzopen(path, "wb");
    assert_int_equal(gzwrite(gzip, file->bytes, (unsigned)file->n), file->n);
    assert_int_equal(gzclose(gzip), Z_OK);
}

static void test_table_read(void **state)
{
    const struct file images = make_idx(U8, 4, (uint32_t[]){2, 1, 2, 2}, 8);
    const struct file labels = make_idx(U8, 1, (uint32_t[]){2}, 2);
    const struct file cifar = make_cifar(2);
    char images_path[200], labels_path[200];
    dedpul_columns columns;
    dedpul_table *table;
    (void)state;
    (void)strcpy(images_path, test_path("images.gz"));
    (void)strcpy(labels_path, test_path("labels.gz"));
    write_gzip(images_path, &images);
    write_gzip(labels_path, &labels);
    dedpul_columns_init(&columns);
    assert_null(columns.labels);
    assert_null(columns.shape);
    columns.labels = labels_path;
    columns.positive = "2";
    assert_ok(dedpul_table_read(images_path, &columns, NULL, &table, &test_error), &test_error);
    assert_memory_equal(dedpul_table_labels(table), "\0\1", 2);
    assert_image(table->rows->image, 1, 2, 2);
    assert_int_equal(table->n_numbered, 4);
    dedpul_table_free(table);

    columns.shape = "2x2";
    assert_ok(dedpul_table_read(images_path, &columns, NULL, &table, &test_error), &test_error);
    assert_image(table->rows->image, 2, 2, 1);
    dedpul_table_free(table);
    columns.shape = "2 by 2";
    assert_int_equal(dedpul_table_read(images_path, &columns, NULL, &table, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "shape: '2 by 2' is not a shape of images");
    columns.shape = NULL;
    columns.labels = "-";
    assert_int_equal(dedpul_table_read("-", &columns, NULL, &table, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "cannot both come from standard input");
    columns.labels = "nofile";
    assert_int_equal(dedpul_table_read(images_path, &columns, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cannot read nofile");

    write_gzip(images_path, &cifar);
    columns.labels = NULL;
    columns.positive = "9";
    assert_ok(dedpul_table_read(images_path, &columns, NULL, &table, &test_error), &test_error);
    assert_memory_equal(dedpul_table_labels(table), "\1\0", 2);
    assert_null(dedpul_table_ids(table));
    assert_image(table->rows->image, 32, 32, 3);
    dedpul_table_free(table);
}

static void test_set_shape(void **state)
{
    float x[2][6] = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
    static const unsigned char label[2] = {1, 0};
    const dedpul_matrix matrix = {.n = 2, .width = 6, .f32 = &x[0][0]};
    dedpul_table *table;
    (void)state;
    assert_ok(dedpul_table_from_matrix(&matrix, label, NULL, NULL, &table, &test_error), &test_error);
    assert_image(table->rows->image, 0, 0, 0);
    assert_int_equal(dedpul_table_set_shape(table, 2, 2, 1, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "6 columns, which are not images of 2 x 2 pixels with 1 values");
    assert_int_equal(dedpul_table_set_shape(table, 0, 6, 1, &test_error), DEDPUL_INVALID_DATA);
    assert_image(table->rows->image, 0, 0, 0);
    assert_ok(dedpul_table_set_shape(table, 1, 2, 3, &test_error), &test_error);
    assert_image(table->rows->image, 1, 2, 3);
    assert_near(table->rows->column[5].number[1], 12, 0);
    dedpul_table_free(table);
    x[1][3] = NAN;
    assert_ok(dedpul_table_from_matrix(&matrix, label, NULL, NULL, &table, &test_error), &test_error);
    assert_int_equal(dedpul_table_set_shape(table, 1, 2, 3, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "row 2, column '4' is missing");
    dedpul_table_free(table);
    write_text(test_path("t.csv"), "label,a,b,c\n1,1,2,x\n0,3,4,y\n");
    assert_ok(dedpul_table_read(test_path("t.csv"), NULL, NULL, &table, &test_error), &test_error);
    assert_int_equal(dedpul_table_set_shape(table, 1, 3, 1, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "column 'c' holds text");
    dedpul_table_free(table);
    write_text(test_path("t.csv"), "label,a,b,c\n1,1,2,3\n0,3,4,5\n");
    assert_ok(dedpul_table_read(test_path("t.csv"), NULL, NULL, &table, &test_error), &test_error);
    assert_ok(dedpul_table_set_shape(table, 3, 1, 1, &test_error), &test_error);
    assert_image(table->rows->image, 3, 1, 1);
    dedpul_table_free(table);
    assert_int_equal(dedpul_table_set_shape(NULL, 3, 1, 1, &test_error), DEDPUL_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_text),     cmocka_unit_test(test_idx),
        cmocka_unit_test(test_idx_refused),    cmocka_unit_test(test_cifar),
        cmocka_unit_test(test_cifar_refused),  cmocka_unit_test(test_cifar_detection),
        cmocka_unit_test(test_schema),         cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_refused), cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_shape),          cmocka_unit_test(test_sparse_shape),
        cmocka_unit_test(test_table_read),     cmocka_unit_test(test_set_shape),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
