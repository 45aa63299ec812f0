#include "selected_results.h"

#include "error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "set,strength,alpha,repeat,method,target,plain,kinds,low,high,kind_error,kinds_held,"
    "seconds,kind_seconds\n";

void selected_header_print(FILE *stream)
{
    (void)fputs(header, stream);
}

void selected_row_print(FILE *stream, const struct selected_row *row)
{
    (void)fprintf(stream, "%s,%u,%g,%u,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.4f,%.2f,%.2f\n", row->set,
                  row->strength, row->alpha, row->repeat, row->method, row->target, row->plain, row->kinds,
                  row->low, row->high, row->kind_error, row->kinds_held, row->seconds, row->kind_seconds);
}

static bool read_row(const char *line, struct selected_row *row)
{
    *row = (struct selected_row){.strength = 0};
    return sscanf(line, "%15[^,],%u,%lf,%u,%15[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", row->set,
                  &row->strength, &row->alpha, &row->repeat, row->method, &row->target, &row->plain,
                  &row->kinds, &row->low, &row->high, &row->kind_error, &row->kinds_held, &row->seconds,
                  &row->kind_seconds) == 14;
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
