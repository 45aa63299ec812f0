/* Rows of delimited text whose first line names the columns, unless the format says that there is no header.
 */
#include "csv_header.h"
#include "row_source.h"

#include <stdio.h>
#include <string.h>

struct csv_rows {
    struct row_source source; /* first: a struct row_source * is a struct csv_rows * */
    struct csv csv;
    bool is_row_pending; /* the first line was read, and is a row */
};

static dedpul_status next(struct row_source *source, bool *has_row)
{
    struct csv_rows *rows = (struct csv_rows *)source;
    struct csv *csv = &rows->csv;
    bool has_next = rows->is_row_pending;
    if (!rows->is_row_pending)
        TRY(csv_next(csv, &has_next));
    rows->is_row_pending = false;
    if (has_next && csv->n_fields != source->n_columns)
        return refuse_width(csv, source->n_columns);
    *has_row = has_next;
    source->number = csv->text.line;
    for (size_t i = 0; has_next && i < csv->n_fields; i++) {
        source->cell[i].text = csv->field[i].text;
        source->cell[i].length = csv->field[i].length;
    }
    return DEDPUL_OK;
}

static void free_rows(struct row_source *source)
{
    csv_free(&((struct csv_rows *)source)->csv);
}

/* Adds the name of column `index`. */
static dedpul_status add_name(struct row_source *source, const struct csv *csv, size_t index)
{
    char where[64];
    (void)snprintf(where, sizeof where, "line %zu: ", csv->text.line);
    return row_source_add_name(source, csv->field[index].text, csv->field[index].length, where,
                               ", or say that there is no header (--no-header) if this line is data");
}

static dedpul_status read_first_line(struct csv_rows *rows)
{
    struct row_source *source = &rows->source;
    struct csv *csv = &rows->csv;
    TRY(header_read(csv));
    const size_t n = csv->n_fields;
    source->cell = source->allocator.resize(source->allocator.context, NULL, n * sizeof *source->cell);
    if (source->cell == NULL)
        return row_source_no_memory(source);
    for (size_t i = 0; i < n; i++) {
        source->cell[i] = (struct cell){.column = i};
        if (source->has_names)
            TRY(add_name(source, csv, i));
    }
    source->n_columns = source->n_cells = n;
    source->decimal = csv->dialect.decimal;
    source->is_comma_guess = csv->dialect.is_comma_guess;
    source->is_header_data = source->has_names && header_is_data(csv);
    rows->is_row_pending = !source->has_names;
    return DEDPUL_OK;
}

dedpul_status csv_rows_open(const struct row_source *common, struct row_source **source)
{
    static const struct row_format format = {.next = next, .free = free_rows};
    struct csv_rows *rows = row_source_allocate(common, sizeof *rows);
    if (rows == NULL)
        return row_source_no_memory(common);
    csv_init(&rows->csv, common->stream, &common->allocator, common->error);
    rows->source.format = &format;
    rows->source.unit = "line";
    rows->source.has_names = !common->text.no_header;
    rows->csv.format = common->text;
    *source = &rows->source;
    return read_first_line(rows);
}
