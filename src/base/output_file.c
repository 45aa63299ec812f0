#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dedpul_status cannot_write(dedpul_error *error, const char *path, int reason)
{
    return error_set(error, DEDPUL_IO, "cannot write %s: %s", path, strerror(reason));
}

/* A new file beside the target: O_EXCL, so never one that is there already. */
static int open_temporary(struct output_file *file)
{
    const char *slash = strrchr(file->path, '/');
    const int directory = slash != NULL ? (int)(slash - file->path) + 1 : 0; /* length of its name */
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

dedpul_status output_file_open(struct output_file *file, const char *path, dedpul_error *error)
{
    struct stat status;
    int descriptor;
    *file = (struct output_file)OUTPUT_FILE_NONE;
    if (realpath(path, file->path) == NULL) {
        if (strlen(path) >= sizeof file->path)
            return cannot_write(error, path, ENAMETOOLONG);
        memcpy(file->path, path, strlen(path) + 1); /* it does not exist yet */
    }
    const int exists = stat(file->path, &status) == 0;
    if (exists && access(file->path, W_OK) != 0) /* what may not be written is not replaced either */
        return cannot_write(error, path, errno);
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    } else {
        descriptor = open_temporary(file);
        if (descriptor >= 0 && exists)
            (void)fchmod(descriptor, status.st_mode & 07777);
    }
    if (descriptor < 0)
        return cannot_write(error, path, errno);
    file->stream = fdopen(descriptor, "w");
    if (file->stream == NULL) {
        const int reason = errno;
        (void)close(descriptor);
        return cannot_write(error, path, reason);
    }
    return DEDPUL_OK;
}

dedpul_status output_file_close(struct output_file *file, dedpul_error *error)
{
    int reason = 0;
    errno = EIO; /* where an earlier write failed, stdio does not keep its reason */
    if (ferror(file->stream) || fflush(file->stream) != 0)
        reason = errno;
    if (reason == 0 && file->temporary[0] != '\0' && fsync(fileno(file->stream)) != 0)
        reason = errno;
    if (fclose(file->stream) != 0 && reason == 0)
        reason = errno;
    file->stream = NULL;
    return reason == 0 ? DEDPUL_OK : cannot_write(error, file->path, reason);
}

dedpul_status output_file_commit(struct output_file *file, dedpul_error *error)
{
    if (file->temporary[0] != '\0' && rename(file->temporary, file->path) != 0)
        return cannot_write(error, file->path, errno);
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
