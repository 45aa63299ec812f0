#include "kept_scores.h"

#include "error.h"
#include "output_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file of doubles for each run, named by all that its scores depend on. */
static void fill_path(const struct run *run, char path[PATH_MAX])
{
    struct outcome row;
    run_describe(run, variant_at(0), &row);
    for (char *at = row.setting; *at != '\0'; at++)
        if (*at == '/')
            *at = '_';
    (void)snprintf(path, PATH_MAX, "%s/%s %s %g %u.logits", run->experiment->scores, row.setting, row.set,
                   row.alpha, row.repeat);
}

dedpul_status kept_scores_read(const struct run *run, size_t n, double *logit, bool *found,
                               dedpul_error *error)
{
    char path[PATH_MAX];
    *found = false;
    if (run->experiment->scores == NULL)
        return DEDPUL_OK;
    fill_path(run, path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return DEDPUL_OK;
    bool is_whole = fread(logit, sizeof *logit, n, file) == n && fgetc(file) == EOF;
    (void)fclose(file);
    for (size_t i = 0; is_whole && i < n; i++)
        is_whole = isfinite(logit[i]);
    if (!is_whole)
        return error_set(error, DEDPUL_INVALID_DATA, "%s does not hold %zu logits: remove it", path, n);
    *found = true;
    return DEDPUL_OK;
}

static dedpul_status write_doubles(struct output_file *file, size_t n, const double *value,
                                   dedpul_error *error)
{
    (void)fwrite(value, sizeof *value, n, file->stream);
    TRY(output_file_close(file, error));
    return output_file_commit(file, error);
}

dedpul_status kept_scores_write(const struct run *run, size_t n, const double *logit, dedpul_error *error)
{
    struct output_file file = OUTPUT_FILE_NONE;
    const char *directory = run->experiment->scores;
    char path[PATH_MAX];
    if (directory == NULL)
        return DEDPUL_OK;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, DEDPUL_IO, "cannot make the directory %s: %s", directory, strerror(errno));
    fill_path(run, path);
    TRY(output_file_open(&file, path, error));
    const dedpul_status status = write_doubles(&file, n, logit, error);
    output_file_discard(&file);
    return status;
}
