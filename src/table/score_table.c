#include "score_table.h"
#include "cell.h"
#include "context.h"
#include "csv_header.h"
#include "foreign.h"
#include "number.h"
#include "suggest.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void score_table_free(struct score_table *table)
{
    const dedpul_allocator *allocator = &table->allocator;
    (void)allocator->resize(allocator->context, table->score, 0);
    (void)allocator->resize(allocator->context, table->weight, 0);
    (void)allocator->resize(allocator->context, table->label, 0);
    (void)allocator->resize(allocator->context, table->truth, 0);
    (void)allocator->resize(allocator->context, table->squares, 0);
    row_texts_free(&table->id, allocator);
}

static dedpul_status no_memory(const char *file, dedpul_error *error)
{
    return error_set(error, DEDPUL_NO_MEMORY, "out of memory reading %s", file);
}

/* Returns the array with room for count elements; without memory, as it was, with *failed set. */
static void *grow(const struct score_table *table, void *array, size_t count, size_t size, bool *failed)
{
    void *grown = NULL;
    if (count <= SIZE_MAX / size)
        grown = table->allocator.resize(table->allocator.context, array, count * size);
    *failed = *failed || grown == NULL;
    return grown != NULL ? grown : array;
}

dedpul_status score_table_reserve(struct score_table *table, const struct score_columns *wanted,
                                  const char *file, dedpul_error *error)
{
    bool failed = false;
    if (table->n < table->capacity)
        return DEDPUL_OK;
    const size_t capacity = table->capacity > 0 ? 2 * table->capacity : 1024;
    table->score = grow(table, table->score, capacity, sizeof *table->score, &failed);
    table->label = grow(table, table->label, capacity, sizeof *table->label, &failed);
    if (wanted->weight != NULL)
        table->weight = grow(table, table->weight, capacity, sizeof *table->weight, &failed);
    if (wanted->truth != NULL)
        table->truth = grow(table, table->truth, capacity, sizeof *table->truth, &failed);
    if (wanted->squares != NULL)
        table->squares = grow(table, table->squares, capacity, sizeof *table->squares, &failed);
    if (failed)
        return no_memory(file, error);
    table->capacity = capacity;
    return DEDPUL_OK;
}

/* ---- the header ---- */

struct columns {
    size_t label, score, weight, truth, id, squares; /* the last four = n: there is none */
    size_t n;
};

/* Takes blanks off the names and ends them with NUL, which replaces the delimiter. */
static void terminate_names(struct csv *csv)
{
    for (size_t i = 0; i < csv->n_fields; i++) {
        struct csv_field *field = &csv->field[i];
        for (; field->length > 0 && *field->text == ' '; field->length--)
            field->text++;
        while (field->length > 0 && field->text[field->length - 1] == ' ')
            field->length--;
        field->text[field->length] = '\0';
    }
}

static const char *column_name(const void *list, size_t index)
{
    return ((const struct csv_field *)list)[index].text;
}

/* Finds a column by its name, or by its number if there is no header. */
static size_t find_first(const struct csv *csv, const char *name)
{
    uint64_t number;
    if (!csv->format.no_header)
        return name_find(column_name, csv->field, csv->n_fields, name);
    return parse_whole(name, &number) && number >= 1 && number <= csv->n_fields ? (size_t)number - 1
                                                                                : csv->n_fields;
}

/* Says how the file's columns are called, and which comes nearest to the name. */
static const char *describe_columns(char buffer[NAME_HINT_SIZE], const struct csv *csv, const char *name)
{
    if (csv->format.no_header)
        (void)snprintf(buffer, NAME_HINT_SIZE, "columns are called 1 to %zu", csv->n_fields);
    else if (header_is_data(csv))
        (void)snprintf(buffer, NAME_HINT_SIZE, NO_HEADER_ADVICE);
    else
        (void)name_hint(buffer, column_name, csv->field, csv->n_fields, name);
    return buffer;
}

/* `role` is what the column holds, and `option` names it. */
static dedpul_status find_column(const struct csv *csv, const char *role, const char *option,
                                 const char *name, size_t *column)
{
    const size_t first = find_first(csv, name);
    char quoted[QUOTE_SIZE];
    if (first == csv->n_fields) {
        char columns[NAME_HINT_SIZE];
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s: line %zu: there is no column %s; %s. Name the column of %ss (--%s COL)",
                         csv->text.stream->name, csv->text.line, quote_text(quoted, name, strlen(name)),
                         describe_columns(columns, csv, name), role, option);
    }
    for (size_t i = first + 1; !csv->format.no_header && i < csv->n_fields; i++)
        if (strcmp(column_name(csv->field, i), name) == 0)
            return error_set(csv->error, DEDPUL_INVALID_DATA,
                             "%s: line %zu: columns %zu and %zu are both called %s; rename one",
                             csv->text.stream->name, csv->text.line, first + 1, i + 1,
                             quote_text(quoted, name, strlen(name)));
    *column = first;
    return DEDPUL_OK;
}

/* Finds the column of identifiers, which must not be one of the others. */
static dedpul_status find_id(const struct csv *csv, const char *name, struct columns *columns)
{
    char quoted[QUOTE_SIZE];
    TRY(find_column(csv, "identifier", "id", name, &columns->id));
    const char *const other = columns->id == columns->label    ? "label"
                              : columns->id == columns->score  ? "score"
                              : columns->id == columns->weight ? "weight"
                              : columns->id == columns->truth  ? "true class"
                                                               : NULL;
    if (other == NULL)
        return DEDPUL_OK;
    return error_set(csv->error, DEDPUL_INVALID_DATA,
                     "%s: column %s cannot be both the %s and the identifier", csv->text.stream->name,
                     quote_text(quoted, name, strlen(name)), other);
}

static dedpul_status read_header(struct csv *csv, const struct score_columns *wanted, struct columns *columns)
{
    TRY(header_read(csv));
    if (!csv->format.no_header)
        terminate_names(csv);
    columns->n = columns->weight = columns->truth = columns->id = columns->squares = csv->n_fields;
    TRY(find_column(csv, "label", "label", wanted->label, &columns->label));
    TRY(find_column(csv, "score", "score", wanted->score, &columns->score));
    if (wanted->weight != NULL)
        TRY(find_column(csv, "weight", "weight", wanted->weight, &columns->weight));
    if (wanted->truth != NULL)
        TRY(find_column(csv, "truth", "truth", wanted->truth, &columns->truth));
    if (wanted->squares != NULL)
        TRY(find_column(csv, "sums of square", "squares", wanted->squares, &columns->squares));
    return wanted->id != NULL ? find_id(csv, wanted->id, columns) : DEDPUL_OK;
}

/* ---- the rows ---- */

static struct place place_of(const struct csv *csv)
{
    return (struct place){csv->text.stream->name, "line", csv->text.line, csv->dialect.decimal};
}

static struct cell cell_of(const struct csv *csv, size_t column)
{
    return (struct cell){
        .column = column, .text = csv->field[column].text, .length = csv->field[column].length};
}

/* Codes of the values of both columns, until all are seen. */
struct vocabularies {
    struct labels label, truth;
};

/* Reads a score on the file's scale, and turns it into a probability. */
static dedpul_status read_score(const struct csv *csv, const struct score_columns *wanted,
                                const struct place *place, const struct cell *cell, double *score)
{
    static const struct number_range ranges[] = {
        [SCORES_PROBABILITIES] =
            {0, 1, "scores lie in [0, 1]",
             ". If these are percents, say so (--scale percent); if they are logits or "
             "margins, --scale logit; bring others into [0, 1], for example by their ranks"},
        [SCORES_PERCENTS] = {0, 100, "with --scale percent, scores lie in [0, 100]", NULL},
        [SCORES_LOGITS] = {-700, 700, "with --scale logit, scores lie in [-700, 700]",
                           "; bring others into [0, 1], for example by their ranks"},
    };
    double value;
    TRY(cell_in_range(cell, place, wanted->score, &ranges[wanted->scale], csv->error, &value));
    *score = wanted->scale == SCORES_PERCENTS ? value / 100
             : wanted->scale == SCORES_LOGITS ? 1 / (1 + exp(-value))
                                              : value;
    return DEDPUL_OK;
}

static dedpul_status read_row(const struct csv *csv, const struct score_columns *wanted,
                              const struct columns *columns, struct vocabularies *words,
                              struct score_table *table)
{
    const size_t row = table->n;
    if (csv->n_fields != columns->n)
        return refuse_width(csv, columns->n);
    TRY(score_table_reserve(table, wanted, csv->text.stream->name, csv->error));
    assert(table->score != NULL && table->label != NULL);
    const struct place place = place_of(csv);
    const struct cell label = cell_of(csv, columns->label), score = cell_of(csv, columns->score);
    TRY(labels_code(&words->label, label.text, label.length, place.number, csv->error, &table->label[row]));
    TRY(read_score(csv, wanted, &place, &score, &table->score[row]));
    if (table->weight != NULL) {
        const struct cell weight = cell_of(csv, columns->weight);
        TRY(cell_weight(&weight, &place, wanted->weight, csv->error, &table->weight[row]));
    }
    if (table->squares != NULL) {
        const struct cell squares = cell_of(csv, columns->squares);
        TRY(cell_weight(&squares, &place, wanted->squares, csv->error, &table->squares[row]));
    }
    if (table->truth != NULL) {
        const struct cell truth = cell_of(csv, columns->truth);
        TRY(labels_code_truth(&words->truth, truth.text, truth.length, place.number, csv->error,
                              &table->truth[row]));
    }
    if (wanted->id != NULL) {
        const struct cell id = cell_of(csv, columns->id);
        if (!row_texts_add(&table->id, &table->allocator, id.text, id.length))
            return no_memory(csv->text.stream->name, csv->error);
    }
    table->n++;
    return DEDPUL_OK;
}

/* From codes to classes. */
static dedpul_status decide(const struct vocabularies *words, dedpul_error *error, struct score_table *table)
{
    bool is_positive[MOST_LABELS + 1];
    TRY(labels_decide(&words->label, true, error, is_positive));
    for (size_t i = 0; i < table->n; i++)
        table->label[i] = is_positive[table->label[i]];
    return table->truth == NULL ? DEDPUL_OK
                                : labels_decide_truth(&words->truth, true, table->n, table->truth, error);
}

static dedpul_status read_rows(struct csv *csv, const struct score_columns *wanted, struct score_table *table)
{
    struct columns columns;
    struct vocabularies words;
    bool has_row = csv->format.no_header;
    TRY(read_header(csv, wanted, &columns));
    TRY(labels_init(&words.label, place_of(csv), wanted->label, wanted->positive, csv->error));
    TRY(labels_init(&words.truth, place_of(csv), wanted->truth, wanted->positive, csv->error));
    if (!has_row) /* else the first line is one already */
        TRY(csv_next(csv, &has_row));
    while (has_row) {
        TRY(read_row(csv, wanted, &columns, &words, table));
        TRY(csv_next(csv, &has_row));
    }
    if (table->n == 0)
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s has a header but no rows",
                         csv->text.stream->name);
    return decide(&words, csv->error, table);
}

dedpul_status score_table_read(struct stream *stream, const struct score_columns *columns,
                               const dedpul_allocator *allocator, struct score_table *table,
                               dedpul_error *error)
{
    *table = (struct score_table){.allocator = allocator_or_default(allocator)};
    struct csv csv;
    TRY(refuse_foreign(stream, error));
    csv_init(&csv, stream, &table->allocator, error);
    csv.format = columns->format;
    const dedpul_status status = read_rows(&csv, columns, table);
    csv_free(&csv);
    return status;
}
