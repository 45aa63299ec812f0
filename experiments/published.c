#include "published.h"

#include "csv.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* experiments/published/KIND.csv */
extern const unsigned char published_synthetic[], published_datasets[];
extern const size_t published_synthetic_size, published_datasets_size;

enum { N_FIELDS = 7 };

static void copy_text(const struct csv_field *from, size_t size, char *text)
{
    const size_t length = from->length < size ? from->length : size - 1;
    memcpy(text, from->text, length);
    text[length] = '\0';
}

static double number_of(const struct csv_field *field)
{
    double value;
    return parse_double(field->text, field->length, &value) ? value : NAN;
}

static dedpul_status add_row(struct published_results *published, enum kind kind, const struct csv *csv)
{
    if (csv->n_fields != N_FIELDS)
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s, line %zu: there are %zu fields instead of %d",
                         csv->text.stream->name, csv->text.line, csv->n_fields, N_FIELDS);
    if (published->n == published->capacity) {
        const size_t capacity = published->capacity > 0 ? 2 * published->capacity : 512;
        struct published *grown = realloc(published->row, capacity * sizeof *grown);
        if (grown == NULL)
            return error_set(csv->error, DEDPUL_NO_MEMORY, "out of memory");
        published->row = grown;
        published->capacity = capacity;
    }
    struct published *row = &published->row[published->n++];
    row->kind = kind;
    copy_text(&csv->field[0], sizeof row->set, row->set);
    row->alpha = number_of(&csv->field[1]);
    copy_text(&csv->field[2], sizeof row->method, row->method);
    row->repeats = (unsigned)number_of(&csv->field[3]);
    row->mean[TASK_PROPORTION] = number_of(&csv->field[4]);
    row->deviation = number_of(&csv->field[5]);
    row->mean[TASK_CLASSIFICATION] = number_of(&csv->field[6]);
    return DEDPUL_OK;
}

static dedpul_status read_kind(struct published_results *published, enum kind kind, const void *bytes,
                               size_t size, dedpul_error *error)
{
    struct stream stream;
    struct csv csv;
    bool has_row;
    stream_open_memory(&stream, "published results", bytes, size);
    csv_init(&csv, &stream, NULL, error);
    dedpul_status status = csv_next(&csv, &has_row); /* the header */
    if (status == DEDPUL_OK)
        status = csv_next(&csv, &has_row);
    while (status == DEDPUL_OK && has_row) {
        status = add_row(published, kind, &csv);
        if (status == DEDPUL_OK)
            status = csv_next(&csv, &has_row);
    }
    csv_free(&csv);
    stream_close(&stream);
    return status;
}

dedpul_status published_read(struct published_results *published, dedpul_error *error)
{
    *published = (struct published_results){0, 0, NULL};
    dedpul_status status =
        read_kind(published, KIND_SYNTHETIC, published_synthetic, published_synthetic_size, error);
    if (status == DEDPUL_OK)
        status = read_kind(published, KIND_DATASETS, published_datasets, published_datasets_size, error);
    if (status != DEDPUL_OK)
        published_free(published);
    return status;
}

const struct published *published_find(const struct published_results *published, const struct set *set,
                                       double alpha, const char *method)
{
    for (size_t i = 0; i < published->n; i++) {
        const struct published *row = &published->row[i];
        if (row->kind == set->kind && fabs(row->alpha - alpha) < 1e-9 && strcmp(row->set, set->name) == 0 &&
            strcmp(row->method, method) == 0)
            return row;
    }
    return NULL;
}

const char *published_name(const char *setting, const struct variant *variant)
{
    const int is_on_trees = strstr(setting, "classifier=gbdt") != NULL;
    return is_on_trees && variant == variant_at(0) ? "dedpul_catboost" : variant->published;
}

void published_free(struct published_results *published)
{
    free(published->row);
    *published = (struct published_results){0, 0, NULL};
}
