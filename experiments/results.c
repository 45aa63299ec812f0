#include "results.h"

#include "csv.h"
#include "number.h"
#include "protocol.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "setting,set,alpha,target,repeat,method,estimate,abs_error,posterior_mae,error,f1,"
    "roc_auc,seconds,low,high,log_loss,brier,calibration,plain_log_loss,auc_gap,auc_held,precision_gap,"
    "precision_held,recall_gap,recall_held,f1_gap,f1_held,asked_precision,curve_precision_gap,curve_recall_"
    "gap";

/*
 * Rows of earlier versions end with the seconds, with plain_log_loss or with asked_precision. A file that a
 * new version goes on with has rows of several kinds.
 */
enum {
    N_FIELDS_05 = 13,
    N_FIELDS_06 = 19,
    N_FIELDS_07 = N_FIELDS_06 + 2 * N_CHECKED + 1,
    N_FIELDS = N_FIELDS_07 + 2
};

static bool is_field_count(size_t n)
{
    return n == N_FIELDS || n == N_FIELDS_07 || n == N_FIELDS_06 || n == N_FIELDS_05;
}

/* ---- writing ---- */

void results_print_header(FILE *stream)
{
    (void)fprintf(stream, "%s\n", header);
}

static void print_number(FILE *stream, const char *format, double value)
{
    (void)fputc(',', stream);
    if (!isnan(value))
        (void)fprintf(stream, format, value); // NOLINT(clang-diagnostic-format-nonliteral)
}

void results_print_name(FILE *stream, const char *name)
{
    const char *quote = strchr(name, ',') != NULL ? "\"" : "";
    (void)fprintf(stream, "%s%s%s", quote, name, quote);
}

void results_print(FILE *stream, const struct outcome *row)
{
    results_print_name(stream, row->setting);
    (void)fputc(',', stream);
    results_print_name(stream, row->set);
    (void)fprintf(stream, ",%g,%.6f,%u,%s", row->alpha, row->target, row->repeat, row->method);
    print_number(stream, "%.6f", row->estimate);
    print_number(stream, "%.6f", row->abs_error);
    print_number(stream, "%.6f", row->posterior_mae);
    print_number(stream, "%.6f", row->error);
    print_number(stream, "%.6f", row->f1);
    print_number(stream, "%.6f", row->roc_auc);
    print_number(stream, "%.3f", row->seconds);
    print_number(stream, "%.6f", row->low);
    print_number(stream, "%.6f", row->high);
    print_number(stream, "%.6f", row->log_loss);
    print_number(stream, "%.6f", row->brier);
    print_number(stream, "%.6f", row->calibration);
    print_number(stream, "%.6f", row->plain_log_loss);
    for (size_t k = 0; k < N_CHECKED; k++) {
        print_number(stream, "%.6f", row->gap[k]);
        print_number(stream, "%g", row->held[k]);
    }
    print_number(stream, "%.6f", row->asked_precision);
    print_number(stream, "%.6f", row->curve_precision_gap);
    print_number(stream, "%.6f", row->curve_recall_gap);
    (void)fputc('\n', stream);
}

/* ---- reading ---- */

int results_add(struct results *results, const struct outcome *row)
{
    if (results->n == results->capacity) {
        const size_t capacity = results->capacity > 0 ? 2 * results->capacity : 256;
        struct outcome *grown = realloc(results->row, capacity * sizeof *grown);
        if (grown == NULL)
            return 0;
        results->row = grown;
        results->capacity = capacity;
    }
    results->row[results->n++] = *row;
    return 1;
}

void results_free(struct results *results)
{
    free(results->row);
    *results = (struct results){0, 0, NULL};
}

static dedpul_status copy_text(const struct csv *csv, size_t field, size_t size, char *text)
{
    const struct csv_field *from = &csv->field[field];
    char quoted[QUOTE_SIZE];
    if (from->length == 0 || from->length >= size)
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s, line %zu: %s is not a name of a set or method",
                         csv->text.stream->name, csv->text.line,
                         quote_text(quoted, from->text, from->length));
    memcpy(text, from->text, from->length);
    text[from->length] = '\0';
    return DEDPUL_OK;
}

/* A field that is empty or not there is NaN. */
static dedpul_status read_number(const struct csv *csv, size_t field, double *value)
{
    char quoted[QUOTE_SIZE];
    *value = NAN;
    if (field >= csv->n_fields)
        return DEDPUL_OK;
    const struct csv_field *from = &csv->field[field];
    if (from->length > 0 && !parse_double(from->text, from->length, value))
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s, line %zu: %s is not a number",
                         csv->text.stream->name, csv->text.line,
                         quote_text(quoted, from->text, from->length));
    return DEDPUL_OK;
}

static dedpul_status read_row(const struct csv *csv, struct outcome *row)
{
    double repeat;
    double *number[N_FIELDS] = {
        NULL,           NULL,           &row->alpha,       &row->target,        &repeat,
        NULL,           &row->estimate, &row->abs_error,   &row->posterior_mae, &row->error,
        &row->f1,       &row->roc_auc,  &row->seconds,     &row->low,           &row->high,
        &row->log_loss, &row->brier,    &row->calibration, &row->plain_log_loss};
    for (size_t k = 0; k < N_CHECKED; k++) {
        number[N_FIELDS_06 + 2 * k] = &row->gap[k];
        number[N_FIELDS_06 + 2 * k + 1] = &row->held[k];
    }
    number[N_FIELDS_07 - 1] = &row->asked_precision;
    number[N_FIELDS_07] = &row->curve_precision_gap;
    number[N_FIELDS_07 + 1] = &row->curve_recall_gap;
    if (!is_field_count(csv->n_fields))
        return error_set(
            csv->error, DEDPUL_INVALID_DATA,
            "%s, line %zu: there are %zu fields instead of %d (or %d, %d or %d, as earlier versions wrote)",
            csv->text.stream->name, csv->text.line, csv->n_fields, N_FIELDS, N_FIELDS_07, N_FIELDS_06,
            N_FIELDS_05);
    TRY(copy_text(csv, 0, sizeof row->setting, row->setting));
    TRY(copy_text(csv, 1, sizeof row->set, row->set));
    TRY(copy_text(csv, 5, sizeof row->method, row->method));
    for (size_t i = 0; i < N_FIELDS; i++)
        if (number[i] != NULL)
            TRY(read_number(csv, i, number[i]));
    if (!(repeat >= 0 && repeat <= 1e6 && row->alpha >= 0 && row->alpha <= 1))
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s, line %zu: alpha must be from 0 to 1, and repeat from 0 to 1000000",
                         csv->text.stream->name, csv->text.line);
    row->repeat = (unsigned)repeat;
    return DEDPUL_OK;
}

/* Reads the file's bytes; none if there is no file. */
static dedpul_status load(const char *path, char **bytes, size_t *n, dedpul_error *error)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, got = 1;
    *bytes = NULL;
    *n = 0;
    if (file == NULL && errno == ENOENT)
        return DEDPUL_OK;
    if (file == NULL)
        return error_set(error, DEDPUL_IO, "cannot read %s: %s", path, strerror(errno));
    while (got > 0) {
        char *grown = realloc(*bytes, capacity *= 2);
        if (grown == NULL)
            break;
        *bytes = grown;
        got = fread(*bytes + *n, 1, capacity - *n, file);
        *n += got;
    }
    const int failed = ferror(file);
    (void)fclose(file);
    if (failed)
        return error_set(error, DEDPUL_IO, "cannot read %s", path);
    return got == 0 ? DEDPUL_OK : error_set(error, DEDPUL_NO_MEMORY, "out of memory reading %s", path);
}

static dedpul_status read_rows(struct csv *csv, struct results *results)
{
    struct outcome row;
    bool has_row;
    TRY(csv_next(csv, &has_row));
    if (has_row && (!is_field_count(csv->n_fields) || csv->field[0].length != strlen("setting") ||
                    memcmp(csv->field[0].text, "setting", strlen("setting")) != 0))
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s does not begin with the header of results of 'dedpul bench'",
                         csv->text.stream->name);
    while (has_row) {
        TRY(csv_next(csv, &has_row));
        if (!has_row)
            break;
        TRY(read_row(csv, &row));
        if (!results_add(results, &row))
            return error_set(csv->error, DEDPUL_NO_MEMORY, "out of memory reading %s",
                             csv->text.stream->name);
    }
    return DEDPUL_OK;
}

dedpul_status results_read(const char *path, struct results *results, size_t *whole_bytes,
                           dedpul_error *error)
{
    struct stream stream;
    struct csv csv;
    char *bytes;
    size_t n;
    *results = (struct results){0, 0, NULL};
    dedpul_status status = load(path, &bytes, &n, error);
    if (status == DEDPUL_OK) {
        while (n > 0 && bytes[n - 1] != '\n')
            n--;
        stream_open_memory(&stream, path, bytes, n);
        csv_init(&csv, &stream, NULL, error);
        status = read_rows(&csv, results);
        csv_free(&csv);
        stream_close(&stream);
        *whole_bytes = n;
    }
    free(bytes);
    if (status != DEDPUL_OK)
        results_free(results);
    return status;
}

/* ---- order ---- */

/* Returns the place of a set in the protocol. */
static unsigned set_place(const char *name)
{
    unsigned place = 0;
    for (const struct set *set; (set = set_at(place)) != NULL && strcmp(set->name, name) != 0;)
        place++;
    return place;
}

static unsigned method_place(const char *name)
{
    unsigned place = 0;
    for (const struct variant *variant;
         (variant = variant_at(place)) != NULL && strcmp(variant->name, name) != 0;)
        place++;
    return place;
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const void *left, const void *right)
{
    const struct outcome *a = left, *b = right;
    int order = strcmp(a->setting, b->setting);
    if (order == 0)
        order = compare_numbers(set_place(a->set), set_place(b->set));
    if (order == 0)
        order = compare_numbers(a->alpha, b->alpha);
    if (order == 0)
        order = compare_numbers(a->repeat, b->repeat);
    return order != 0 ? order : compare_numbers(method_place(a->method), method_place(b->method));
}

void results_sort(struct results *results)
{
    if (results->n > 0)
        qsort(results->row, results->n, sizeof *results->row, compare_rows);
}

const struct outcome *results_find(const struct results *results, const struct outcome *key)
{
    return results->n > 0 ? bsearch(key, results->row, results->n, sizeof *results->row, compare_rows) : NULL;
}
