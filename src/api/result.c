#include "result.h"

#include "output_file.h"
#include "sample.h"
#include "search.h"

#include <locale.h>
#include <math.h>
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
    *result = (struct result){.n_points = 0};
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

double result_ratio(const struct result *result, double score)
{
    const double logit = logit_of(score);
    const size_t n = result->n_points;
    const size_t right = first_above(n, result->point_logit, logit);
    if (right == 0)
        return result->point_ratio[0];
    if (right == n)
        return result->point_ratio[n - 1];
    const double from = result->point_logit[right - 1], to = result->point_logit[right];
    const double share = (logit - from) / (to - from);
    return (1 - share) * result->point_ratio[right - 1] + share * result->point_ratio[right];
}

double result_posterior(const struct result *result, double ratio)
{
    return fmin(result->public.scale * ratio, 1);
}

dedpul_status dedpul_result_evaluate(const dedpul_result *public, size_t n, const double *score,
                                     double *ratio, double *posterior, dedpul_error *error)
{
    const struct result *result = (const struct result *)public;
    if (result == NULL || (score == NULL && n > 0))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result and score must not be NULL");
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

static void write_posteriors(FILE *stream, const dedpul_result *result, const dedpul_sample *rows,
                             const unsigned char *label)
{
    (void)fputs("row,score,ratio,posterior\n", stream);
    for (size_t i = 0, k = 0; i < rows->n; i++) {
        if (label != NULL && label[i] != 0)
            continue;
        (void)fprintf(stream, "%zu,", i + 1);
        write_score(stream, rows->score[i]);
        (void)fprintf(stream, ",%.12g,%.12g\n", result->ratio[k], result->posterior[k]);
        k++;
    }
}

static void write_curve(FILE *stream, const dedpul_result *result)
{
    (void)fputs("alpha,d\n", stream);
    for (size_t j = 0; j < result->n_curve; j++)
        (void)fprintf(stream, "%.3f,%.12g\n", result->curve_alpha[j], result->curve_d[j]);
}

/* All of both before any of them appears. */
static dedpul_status write_files(const dedpul_result *result, const dedpul_sample *rows,
                                 const unsigned char *label, const char *const path[2],
                                 struct output_file file[2], dedpul_error *error)
{
    for (int i = 0; i < 2; i++)
        if (path[i] != NULL)
            TRY(output_file_open(&file[i], path[i], error));
    if (path[0] != NULL)
        write_posteriors(file[0].stream, result, rows, label);
    if (path[1] != NULL)
        write_curve(file[1].stream, result);
    for (int i = 0; i < 2; i++)
        if (path[i] != NULL)
            TRY(output_file_close(&file[i], error));
    for (int i = 0; i < 2; i++)
        if (path[i] != NULL)
            TRY(output_file_commit(&file[i], error));
    return DEDPUL_OK;
}

dedpul_status dedpul_result_write(const dedpul_result *result, const dedpul_sample *rows,
                                  const unsigned char *label, const char *posteriors, const char *curve,
                                  dedpul_error *error)
{
    const char *const path[2] = {posteriors, curve};
    struct output_file file[2] = {OUTPUT_FILE_NONE, OUTPUT_FILE_NONE};
    size_t unlabeled = 0;
    if (result == NULL || rows == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result and rows must not be NULL");
    for (size_t i = 0; i < rows->n; i++)
        unlabeled += label == NULL || label[i] == 0;
    if (unlabeled != result->n_unlabeled)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "there are %zu unlabeled rows, but the result is about %zu", unlabeled,
                         result->n_unlabeled);
    /* A decimal point, whatever the program's locale has. */
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory writing files");
    const locale_t previous = uselocale(c_locale);
    const dedpul_status status = write_files(result, rows, label, path, file, error);
    (void)uselocale(previous);
    freelocale(c_locale);
    for (int i = 0; i < 2; i++)
        output_file_discard(&file[i]);
    return status;
}
