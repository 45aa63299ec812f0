#include "matrix_table.h"

#include <math.h>
#include <stdio.h>

static double at(const struct matrix *matrix, size_t row, size_t column)
{
    const size_t index = row * matrix->width + column;
    return matrix->f64 != NULL ? matrix->f64[index] : (double)matrix->f32[index];
}

dedpul_status table_of_matrix(struct context *context, const struct matrix *matrix, size_t first, size_t n,
                              struct arena *memory, struct table *table)
{
    enum { NAME_SIZE = 24 };
    const size_t width = matrix->width;
    *table = (struct table){.n_rows = n, .n_columns = width};
    table->column = context_allocate_in(context, memory, width, sizeof *table->column);
    char *names = context_allocate_in(context, memory, width, NAME_SIZE);
    if (table->column == NULL || names == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < width; c++) {
        char *name = names + c * NAME_SIZE;
        (void)snprintf(name, NAME_SIZE, "%zu", c + 1);
        table->column[c] = (struct column){.schema = {.name = name, .kind = COLUMN_NUMBER}};
        double *number = context_allocate_in(context, memory, n, sizeof *number);
        if (number == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < n; i++) {
            number[i] = at(matrix, first + i, c);
            if (isinf(number[i]))
                return error_set(context->error, DEDPUL_INVALID_DATA,
                                 "x[%zu][%zu] is %g: numbers must be finite, or NaN if missing", first + i, c,
                                 number[i]);
        }
        table->column[c].number = number;
    }
    return DEDPUL_OK;
}
