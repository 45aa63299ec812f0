#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dedpul_status cannot_write(dedpul_error *error, const struct output_file *file, int reason)
{
    return error_set(error, DEDPUL_IO, "cannot write %s: %s", file->name, strerror(reason));
}

/* ---- the stream ---- */

/*
 * stdio calls this to write. stdio itself remembers only that some write failed, not why: if the disk became
 * full in the middle of a large file, we could only report an unknown error.
 */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t size)
{
    struct output_file *file = cookie;
    size_t written = 0;
    while (written < size && file->reason == 0) {
        const ssize_t n = write(file->descriptor, bytes + written, size - written);
        if (n >= 0)
            written += (size_t)n;
        else
            file->reason = errno; /* EINTR, too: a program that waits for a reader can be ended by a signal */
    }
    return file->reason == 0 ? (ssize_t)size : 0;
}

static int close_descriptor(void *cookie)
{
    const struct output_file *file = cookie;
    return close(file->descriptor);
}

/* Opens the stream. Closes the descriptor if that fails. */
static dedpul_status open_stream(struct output_file *file, dedpul_error *error)
{
    const cookie_io_functions_t functions = {.write = write_bytes, .close = close_descriptor};
    file->stream = fopencookie(file, "w", functions);
    if (file->stream != NULL)
        return DEDPUL_OK;
    const int reason = errno;
    (void)close(file->descriptor);
    return cannot_write(error, file, reason);
}

/* ---- the target ---- */

/* Returns the length of the path's directory with its slash; 0 if the path has none. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces a path that is a link to nothing by the link's target, whose directory must exist. */
static dedpul_status follow_link(struct output_file *file, const char *target, size_t length,
                                 dedpul_error *error)
{
    char text[NAME_TEXT_SIZE];
    const size_t before = target[0] == '/' ? 0 : directory_length(file->path);
    if (before + length >= sizeof file->path)
        return cannot_write(error, file, ENAMETOOLONG);
    memcpy(file->path + before, target, length);
    file->path[before + length] = '\0';
    const size_t directory = directory_length(file->path);
    const char first = file->path[directory];
    file->path[directory] = '\0';
    const int exists = access(directory > 0 ? file->path : ".", F_OK) == 0;
    file->path[directory] = first;
    if (exists)
        return DEDPUL_OK;
    return error_set(error, DEDPUL_IO,
                     "cannot write %s: it is a symbolic link to %s, whose directory does not exist; create "
                     "that directory, or remove the link",
                     file->name, escape_text(text, sizeof text, target, length));
}

/* Finds the path with links resolved. The file need not exist yet. */
static dedpul_status find_path(struct output_file *file, const char *path, dedpul_error *error)
{
    if (strlen(path) >= sizeof file->path)
        return cannot_write(error, file, ENAMETOOLONG);
    memcpy(file->path, path, strlen(path) + 1);
    for (;;) {
        char found[PATH_MAX];
        if (realpath(file->path, found) != NULL) {
            memcpy(file->path, found, strlen(found) + 1);
            return DEDPUL_OK;
        }
        if (errno != ENOENT)
            return cannot_write(error, file, errno);
        const ssize_t length = readlink(file->path, found, sizeof found);
        if (length < 0) /* not a link: a new file */
            return DEDPUL_OK;
        TRY(follow_link(file, found, (size_t)length, error));
    }
}

/* Creates a new file beside the target, with O_EXCL, so that it never opens one that exists already. */
static int open_temporary(struct output_file *file)
{
    const int directory = (int)directory_length(file->path);
    int descriptor = -1;
    for (int attempt = 0; attempt < 100; attempt++) {
        (void)snprintf(file->temporary, sizeof file->temporary, "%.*s.dedpul-%ld-%d.tmp", directory,
                       file->path, (long)getpid(), attempt);
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (descriptor < 0)
        file->temporary[0] = '\0';
    return descriptor;
}

/* ---- open, write, close, commit ---- */

dedpul_status output_file_open(struct output_file *file, const char *path, dedpul_error *error)
{
    struct stat status;
    *file = (struct output_file)OUTPUT_FILE_NONE;
    (void)escape_text(file->name, sizeof file->name, path, strlen(path));
    TRY(find_path(file, path, error));
    const int exists = stat(file->path, &status) == 0;
    if (exists && access(file->path, W_OK) != 0) /* do not replace a read-only file */
        return cannot_write(error, file, errno);
    if (exists && !S_ISREG(status.st_mode)) {
        file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    } else {
        file->descriptor = open_temporary(file);
        if (file->descriptor >= 0 && exists)
            (void)fchmod(file->descriptor, status.st_mode & 07777);
    }
    if (file->descriptor < 0)
        return cannot_write(error, file, errno);
    return open_stream(file, error);
}

dedpul_status output_file_open_standard(struct output_file *file, dedpul_error *error)
{
    *file = (struct output_file){.name = "standard output", .descriptor = -1};
    if (fflush(stdout) != 0)
        return cannot_write(error, file, errno);
    file->descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file->descriptor < 0)
        return cannot_write(error, file, errno);
    return open_stream(file, error);
}

dedpul_status output_file_check(struct output_file *file, dedpul_error *error)
{
    if (fflush(file->stream) != 0 && file->reason == 0)
        file->reason = errno;
    return file->reason == 0 ? DEDPUL_OK : cannot_write(error, file, file->reason);
}

dedpul_status output_file_close(struct output_file *file, dedpul_error *error)
{
    dedpul_status status = output_file_check(file, error);
    if (status == DEDPUL_OK && file->temporary[0] != '\0' && fsync(file->descriptor) != 0)
        status = cannot_write(error, file, errno);
    if (fclose(file->stream) != 0 && status == DEDPUL_OK)
        status = cannot_write(error, file, errno);
    file->stream = NULL;
    return status;
}

dedpul_status output_file_commit(struct output_file *file, dedpul_error *error)
{
    if (file->temporary[0] != '\0' && rename(file->temporary, file->path) != 0)
        return cannot_write(error, file, errno);
    file->temporary[0] = '\0';
    return DEDPUL_OK;
}

void output_file_discard(struct output_file *file)
{
    if (file->stream != NULL)
        (void)fclose(file->stream);
    if (file->temporary[0] != '\0')
        (void)unlink(file->temporary);
    *file = (struct output_file)OUTPUT_FILE_NONE;
}
