/* Gzipped files, damaged ones, and pipes. */
#define ZLIB_CONST /* next_in points to const */
#include "gzip.h"
#include "labels.h"
#include "reading.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

/* ---- files ---- */

static void test_files(void **state)
{
    static const char text[] = "label,score\n1,0.5\n0,0.25\n";
    char path[] = "/tmp/dedpul-test-XXXXXX";
    dedpul_score_table *table;
    (void)state;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    (void)close(descriptor);
    assert_ok(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), &test_error);
    assert_int_equal(table->rows.n, 2);
    dedpul_score_table_free(table);

    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    (void)gzclose(file);
    assert_ok(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), &test_error);
    assert_near(table->rows.score[1], 0.25, 0);
    dedpul_score_table_free(table);

    assert_int_equal(truncate(path, 30), 0);
    assert_int_equal(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cut off");
    (void)unlink(path);
    assert_int_equal(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "No such file");
    assert_int_equal(dedpul_score_table_read("/tmp", NULL, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "directory");
    assert_int_equal(dedpul_score_table_read(NULL, NULL, NULL, &table, &test_error), DEDPUL_INVALID_ARGUMENT);
    dedpul_score_table_free(NULL);
}

static void test_corrupt_gzip(void **state)
{
    char path[] = "/tmp/dedpul-test-XXXXXX";
    dedpul_score_table *table;
    (void)state;
    const int descriptor = mkstemp(path);
    assert_int_equal(write(descriptor, "\x1f\x8b\x08\0\0\0\0\0\0\x03garbage!garbage!", 26), 26);
    (void)close(descriptor);
    assert_int_equal(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, path);
    (void)unlink(path);
}

/* ---- gzip ---- */

struct bytes_of {
    char data[4000];
    size_t n;
};

static void append_bytes(struct bytes_of *file, const void *bytes, size_t n)
{
    assert_true(file->n + n <= sizeof file->data);
    memcpy(file->data + file->n, bytes, n);
    file->n += n;
}

/* Appends the text as a gzip member. */
static void append_member(struct bytes_of *file, const char *text)
{
    z_stream z = {0};
    unsigned char packed[2000];
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (const unsigned char *)text;
    z.avail_in = (unsigned)strlen(text);
    z.next_out = packed;
    z.avail_out = sizeof packed;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    append_bytes(file, packed, z.total_out);
    (void)deflateEnd(&z);
}

/* The content of the file, whose bytes and content come in pieces of these sizes. */
static dedpul_status unpack(const struct bytes_of *file, size_t packed_piece, size_t piece,
                            struct bytes_of *content)
{
    struct stream stream;
    char buffer[64];
    size_t got = 1;
    content->n = 0;
    stream_open_memory(&stream, "packed", file->data, file->n);
    stream_in_pieces(&stream, packed_piece);
    assert_ok(gzip_attach(&stream, &test_error), &test_error);
    dedpul_status status = DEDPUL_OK;
    while (got > 0 && (status = stream_read(&stream, buffer, piece, &got, &test_error)) == DEDPUL_OK)
        append_bytes(content, buffer, got);
    if (status == DEDPUL_OK) /* the end stays the end */
        status = stream_read(&stream, buffer, piece, &got, &test_error);
    assert_true(status != DEDPUL_OK || got == 0);
    stream_close(&stream);
    return status;
}

static const size_t gzip_pieces[][2] = {{1, 1}, {1, 64}, {2, 3}, {3, 2}, {7, 64}, {4000, 1}, {4000, 64}};

static void assert_unpacks(const struct bytes_of *file, const char *text)
{
    struct bytes_of content;
    for (size_t i = 0; i < LENGTH(gzip_pieces); i++) {
        assert_ok(unpack(file, gzip_pieces[i][0], gzip_pieces[i][1], &content), &test_error);
        assert_int_equal(content.n, strlen(text));
        assert_memory_equal(content.data, text, content.n);
    }
}

static void assert_damaged(const struct bytes_of *file, const char *problem)
{
    struct bytes_of content;
    for (size_t i = 0; i < LENGTH(gzip_pieces); i++) {
        assert_int_equal(unpack(file, gzip_pieces[i][0], gzip_pieces[i][1], &content), DEDPUL_IO);
        assert_contains(test_error.message, "packed");
        assert_contains(test_error.message, problem);
        assert_contains(test_error.message, "fetch");
    }
}

static const char first_part[] = "label,score\n1,0.5\n0,0.25\n", second_part[] = "1,0.75\n0,0.125\n";

static void test_gzip(void **state)
{
    struct bytes_of file = {.n = 0};
    char both[100];
    (void)state;
    (void)snprintf(both, sizeof both, "%s%s", first_part, second_part);
    assert_unpacks(&file, "");
    append_bytes(&file, "\x1f", 1); /* half of the magic */
    assert_unpacks(&file, "\x1f");
    append_bytes(&file, "x", 1);
    assert_unpacks(&file, "\x1fx");
    file.n = 0;
    append_bytes(&file, both, strlen(both));
    assert_unpacks(&file, both);
    file.n = 0;
    append_member(&file, first_part);
    assert_unpacks(&file, first_part);
    append_member(&file, ""); /* of no bytes */
    append_member(&file, second_part);
    assert_unpacks(&file, both);
    append_bytes(&file, (const char[512]){0}, 512); /* as tapes pad their blocks */
    assert_unpacks(&file, both);
    append_member(&file, second_part);
    (void)snprintf(both, sizeof both, "%s%s%s", first_part, second_part, second_part);
    assert_unpacks(&file, both);
}

/* What follows the first member is damaged: rows must not be dropped silently. */
static void test_damaged_gzip(void **state)
{
    struct bytes_of file = {.n = 0};
    (void)state;
    append_member(&file, first_part);
    const size_t first = file.n;
    append_bytes(&file, "1,0.75\n", 7);
    assert_damaged(&file, "other bytes follow");
    file.n = first;
    append_bytes(&file, "\0\0\0x", 4);
    assert_damaged(&file, "other bytes follow");
    file.n = first;
    append_bytes(&file, "\x1f", 1);
    assert_damaged(&file, "other bytes follow");
    file.n = first;
    append_member(&file, second_part);
    const size_t both = file.n;
    for (file.n--; file.n >= first + 2; file.n--)
        assert_damaged(&file, "cut off");
    file.n = both;
    file.data[first] ^= 1;
    assert_damaged(&file, "other bytes follow");
    file.data[first] ^= 1;
    file.data[first + 2] ^= 1;
    assert_damaged(&file, "unknown compression method");
    file.data[first + 2] ^= 1;
    file.data[both - 8] ^= 1; /* in the checksum */
    assert_damaged(&file, "incorrect data check");
    file.data[both - 8] ^= 1;
    file.data[both - 4] ^= 1; /* in the length */
    assert_damaged(&file, "incorrect length check");
}

/* The same from the disk, through the public function. */
static void test_damaged_gzip_file(void **state)
{
    struct bytes_of file = {.n = 0};
    char path[] = "/tmp/dedpul-test-XXXXXX";
    dedpul_score_table *table;
    (void)state;
    append_member(&file, first_part);
    append_member(&file, second_part);
    const int descriptor = mkstemp(path);
    for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
        assert_int_equal(pwrite(descriptor, file.data, file.n, 0), file.n);
        const dedpul_status status = dedpul_score_table_read(path, NULL, NULL, &table, &test_error);
        assert_int_equal(status, is_damaged ? DEDPUL_IO : DEDPUL_OK);
        if (status == DEDPUL_OK) {
            assert_int_equal(table->rows.n, 4);
            dedpul_score_table_free(table);
        }
        file.data[file.n - 8] ^= 1;
    }
    assert_contains(test_error.message, path);
    (void)close(descriptor);
    (void)unlink(path);
}

/* A pipe gives its bytes in pieces of its own. */
static void test_pipe(void **state)
{
    struct bytes_of file = {.n = 0};
    char path[40];
    int ends[2];
    dedpul_score_table *table;
    (void)state;
    append_member(&file, first_part);
    append_member(&file, second_part);
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        assert_int_equal(pipe(ends), 0);
        (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        const char *const bytes = is_plain ? first_part : file.data;
        const size_t n = is_plain ? strlen(first_part) : file.n;
        assert_int_equal(write(ends[1], bytes, n), n);
        (void)close(ends[1]);
        assert_ok(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), &test_error);
        assert_int_equal(table->rows.n, is_plain ? 2 : 4);
        dedpul_score_table_free(table);
        (void)close(ends[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_corrupt_gzip),
        cmocka_unit_test(test_gzip),  cmocka_unit_test(test_damaged_gzip),
        cmocka_unit_test(test_pipe),  cmocka_unit_test(test_damaged_gzip_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
