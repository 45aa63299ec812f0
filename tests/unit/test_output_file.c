/* Files that are written: whole or not at all. */
#include "csv_text.h"
#include "output_file.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- output files ---- */

static char directory[] = "/tmp/dedpul-test-XXXXXX";
static char path[256];

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(directory); /* fails where a temporary file was left behind */
}

static void write_text(const char *target, const char *text)
{
    struct output_file file;
    assert_ok(output_file_open(&file, target, &test_error), &test_error);
    (void)fputs(text, file.stream);
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_ok(output_file_commit(&file, &test_error), &test_error);
    output_file_discard(&file); /* nothing is left to do */
}

static void assert_content(const char *target, const char *text)
{
    char buffer[100] = "";
    FILE *file = fopen(target, "r");
    assert_non_null(file);
    (void)fgets(buffer, sizeof buffer, file);
    (void)fclose(file);
    assert_string_equal(buffer, text);
}

static void test_output_file(void **state)
{
    char link_path[300];
    struct output_file file;
    struct stat status;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)snprintf(link_path, sizeof link_path, "%s/link", directory);
    write_text(path, "one");
    assert_content(path, "one");
    assert_int_equal(symlink(path, link_path), 0);
    write_text(link_path, "two"); /* through the link, which stays one */
    assert_content(path, "two");
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(chmod(path, 0600), 0);
    assert_ok(output_file_open(&file, path, &test_error), &test_error);
    assert_content(path, "two"); /* until the commit */
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_content(path, "two");
    output_file_discard(&file);
    assert_content(path, "two");
    write_text(path, "three");
    assert_content(path, "three");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600); /* as it was */
    write_text("/dev/null", "into the void");
}

static void test_output_file_fails(void **state)
{
    struct output_file file;
    char long_path[PATH_MAX + 10];
    (void)state;
    assert_int_equal(output_file_open(&file, "/nonexistent/x", &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cannot write /nonexistent/x: No such file");
    assert_int_equal(output_file_open(&file, directory, &test_error), DEDPUL_IO);
    memset(long_path, 'x', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(output_file_open(&file, long_path, &test_error), DEDPUL_IO);
    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    (void)fputs("text", file.stream);
    assert_int_equal(output_file_close(&file, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/dev/full");
    output_file_discard(&file);
    assert_ok(output_file_open(&file, path, &test_error), &test_error); /* its place is taken away */
    (void)unlink(file.temporary);
    assert_ok(output_file_close(&file, &test_error), &test_error);
    assert_int_equal(output_file_commit(&file, &test_error), DEDPUL_IO);
    output_file_discard(&file);
}

/* More than stdio's buffer, so that a write fails long before the close. */
static void write_much(FILE *stream)
{
    for (int i = 0; i < 20000; i++)
        (void)fprintf(stream, "line %d\n", i);
}

static void test_full_disk(void **state)
{
    struct output_file file;
    (void)state;
    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    write_much(file.stream);
    errno = EINVAL; /* what is told is the reason of the write, not the latest one */
    assert_int_equal(output_file_close(&file, &test_error), DEDPUL_IO);
    assert_string_equal(test_error.message, "cannot write /dev/full: No space left on device");
    output_file_discard(&file);

    assert_ok(output_file_open(&file, "/dev/full", &test_error), &test_error);
    assert_ok(output_file_check(&file, &test_error), &test_error); /* nothing was written yet */
    (void)fputs("text", file.stream);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(output_file_check(&file, &test_error), DEDPUL_IO);
        assert_contains(test_error.message, "No space left on device");
    }
    output_file_discard(&file);
}

static void test_file_too_large(void **state)
{
    struct rlimit before;
    struct output_file file;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)unlink(path);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {10000, before.rlim_max};
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_ok(output_file_open(&file, path, &test_error), &test_error);
    (void)fputs("few", file.stream);
    const dedpul_status few = output_file_check(&file, &test_error);
    write_much(file.stream);
    const dedpul_status much = output_file_check(&file, &test_error);
    const dedpul_status closed = output_file_close(&file, &test_error);
    output_file_discard(&file);
    (void)setrlimit(RLIMIT_FSIZE, &before); /* before any assertion, whose report is a file, too */
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(few, DEDPUL_OK);
    assert_int_equal(much, DEDPUL_IO);
    assert_int_equal(closed, DEDPUL_IO);
    assert_contains(test_error.message, path);
    assert_contains(test_error.message, "File too large");
    assert_int_equal(access(path, F_OK), -1);
}

/* Writes to standard output, which is this descriptor meanwhile. */
static dedpul_status write_standard(int descriptor, const char *before)
{
    struct output_file file;
    (void)fflush(stdout);
    const int standard = dup(STDOUT_FILENO);
    (void)dup2(descriptor, STDOUT_FILENO);
    (void)close(descriptor);
    (void)fputs(before, stdout);
    dedpul_status status = output_file_open_standard(&file, &test_error);
    if (status == DEDPUL_OK) {
        (void)fputs("in,", file.stream);
        status = output_file_check(&file, &test_error);
    }
    if (status == DEDPUL_OK)
        status = output_file_close(&file, &test_error);
    if (status == DEDPUL_OK)
        status = output_file_commit(&file, &test_error);
    output_file_discard(&file);
    (void)fputs("after", stdout);
    (void)fflush(stdout);
    clearerr(stdout);
    (void)dup2(standard, STDOUT_FILENO);
    (void)close(standard);
    return status;
}

static void test_standard_output(void **state)
{
    static const char *const before[] = {"", "before,"};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    assert_ok(write_standard(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), "before,"), &test_error);
    assert_content(path, "before,in,after");
    void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < LENGTH(before); i++) {
        int ends[2];
        assert_int_equal(write_standard(open("/dev/full", O_WRONLY), before[i]), DEDPUL_IO);
        assert_contains(test_error.message, "standard output: No space left on device");
        assert_int_equal(pipe(ends), 0);
        (void)close(ends[0]);
        assert_int_equal(write_standard(ends[1], before[i]), DEDPUL_IO);
        assert_contains(test_error.message, "standard output: Broken pipe");
    }
    (void)signal(SIGPIPE, handler);
}

/* A link to a file that does not exist yet: that file is created, and the link stays. */
static void test_dangling_link(void **state)
{
    char first[300], second[300];
    struct output_file file;
    struct stat status;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out", directory);
    (void)snprintf(first, sizeof first, "%s/first", directory);
    (void)snprintf(second, sizeof second, "%s/second", directory);
    assert_int_equal(symlink("second", first), 0);
    for (int is_relative = 0; is_relative < 2; is_relative++) {
        (void)unlink(path);
        assert_int_equal(symlink(is_relative ? "out" : path, second), 0);
        assert_ok(output_file_open(&file, first, &test_error), &test_error);
        output_file_discard(&file);
        assert_int_equal(access(path, F_OK), -1); /* not before the commit */
        write_text(first, "through");
        assert_content(path, "through");
        assert_int_equal(lstat(path, &status), 0);
        assert_true(S_ISREG(status.st_mode));
        assert_int_equal(lstat(first, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        assert_int_equal(unlink(second), 0);
    }
    assert_int_equal(symlink("nowhere/out", second), 0);
    assert_int_equal(output_file_open(&file, first, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, first);
    assert_contains(test_error.message, "nowhere/out, whose directory does not exist");
    output_file_discard(&file);
    assert_int_equal(unlink(second), 0);
    assert_int_equal(symlink("first", second), 0); /* a circle */
    assert_int_equal(output_file_open(&file, first, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "symbolic links");
    output_file_discard(&file);
    assert_int_equal(lstat(first, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(unlink(first) + unlink(second), 0);
}

/* Names are made fit for a terminal. */
static void test_output_file_names(void **state)
{
    struct output_file file;
    (void)state;
    assert_int_equal(output_file_open(&file, "/nonexistent/\x1b]0;x\x07", &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "cannot write /nonexistent/\\x1b]0;x\\x07: No such file");
}

/* ---- texts in CSV files ---- */

static void assert_csv(const char *text, const char *expected)
{
    char *written;
    size_t size;
    FILE *stream = open_memstream(&written, &size);
    write_csv_text(stream, text, strlen(text));
    (void)fputc('|', stream);
    write_id_name(stream, text);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void test_csv_text(void **state)
{
    (void)state;
    assert_csv("", ",|,");
    assert_csv("patient 7", "patient 7,|patient 7,");
    assert_csv("a,b", "\"a,b\",|\"a,b\",");
    assert_csv("a;b", "\"a;b\",|\"a;b\",");
    assert_csv("a\tb", "\"a\tb\",|\"a\tb\",");
    assert_csv("a\nb", "\"a\nb\",|\"a\nb\",");
    assert_csv("a\r", "\"a\r\",|\"a\r\",");
    assert_csv("say \"hi\"", "\"say \"\"hi\"\"\",|\"say \"\"hi\"\"\",");
    assert_csv(" a", "\" a\",|\" a\",");
    assert_csv("a ", "\"a \",|\"a \",");
    assert_csv("score", "score,|id,"); /* one of ours */
    assert_csv("Score", "Score,|Score,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_file),       cmocka_unit_test(test_output_file_fails),
        cmocka_unit_test(test_full_disk),         cmocka_unit_test(test_file_too_large),
        cmocka_unit_test(test_standard_output),   cmocka_unit_test(test_dangling_link),
        cmocka_unit_test(test_output_file_names), cmocka_unit_test(test_csv_text),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
