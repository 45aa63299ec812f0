/* Progress of reading files: in bytes of the file as it is stored, and it can be stopped. */
#include "fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

struct watch {
    size_t calls, stop_at, step, steps;
};

static int note(void *context, const dedpul_progress *progress)
{
    struct watch *watch = context;
    assert_string_equal(progress->stage, "read");
    assert_int_equal(progress->unit, DEDPUL_UNIT_BYTES);
    assert_true(isnan(progress->loss));
    assert_true(progress->left == 0);
    assert_true(progress->step >= watch->step);
    assert_true(watch->calls == 0 || progress->steps == watch->steps);
    watch->step = progress->step;
    watch->steps = progress->steps;
    return ++watch->calls == watch->stop_at;
}

/* Writes some megabytes of rows, plain and gzipped, and returns the sizes of both files. */
static void write_rows(const char *plain, const char *packed, size_t size[2])
{
    enum { ROWS = 100000 };
    gzFile gzip = gzopen(packed, "wb");
    FILE *file = fopen(plain, "w");
    char row[64] = "label,score\n";
    for (int i = 0; i <= ROWS; i++) {
        (void)fputs(row, file);
        assert_true(gzputs(gzip, row) > 0);
        (void)snprintf(row, sizeof row, "%d,0.%05d%05d\n", i % 3 == 0, (i * 7919) % 99991, i % 99989);
    }
    (void)gzclose(gzip);
    (void)fclose(file);
    free(read_bytes(plain, &size[0]));
    free(read_bytes(packed, &size[1]));
}

/* Reads a file as a table, or as scores. */
static dedpul_status read_file(const char *path, bool is_table, struct watch *watch)
{
    dedpul_columns columns;
    dedpul_table *table = NULL;
    dedpul_score_table *scores = NULL;
    dedpul_columns_init(&columns);
    columns.progress = note;
    columns.progress_context = watch;
    const dedpul_status status = is_table
                                     ? dedpul_table_read(path, &columns, NULL, &table, &test_error)
                                     : dedpul_score_table_read(path, &columns, NULL, &scores, &test_error);
    dedpul_table_free(table);
    dedpul_score_table_free(scores);
    return status;
}

static void test_files(void **state)
{
    const char *const path[2] = {test_path("rows.csv"), test_path("rows.csv.gz")};
    size_t size[2];
    (void)state;
    write_rows(path[0], path[1], size);
    for (int is_packed = 0; is_packed < 2; is_packed++)
        for (int is_table = 0; is_table < 2; is_table++) {
            struct watch watch = {.stop_at = 0};
            assert_int_equal(read_file(path[is_packed], is_table, &watch), DEDPUL_OK);
            assert_true(watch.calls >= 5);
            assert_int_equal(watch.steps, size[is_packed]);
            assert_int_equal(watch.step, size[is_packed]);
            struct watch stopped = {.stop_at = 3};
            assert_int_equal(read_file(path[is_packed], is_table, &stopped), DEDPUL_CANCELLED);
            assert_int_equal(stopped.calls, 3);
            assert_int_equal(test_error.status, DEDPUL_CANCELLED);
        }
}

/* How long a pipe is, is not known. */
static void test_pipe(void **state)
{
    static const char text[] = "label,score\n1,0.5\n0,0.25\n1,0.75\n0,0.125\n";
    struct watch watch = {.stop_at = 0};
    int ends[2];
    const int input = dup(STDIN_FILENO);
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    (void)close(ends[1]);
    assert_true(dup2(ends[0], STDIN_FILENO) >= 0);
    assert_int_equal(read_file("-", false, &watch), DEDPUL_OK);
    assert_true(watch.calls > 0 && watch.steps == 0);
    assert_int_equal(watch.step, strlen(text));
    (void)dup2(input, STDIN_FILENO);
    (void)close(input);
    (void)close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
