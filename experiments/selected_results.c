#include "selected_results.h"

#include "error.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "set,alpha,strength,repeat,method,approach,target,estimate,low,high,kind_error,"
                             "kinds_held,p_value,seconds\n";

void selected_header_print(FILE *stream)
{
    (void)fputs(header, stream);
}

static void print_number(FILE *stream, double value)
{
    if (isnan(value))
        (void)fputc(',', stream);
    else
        (void)fprintf(stream, ",%.6f", value);
}

void selected_row_print(FILE *stream, const struct selected_row *row)
{
    (void)fprintf(stream, "%s,%g,%u,%u,%s,%s", row->set, row->alpha, row->strength, row->repeat, row->method,
                  row->approach);
    print_number(stream, row->target);
    print_number(stream, row->estimate);
    print_number(stream, row->low);
    print_number(stream, row->high);
    print_number(stream, row->kind_error);
    print_number(stream, row->kinds_held);
    print_number(stream, row->p_value);
    (void)fprintf(stream, ",%.2f\n", row->seconds);
}

/* Reads a number behind a comma; nothing is NaN. Returns what follows, or NULL if it is not one. */
static const char *read_number(const char *at, double *value)
{
    char *end;
    *value = NAN;
    if (at == NULL || *at != ',')
        return NULL;
    at++;
    if (*at == ',')
        return at;
    *value = strtod(at, &end);
    return end > at && (*end == ',' || *end == '\n') ? end : NULL;
}

static bool read_row(const char *line, struct selected_row *row)
{
    int length = 0;
    *row = (struct selected_row){.strength = 0};
    if (sscanf(line, "%15[^,],%lf,%u,%u,%15[^,],%15[^,]%n", row->set, &row->alpha, &row->strength,
               &row->repeat, row->method, row->approach, &length) != 6)
        return false;
    double *const number[] = {&row->target,     &row->estimate,   &row->low,     &row->high,
                              &row->kind_error, &row->kinds_held, &row->p_value, &row->seconds};
    const char *at = line + length;
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
        at = read_number(at, number[k]);
    return at != NULL && *at == '\n';
}

static dedpul_status add_row(struct selected_rows *rows, const struct selected_row *row, dedpul_error *error)
{
    struct selected_row *grown = realloc(rows->row, (rows->n + 1) * sizeof *grown);
    if (grown == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    grown[rows->n++] = *row;
    rows->row = grown;
    return DEDPUL_OK;
}

static dedpul_status read_lines(const char *path, FILE *stream, struct selected_rows *rows,
                                dedpul_error *error)
{
    char line[512];
    for (size_t number = 1; fgets(line, sizeof line, stream) != NULL; number++) {
        struct selected_row row;
        if (number == 1 && strcmp(line, header) == 0)
            continue;
        if (number == 1 || !read_row(line, &row))
            return error_set(
                error, DEDPUL_INVALID_DATA,
                "%s: line %zu is not a row of 'dedpul bench selected'; remove the line, or write "
                "to another directory",
                path, number);
        TRY(add_row(rows, &row, error));
    }
    return DEDPUL_OK;
}

dedpul_status selected_rows_read(const char *path, struct selected_rows *rows, dedpul_error *error)
{
    *rows = (struct selected_rows){.n = 0};
    FILE *stream = fopen(path, "re");
    if (stream == NULL && errno == ENOENT)
        return DEDPUL_OK;
    if (stream == NULL)
        return error_set(error, DEDPUL_IO, "cannot read %s: %s", path, strerror(errno));
    const dedpul_status status = read_lines(path, stream, rows, error);
    (void)fclose(stream);
    return status;
}
