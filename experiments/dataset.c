/* Reads the sets of the benchmark from their files. */
#include "draw.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file of the set. */
struct part {
    char path[4096], labels_path[4096];
    struct stream stream, labels;
    bool is_open, has_labels;
    struct table_reader *reader;
    struct table *rows;
};

struct dataset {
    const struct set *set;
    struct arena memory;
    struct context context; /* while it is being read */
    bool as_published;
    size_t n_parts, n_rows, n_columns;
    struct part part[MOST_FILES];
    unsigned char *truth;    /* (n_rows) 1 = positive */
    double *center, *spread; /* (n_columns) numbers become (x - center) / spread, as published */
    size_t n_class[2];       /* rows of negatives and positives */
    uint32_t *row_of_class[2];
};

/* ---- reading ---- */

/* Fills the paths of the set's files. Returns their number. */
static size_t find_files(const struct set *set, const char *directory, struct part part[MOST_FILES])
{
    size_t n = 0;
    if (set->file[0] == NULL) {
        const int length =
            snprintf(part->path, sizeof part->path, "%s/%s/%s.csv.gz", directory, set->name, set->name);
        if (access(part->path, R_OK) != 0)
            part->path[length - (int)strlen(".gz")] = '\0';
        return 1;
    }
    for (; n < MOST_FILES && set->file[n] != NULL; n++, part++) {
        (void)snprintf(part->path, sizeof part->path, "%s/%s/%s", directory, set->name, set->file[n]);
        const char *kind = strstr(part->path, "images-idx3");
        part->has_labels = kind != NULL;
        if (part->has_labels)
            (void)snprintf(part->labels_path, sizeof part->labels_path, "%.*slabels-idx1%s",
                           (int)(kind - part->path), part->path, kind + strlen("images-idx3"));
    }
    return n;
}

dedpul_status dataset_check(const struct set *set, const char *directory, dedpul_error *error)
{
    struct part part[MOST_FILES] = {0};
    if (directory == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the directory of the data sets is not given (--data)");
    if (strlen(directory) > 2000)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the name of the directory of the data sets is too long");
    const size_t n = find_files(set, directory, part);
    for (size_t i = 0; i < n; i++)
        if (access(part[i].path, R_OK) != 0)
            return error_set(
                error, DEDPUL_IO,
                "cannot read %s (%s). Name the directory of the data sets (--data), or the sets that "
                "are there (--sets)",
                part[i].path, strerror(errno));
    return DEDPUL_OK;
}

static dedpul_status read_part(struct dataset *dataset, struct part *part)
{
    dedpul_error *error = dataset->context.error;
    const char *positive = dataset->set->positive;
    TRY(stream_open(&part->stream, part->path, error));
    part->is_open = true;
    if (part->has_labels) {
        part->has_labels = false; /* until it is open */
        TRY(stream_open(&part->labels, part->labels_path, error));
        part->has_labels = true;
    }
    const struct table_request request = {
        .label = positive == NULL               ? NULL
                 : set_has_images(dataset->set) ? "label"
                                                : "target",
        .labels = part->has_labels ? &part->labels : NULL,
        .positive = positive,
        .most_levels = 256,
    };
    TRY(table_reader_open(&part->stream, &request, NULL, error, &part->reader));
    return table_reader_next(part->reader, SIZE_MAX, &part->rows);
}

/* Rows are positive if their value in the last column is above its mean. */
static dedpul_status fill_truth_by_mean(struct dataset *dataset)
{
    const struct column *target = &dataset->part[0].rows->column[--dataset->n_columns];
    double mean = 0;
    if (target->schema.kind != COLUMN_NUMBER)
        return error_set(dataset->context.error, DEDPUL_INVALID_DATA,
                         "%s: the last column, '%s', holds the target and must be of numbers",
                         dataset->part[0].path, target->schema.name);
    for (size_t i = 0; i < dataset->n_rows; i++)
        mean += target->number[i] / (double)dataset->n_rows;
    for (size_t i = 0; i < dataset->n_rows; i++)
        dataset->truth[i] = target->number[i] > mean;
    return DEDPUL_OK;
}

static dedpul_status fill_truth(struct dataset *dataset)
{
    dataset->truth = context_allocate(&dataset->context, dataset->n_rows, 1);
    if (dataset->truth == NULL)
        return DEDPUL_NO_MEMORY;
    size_t begin = 0;
    for (size_t k = 0; dataset->set->positive != NULL && k < dataset->n_parts; k++) {
        memcpy(dataset->truth + begin, dataset->part[k].rows->label, dataset->part[k].rows->n_rows);
        begin += dataset->part[k].rows->n_rows;
    }
    if (dataset->set->positive == NULL)
        TRY(fill_truth_by_mean(dataset));
    for (int class = 0; class < 2; class ++) {
        uint32_t *row = context_allocate(&dataset->context, dataset->n_rows, sizeof *row);
        if (row == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < dataset->n_rows; i++)
            if (dataset->truth[i] == class)
                row[dataset->n_class[class]++] = (uint32_t)i;
        dataset->row_of_class[class] = row;
    }
    return DEDPUL_OK;
}

static bool is_standardised(const struct set *set, const struct column *column)
{
    return column->schema.kind == COLUMN_NUMBER &&
           (set->standardised == NULL || strcmp(set->standardised, column->schema.name) == 0);
}

/*
 * Computes mean and deviation of each column over all rows of the set; a constant column becomes 0. The
 * pixels of color images become x / 128 - 1.
 */
static dedpul_status measure_columns(struct dataset *dataset)
{
    dataset->center = context_allocate(&dataset->context, dataset->n_columns, sizeof *dataset->center);
    dataset->spread = context_allocate(&dataset->context, dataset->n_columns, sizeof *dataset->spread);
    if (dataset->center == NULL || dataset->spread == NULL)
        return DEDPUL_NO_MEMORY;
    const bool is_color = dataset->part[0].rows->image.channels == 3;
    const double n = (double)dataset->n_rows;
    for (size_t c = 0; c < dataset->n_columns; c++) {
        double sum = 0, squares = 0;
        dataset->center[c] = is_color ? 128 : 0;
        dataset->spread[c] = is_color ? 128 : 1;
        if (is_color || !is_standardised(dataset->set, &dataset->part[0].rows->column[c]))
            continue;
        for (size_t k = 0; k < dataset->n_parts; k++)
            for (size_t i = 0; i < dataset->part[k].rows->n_rows; i++)
                sum += dataset->part[k].rows->column[c].number[i];
        const double mean = sum / n;
        for (size_t k = 0; k < dataset->n_parts; k++)
            for (size_t i = 0; i < dataset->part[k].rows->n_rows; i++) {
                const double x = dataset->part[k].rows->column[c].number[i] - mean;
                squares += x * x;
            }
        dataset->center[c] = mean;
        dataset->spread[c] = squares > 0 ? sqrt(squares / (n - 1)) : 1;
    }
    return DEDPUL_OK;
}

static dedpul_status read_set(struct dataset *dataset, const char *directory, dedpul_error *error)
{
    dataset->n_parts = find_files(dataset->set, directory, dataset->part);
    for (size_t k = 0; k < dataset->n_parts; k++) {
        TRY(read_part(dataset, &dataset->part[k]));
        dataset->n_rows += dataset->part[k].rows->n_rows;
        dataset->n_columns = dataset->part[k].rows->n_columns;
        if (dataset->n_columns != dataset->part[0].rows->n_columns)
            return error_set(error, DEDPUL_INVALID_DATA, "%s has %zu columns, %s has %zu",
                             dataset->part[0].path, dataset->part[0].rows->n_columns, dataset->part[k].path,
                             dataset->n_columns);
    }
    TRY(fill_truth(dataset));
    return measure_columns(dataset);
}

dedpul_status dataset_open(const struct set *set, const char *directory, bool as_published,
                           struct dataset **dataset, dedpul_error *error)
{
    const dedpul_allocator allocator = allocator_or_default(NULL);
    struct dataset *opened = allocator.resize(allocator.context, NULL, sizeof *opened);
    if (opened == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory: %zu bytes", sizeof *opened);
    memset(opened, 0, sizeof *opened);
    opened->set = set;
    opened->as_published = as_published;
    arena_init(&opened->memory, NULL);
    opened->context = context_of(&opened->memory, NULL, error);
    const dedpul_status status = read_set(opened, directory, error);
    if (status != DEDPUL_OK)
        dataset_free(opened);
    else
        *dataset = opened;
    return status;
}

void dataset_free(struct dataset *dataset)
{
    if (dataset == NULL)
        return;
    const dedpul_allocator allocator = dataset->memory.allocator;
    for (size_t k = 0; k < dataset->n_parts; k++) {
        struct part *part = &dataset->part[k];
        table_reader_free(part->reader);
        if (part->is_open)
            stream_close(&part->stream);
        if (part->is_open && part->has_labels)
            stream_close(&part->labels);
    }
    arena_free(&dataset->memory);
    (void)allocator.resize(allocator.context, dataset, 0);
}

/* ---- drawing ---- */

/* Chooses `wanted` rows of the class: the first ones of a random order. */
static dedpul_status choose_rows(struct context *context, const struct dataset *dataset, int class,
                                 size_t wanted, struct rng *rng, uint32_t *row)
{
    struct block *mark = context_mark(context);
    const size_t n = dataset->n_class[class];
    uint32_t *deck = context_allocate(context, n, sizeof *deck);
    if (deck == NULL)
        return DEDPUL_NO_MEMORY;
    if (wanted > n)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s has %zu %s rows; the protocol draws %zu",
                         dataset->part[0].path, n, class == 1 ? "positive" : "negative", wanted);
    memcpy(deck, dataset->row_of_class[class], n * sizeof *deck);
    for (size_t i = 0; i < wanted; i++) {
        const size_t j = i + rng_below(rng, (uint32_t)(n - i));
        row[i] = deck[j];
        deck[j] = deck[i];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Fills one column of the rows drawn. */
static dedpul_status gather(struct context *context, const struct dataset *dataset, size_t c, size_t n,
                            const uint32_t *row, struct column *to)
{
    const struct column *first = &dataset->part[0].rows->column[c];
    const bool is_text = first->schema.kind == COLUMN_TEXT, keeps_text = is_text && !dataset->as_published;
    *to = (struct column){.schema = first->schema};
    to->schema.kind = keeps_text ? COLUMN_TEXT : COLUMN_NUMBER;
    if (keeps_text)
        to->code = context_allocate(context, n, sizeof *to->code);
    else
        to->number = context_allocate(context, n, sizeof *to->number);
    if (keeps_text ? to->code == NULL : to->number == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const struct part *part = dataset->part;
        size_t at = row[i];
        for (; at >= part->rows->n_rows; part++)
            at -= part->rows->n_rows;
        const struct column *from = &part->rows->column[c];
        if (keeps_text)
            to->code[i] = from->code[at];
        else if (is_text)
            to->number[i] = from->code[at] == LEVEL_MISSING ? -1.0 : (double)from->code[at];
        else
            to->number[i] = dataset->as_published
                                ? (from->number[at] - dataset->center[c]) / dataset->spread[c]
                                : from->number[at];
    }
    return DEDPUL_OK;
}

dedpul_status draw_rows(struct context *context, const struct dataset *dataset,
                        const struct sample_size *size, struct rng *rng, struct drawing *drawing)
{
    TRY(drawing_create(context, size, dataset->n_columns, drawing));
    const size_t n = drawing->table.n_rows, n_positive = (size_t)size->labeled + size->positive;
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (row == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(choose_rows(context, dataset, 1, n_positive, rng, row));
    TRY(choose_rows(context, dataset, 0, size->negative, rng, row + n_positive));
    for (size_t c = 0; c < dataset->n_columns; c++)
        TRY(gather(context, dataset, c, n, row, &drawing->table.column[c]));
    if (dataset->part[0].rows->image.channels == 3) /* the protocol does not treat the others as images */
        drawing->table.image = dataset->part[0].rows->image;
    drawing->target = (double)size->positive / ((double)size->positive + size->negative);
    return DEDPUL_OK;
}
