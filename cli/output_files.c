#include "output_files.h"

#include "interrupt.h"
#include "message.h"
#include "report_file.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void add_input(struct files *files, const char *path)
{
    if (path == NULL)
        return;
    assert(files->n_inputs < MOST_INPUTS);
    files->input[files->n_inputs++] = path;
}

void add_output(struct files *files, const char *option, const char *path)
{
    if (path == NULL)
        return;
    assert(files->n_outputs < MOST_OUTPUTS);
    files->output[files->n_outputs++] = (struct output){option, path};
}

/* The name of a file, which may not exist yet, from the root. */
static bool full_name(const char *path, char full[PATH_MAX])
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    (void)snprintf(directory, sizeof directory, "%.*s.", length, path);
    if (realpath(directory, full) == NULL || strlen(full) + strlen(name) + 2 > PATH_MAX)
        return false;
    (void)strcat(strcat(full, "/"), name);
    return true;
}

static bool is_same_regular_file(const struct stat *a, const struct stat *b)
{
    return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    char full_a[PATH_MAX], full_b[PATH_MAX];
    if (strcmp(a, b) == 0)
        return true;
    if (full_name(a, full_a) && full_name(b, full_b) && strcmp(full_a, full_b) == 0)
        return true;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 && is_same_regular_file(&status_a, &status_b);
}

/* Whether standard input comes from that file. */
static bool is_standard_input(const char *path)
{
    struct stat status_input, status;
    return fstat(STDIN_FILENO, &status_input) == 0 && stat(path, &status) == 0 &&
           is_same_regular_file(&status_input, &status);
}

static bool is_apart_from_inputs(const struct files *files, const struct output *output)
{
    for (size_t k = 0; k < files->n_inputs; k++) {
        const char *input = files->input[k];
        const bool is_same =
            strcmp(input, "-") == 0 ? is_standard_input(output->path) : is_same_file(output->path, input);
        if (is_same) {
            complain("%s is the input; name another file for --%s", output->path, output->option);
            return false;
        }
    }
    return true;
}

bool outputs_are_apart(const struct files *files)
{
    for (size_t i = 0; i < files->n_outputs; i++) {
        const struct output *output = &files->output[i];
        if (output->path[0] == '\0' || strcmp(output->path, "-") == 0) {
            complain("--%s needs the name of a file", output->option);
            return false;
        }
        if (!is_apart_from_inputs(files, output))
            return false;
        for (size_t k = 0; k < i; k++)
            if (is_same_file(output->path, files->output[k].path)) {
                complain("--%s and --%s name the same file, %s", files->output[k].option, output->option,
                         output->path);
                return false;
            }
    }
    return true;
}

/* 0, or why a file cannot be put there. It comes into being beside its place, so the directory counts. */
static int find_obstacle(const char *path)
{
    struct stat status;
    char directory[PATH_MAX + 1];
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    (void)snprintf(directory, sizeof directory, "%.*s.", slash != NULL ? (int)(slash - path) + 1 : 0, path);
    return access(directory, W_OK | X_OK) != 0 ? errno : 0;
}

bool outputs_can_be_written(const struct files *files)
{
    for (size_t i = 0; i < files->n_outputs; i++) {
        const int obstacle = find_obstacle(files->output[i].path);
        if (obstacle != 0) {
            complain("cannot write %s: %s", files->output[i].path, strerror(obstacle));
            return false;
        }
    }
    return true;
}

dedpul_status write_whole(const char *path, void (*print)(FILE *stream, const void *what), const void *what,
                          dedpul_error *error)
{
    interrupt_hold();
    const dedpul_status status = report_file_write(path, print, what, error);
    interrupt_release();
    return status;
}
