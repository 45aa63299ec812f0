/* CSV files of results and scores. */
#include "c_locale.h"
#include "csv_text.h"
#include "number.h"
#include "output_file.h"

#include "dedpul_scores.h"

#include <stdbool.h>
#include <string.h>

static void write_score(FILE *stream, double score)
{
    char text[NUMBER_SIZE];
    (void)fputs(format_double(text, score), stream);
}

/* What is written to the files. */
struct content {
    const dedpul_result *result;
    const dedpul_sample *rows;
    const unsigned char *label; /* may be NULL */
    const dedpul_ids *ids;      /* of the rows; may be NULL */
};

/* Writes the identifier of a row, which begins its line, if there are any. */
static void write_id(FILE *stream, const dedpul_ids *ids, size_t row)
{
    if (ids != NULL)
        write_csv_text(stream, ids->bytes + ids->offset[row], ids->offset[row + 1] - ids->offset[row]);
}

static void write_posteriors(FILE *stream, const struct content *content)
{
    const dedpul_result *result = content->result;
    const bool bands = result->posterior_low != NULL;
    if (content->ids != NULL)
        write_id_name(stream, content->ids->name);
    (void)fprintf(stream, "row,score,ratio,posterior%s", bands ? ",low,high" : "");
    for (size_t j = 0; j < result->n_kinds; j++)
        write_kind_name(stream, result->kinds[j]->name);
    (void)fputc('\n', stream);
    for (size_t i = 0, k = 0; i < content->rows->n; i++) {
        if (content->label != NULL && content->label[i] != 0)
            continue;
        write_id(stream, content->ids, i);
        (void)fprintf(stream, "%zu,", i + 1);
        write_score(stream, content->rows->score[i]);
        (void)fprintf(stream, ",%.12g,%.12g", result->ratio[k], result->posterior[k]);
        if (bands)
            (void)fprintf(stream, ",%.6g,%.6g", result->posterior_low[k], result->posterior_high[k]);
        for (size_t j = 0; j < result->n_kinds; j++)
            (void)fprintf(stream, ",%.12g", result->kinds[j]->posterior[k]);
        (void)fputc('\n', stream);
        k++;
    }
}

static void write_curve(FILE *stream, const struct content *content)
{
    (void)fputs("alpha,d\n", stream);
    for (size_t j = 0; j < content->result->n_curve; j++)
        (void)fprintf(stream, "%.3f,%.12g\n", content->result->curve_alpha[j], content->result->curve_d[j]);
}

static void write_rows(FILE *stream, const struct content *content)
{
    const double *weight = content->rows->weight;
    if (content->ids != NULL)
        write_id_name(stream, content->ids->name);
    (void)fprintf(stream, "row,label,score%s\n", weight != NULL ? ",weight" : "");
    for (size_t i = 0; i < content->rows->n; i++) {
        write_id(stream, content->ids, i);
        (void)fprintf(stream, "%zu,%d,", i + 1, content->label[i]);
        write_score(stream, content->rows->score[i]);
        if (weight != NULL) {
            (void)fputc(',', stream);
            write_score(stream, weight[i]);
        }
        (void)fputc('\n', stream);
    }
}

/* The kind of each labeled row; empty if there are no kinds. */
static void write_row_kinds(FILE *stream, const struct content *content)
{
    const dedpul_result *result = content->result;
    if (content->ids != NULL)
        write_id_name(stream, content->ids->name);
    (void)fputs("row,kind\n", stream);
    for (size_t i = 0; i < content->rows->n; i++) {
        if (content->label[i] == 0)
            continue;
        write_id(stream, content->ids, i);
        (void)fprintf(stream, "%zu,", i + 1);
        const char *name = result->n_kinds > 0 && result->row_kinds[i] < result->n_kinds
                               ? result->kinds[result->row_kinds[i]]->name
                               : "";
        write_csv_cell(stream, name, strlen(name));
        (void)fputc('\n', stream);
    }
}

struct writing {
    const char *path; /* NULL: not wanted */
    void (*write)(FILE *stream, const struct content *content);
};

enum { MOST_FILES = 2 };

/* Writes all files before any of them appears. */
static dedpul_status write_files(const struct content *content, size_t n, const struct writing *writing,
                                 struct output_file file[MOST_FILES], dedpul_error *error)
{
    for (size_t i = 0; i < n; i++)
        if (writing[i].path != NULL)
            TRY(output_file_open(&file[i], writing[i].path, error));
    for (size_t i = 0; i < n; i++)
        if (writing[i].path != NULL)
            writing[i].write(file[i].stream, content);
    for (size_t i = 0; i < n; i++)
        if (writing[i].path != NULL)
            TRY(output_file_close(&file[i], error));
    for (size_t i = 0; i < n; i++)
        if (writing[i].path != NULL)
            TRY(output_file_commit(&file[i], error));
    return DEDPUL_OK;
}

static dedpul_status write_all(const struct content *content, size_t n, const struct writing *writing,
                               dedpul_error *error)
{
    struct output_file file[MOST_FILES] = {OUTPUT_FILE_NONE, OUTPUT_FILE_NONE};
    const struct c_locale locale = c_locale_begin();
    const dedpul_status status = write_files(content, n, writing, file, error);
    c_locale_end(&locale);
    for (size_t i = 0; i < n; i++)
        output_file_discard(&file[i]);
    return status;
}

dedpul_status dedpul_result_write(const dedpul_result *result, const dedpul_sample *rows,
                                  const unsigned char *label, const dedpul_ids *ids, const char *posteriors,
                                  const char *curve, dedpul_error *error)
{
    const struct writing writing[] = {{posteriors, write_posteriors}, {curve, write_curve}};
    const struct content content = {result, rows, label, ids};
    size_t unlabeled = 0;
    if (result == NULL || rows == NULL || (rows->n > 0 && rows->score == NULL))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result, rows and their scores must not be NULL");
    for (size_t i = 0; i < rows->n; i++)
        unlabeled += label == NULL || label[i] == 0;
    if (unlabeled != result->n_unlabeled)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "there are %zu unlabeled rows, but the result is about %zu", unlabeled,
                         result->n_unlabeled);
    return write_all(&content, 2, writing, error);
}

dedpul_status dedpul_scores_write(const char *path, const dedpul_sample *rows, const unsigned char *label,
                                  const dedpul_ids *ids, dedpul_error *error)
{
    const struct writing writing = {path, write_rows};
    const struct content content = {NULL, rows, label, ids};
    if (path == NULL || rows == NULL || (rows->n > 0 && label == NULL))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "path, rows and label must not be NULL");
    return write_all(&content, 1, &writing, error);
}

dedpul_status dedpul_row_kinds_write(const char *path, const dedpul_result *result, size_t n,
                                     const unsigned char *label, const dedpul_ids *ids, dedpul_error *error)
{
    const struct writing writing = {path, write_row_kinds};
    const dedpul_sample rows = {n, NULL, NULL};
    const struct content content = {result, &rows, label, ids};
    if (path == NULL || result == NULL || (n > 0 && label == NULL))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "path, result and label must not be NULL");
    return write_all(&content, 1, &writing, error);
}
