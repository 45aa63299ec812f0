#include "result.h"

#include "c_locale.h"
#include "interpolate.h"
#include "output_file.h"
#include "sample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const char *dedpul_rule_name(dedpul_rule rule)
{
    switch (rule) {
    case DEDPUL_RULE_ROOT:
        return "root";
    case DEDPUL_RULE_MAX_SLOPE:
        return "max_slope";
    case DEDPUL_RULE_FORMULA:
        return "formula";
    case DEDPUL_RULE_GIVEN:
        return "given";
    }
    return "unknown";
}

struct result *result_create(const dedpul_allocator *allocator, dedpul_error *error)
{
    const dedpul_allocator used = allocator_or_default(allocator);
    struct result *result = used.resize(used.context, NULL, sizeof *result);
    if (result == NULL) {
        (void)error_set(error, DEDPUL_NO_MEMORY, "out of memory: %zu bytes", sizeof *result);
        return NULL;
    }
    *result = (struct result){.row_posterior = NULL};
    context_init(&result->memory, &used, error);
    return result;
}

void dedpul_result_free(dedpul_result *public)
{
    struct result *result = (struct result *)public;
    if (result == NULL)
        return;
    const dedpul_allocator allocator = result->memory.allocator;
    context_free(&result->memory);
    (void)allocator.resize(allocator.context, result, 0);
}

void result_add_warnings(struct result *result, const struct context *context)
{
    context_add_warnings(&result->memory, context);
    for (size_t i = 0; i < result->memory.n_warnings; i++) {
        const dedpul_warning_code code = result->memory.warnings[i].code;
        result->warnings[i] = (dedpul_warning){code, warning_name(code), result->memory.warnings[i].message};
    }
    result->public.warnings = result->warnings;
    result->public.n_warnings = result->memory.n_warnings;
}

double result_ratio(const dedpul_result *result, double score)
{
    return interpolate(result->n_points, result->point_logit, result->point_ratio, logit_of(score));
}

double result_posterior(const dedpul_result *result, double ratio)
{
    return fmin(result->scale * ratio, 1);
}

dedpul_status dedpul_result_evaluate(const dedpul_result *result, size_t n, const double *score,
                                     double *ratio, double *posterior, dedpul_error *error)
{
    if (result == NULL || (score == NULL && n > 0))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result and score must not be NULL");
    if (result->n_points == 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "the result has no curve of ratios");
    for (size_t i = 0; i < n; i++)
        if (!(score[i] >= 0 && score[i] <= 1))
            return error_set(error, DEDPUL_INVALID_DATA, "score[%zu] is %g: scores must lie in [0, 1]", i,
                             score[i]);
    for (size_t i = 0; i < n; i++) {
        const double r = result_ratio(result, score[i]);
        if (ratio != NULL)
            ratio[i] = r;
        if (posterior != NULL)
            posterior[i] = result_posterior(result, r);
    }
    return DEDPUL_OK;
}

/* The fewest digits that read back as the same number. */
static void write_score(FILE *stream, double score)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.15g", score);
    if (strtod(text, NULL) != score)
        (void)snprintf(text, sizeof text, "%.17g", score);
    (void)fputs(text, stream);
}

/* What the files are about. */
struct content {
    const dedpul_result *result;
    const dedpul_sample *rows;
    const unsigned char *label; /* may be NULL */
};

static void write_posteriors(FILE *stream, const struct content *content)
{
    const dedpul_result *result = content->result;
    const bool bands = result->posterior_low != NULL;
    (void)fprintf(stream, "row,score,ratio,posterior%s\n", bands ? ",low,high" : "");
    for (size_t i = 0, k = 0; i < content->rows->n; i++) {
        if (content->label != NULL && content->label[i] != 0)
            continue;
        (void)fprintf(stream, "%zu,", i + 1);
        write_score(stream, content->rows->score[i]);
        (void)fprintf(stream, ",%.12g,%.12g", result->ratio[k], result->posterior[k]);
        if (bands)
            (void)fprintf(stream, ",%.6g,%.6g", result->posterior_low[k], result->posterior_high[k]);
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
    (void)fprintf(stream, "row,label,score%s\n", weight != NULL ? ",weight" : "");
    for (size_t i = 0; i < content->rows->n; i++) {
        (void)fprintf(stream, "%zu,%d,", i + 1, content->label[i]);
        write_score(stream, content->rows->score[i]);
        if (weight != NULL) {
            (void)fputc(',', stream);
            write_score(stream, weight[i]);
        }
        (void)fputc('\n', stream);
    }
}

struct writing {
    const char *path; /* NULL: not wanted */
    void (*write)(FILE *stream, const struct content *content);
};

enum { MOST_FILES = 2 };

/* All of them before any appears. */
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
                                  const unsigned char *label, const char *posteriors, const char *curve,
                                  dedpul_error *error)
{
    const struct writing writing[] = {{posteriors, write_posteriors}, {curve, write_curve}};
    const struct content content = {result, rows, label};
    size_t unlabeled = 0;
    if (result == NULL || rows == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result and rows must not be NULL");
    for (size_t i = 0; i < rows->n; i++)
        unlabeled += label == NULL || label[i] == 0;
    if (unlabeled != result->n_unlabeled)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "there are %zu unlabeled rows, but the result is about %zu", unlabeled,
                         result->n_unlabeled);
    return write_all(&content, 2, writing, error);
}

dedpul_status dedpul_scores_write(const char *path, const dedpul_sample *rows, const unsigned char *label,
                                  dedpul_error *error)
{
    const struct writing writing = {path, write_rows};
    const struct content content = {NULL, rows, label};
    if (path == NULL || rows == NULL || (rows->n > 0 && label == NULL))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "path, rows and label must not be NULL");
    return write_all(&content, 1, &writing, error);
}
