#include "selected_draw.h"

#include "propensity_draw.h"
#include "selected_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The approaches of sets whose positives are of known kinds. */
#define BY_KINDS                                                                   \
    {                                                                              \
        [APPROACH_PLAIN] = true, [APPROACH_KNOWN] = true, [APPROACH_FOUND] = true, \
    }

/* The samples of sets whose positives are labeled with a chance that depends on columns. */
#define BY_PROPENSITY                                                                                   \
    .n_kinds = 1, .kind = {0}, .unlabeled = 2000, .n_shares = 2, .share = {0.2, 0.5}, .n_strengths = 3, \
    .strength = {1, 4, 16},                                                                             \
    .takes = {                                                                                          \
        [APPROACH_PLAIN] = true,                                                                        \
        [APPROACH_PROPENSITY] = true,                                                                   \
        [APPROACH_VALUES] = true,                                                                       \
    }

static const struct selected_set sets[] = {
    {.name = "landsat",
     .file = "landsat.csv",
     .n_kinds = 3,
     .kind = {4, 5, 7},
     .labeled = 500,
     .unlabeled = 3500,
     .n_shares = 3,
     .share = {0.1, 0.3, 0.5},
     .n_strengths = 3,
     .strength = {1, 3, 9},
     .takes = BY_KINDS},
    {.name = "pageblock",
     .file = "pageblock.csv",
     .n_kinds = 4,
     .kind = {2, 3, 4, 5},
     .labeled = 150,
     .unlabeled = 4000,
     .n_shares = 2,
     .share = {0.05, 0.1},
     .n_strengths = 3,
     .strength = {1, 3, 9},
     .takes = BY_KINDS},
    {.name = "mnist",
     .file = "train-images-idx3-ubyte.gz",
     .labels = "train-labels-idx1-ubyte.gz",
     .n_kinds = 5,
     .kind = {1, 3, 5, 7, 9},
     .labeled = 1000,
     .unlabeled = 5000,
     .n_shares = 2,
     .share = {0.1, 0.4},
     .n_strengths = 3,
     .strength = {1, 3, 9},
     .classifier = "mlp", /* trees of 784 pixels would take the greater part of the time of all sets */
     .takes = BY_KINDS},
    {.name = "shuttle",
     .file = "shuttle.csv.gz",
     .n_kinds = 6,
     .kind = {2, 3, 4, 5, 6, 7},
     .n_shares = 4,
     .share = {0.01, 0.05, 0.1, 0.15},
     .n_strengths = 1,
     .strength = {AS_PUBLISHED},
     .takes = BY_KINDS},
    {.name = "wine", .file = "wine.csv", .positive = "red", .propensity = "ph", BY_PROPENSITY},
    {.name = "wine 2",
     .directory = "wine",
     .file = "wine.csv",
     .positive = "red",
     .propensity = "quality,residual_sugar",
     BY_PROPENSITY},
    {.name = "mushroom", .file = "mushroom.csv", .positive = "p", .propensity = "population", BY_PROPENSITY},
    {.name = "mushroom 2",
     .directory = "mushroom",
     .file = "mushroom.csv",
     .positive = "p",
     .propensity = "cap_color,bruises",
     BY_PROPENSITY},
};

const struct selected_set *selected_set_at(size_t index)
{
    return index < sizeof sets / sizeof sets[0] ? &sets[index] : NULL;
}

/* ---- reading ---- */

static dedpul_status open_stream(const struct selected_data *data, const char *directory, const char *file,
                                 struct stream *stream, dedpul_error *error)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s/%s", directory,
                 data->set->directory != NULL ? data->set->directory : data->set->name,
                 file) >= (int)sizeof path)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the name of the directory of the data sets is too long");
    return stream_open(stream, path, error);
}

/* The classes of a column of texts, of which one is positive: 0 for it, and 1 for the others. */
static dedpul_status class_texts(struct context *context, const struct selected_data *data,
                                 const struct column *target, const double **class)
{
    double *number = context_allocate(context, data->rows->n_rows, sizeof *number);
    if (number == NULL)
        return DEDPUL_NO_MEMORY;
    if (target->code == NULL)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s: column '%s' must be of texts",
                         data->stream.name, target->schema.name);
    for (size_t i = 0; i < data->rows->n_rows; i++) {
        const uint32_t code = target->code[i];
        number[i] =
            code >= target->schema.n_levels || strcmp(target->schema.level[code], data->set->positive) != 0;
    }
    *class = number;
    return DEDPUL_OK;
}

static size_t place_of(const struct selected_set *set, double value)
{
    size_t kind = 0;
    while (kind < set->n_kinds && set->kind[kind] != (int)value)
        kind++;
    return kind;
}

static dedpul_status sort_rows(struct selected_data *data, size_t n, const double *class, dedpul_error *error)
{
    struct context context = context_of(&data->memory, NULL, error);
    for (size_t k = 0; k <= data->set->n_kinds; k++) {
        data->row[k] = context_allocate(&context, n, sizeof *data->row[k]);
        if (data->row[k] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t k = place_of(data->set, class[i]);
        data->row[k][data->n[k]++] = (uint32_t)i;
    }
    return DEDPUL_OK;
}

static dedpul_status read_classes(struct selected_data *data, dedpul_error *error)
{
    const struct table_request request = {.most_levels = 256};
    struct table_reader *reader = NULL;
    struct table *rows;
    dedpul_status status = table_reader_open(&data->labels, &request, NULL, error, &reader);
    if (status == DEDPUL_OK)
        status = table_reader_next(reader, SIZE_MAX, &rows);
    if (status == DEDPUL_OK && rows->n_rows != data->rows->n_rows)
        status = error_set(error, DEDPUL_INVALID_DATA, "%s has %zu labels, but there are %zu rows",
                           data->set->labels, rows->n_rows, data->rows->n_rows);
    if (status == DEDPUL_OK)
        status = sort_rows(data, rows->n_rows, rows->column[0].number, error);
    table_reader_free(reader);
    return status;
}

static dedpul_status check_columns(const struct selected_data *data, dedpul_error *error)
{
    for (size_t c = 0; c < data->rows->n_columns; c++)
        if (data->rows->column[c].schema.kind != COLUMN_NUMBER)
            return error_set(error, DEDPUL_INVALID_DATA, "%s: column '%s' must be of numbers",
                             data->stream.name, data->rows->column[c].schema.name);
    return DEDPUL_OK;
}

static dedpul_status read_data(struct selected_data *data, const char *directory, dedpul_error *error)
{
    const struct selected_set *set = data->set;
    const struct table_request request = {.most_levels = 256};
    TRY(open_stream(data, directory, set->file, &data->stream, error));
    data->is_open = true;
    TRY(table_reader_open(&data->stream, &request, NULL, error, &data->reader));
    TRY(table_reader_next(data->reader, SIZE_MAX, &data->rows));
    if (set->positive == NULL)
        TRY(check_columns(data, error));
    data->n_features = data->rows->n_columns;
    if (set->labels == NULL) { /* the last column is the target */
        const struct column *target = &data->rows->column[--data->n_features];
        const double *class = target->number;
        struct context context = context_of(&data->memory, NULL, error);
        if (set->positive != NULL)
            TRY(class_texts(&context, data, target, &class));
        return sort_rows(data, data->rows->n_rows, class, error);
    }
    TRY(open_stream(data, directory, set->labels, &data->labels, error));
    data->has_labels = true;
    return read_classes(data, error);
}

dedpul_status selected_data_open(const struct selected_set *set, const char *directory,
                                 struct selected_data **result, dedpul_error *error)
{
    struct selected_data *data = calloc(1, sizeof *data);
    *result = data;
    if (data == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    data->set = set;
    arena_init(&data->memory, NULL);
    return read_data(data, directory, error);
}

void selected_data_free(struct selected_data *data)
{
    if (data == NULL)
        return;
    table_reader_free(data->reader);
    if (data->is_open)
        stream_close(&data->stream);
    if (data->has_labels)
        stream_close(&data->labels);
    arena_free(&data->memory);
    free(data);
}

/* ---- drawing ---- */

/* How many rows of each kind are labeled and unlabeled, and how many negatives there are. */
struct plan {
    size_t labeled[MOST_CLASSES], unlabeled[MOST_CLASSES], negative;
};

static size_t sum_of(size_t n, const size_t *count)
{
    size_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += count[k];
    return sum;
}

/*
 * Half of the strength makes a kind more frequent among labeled rows than in the set, the other half rarer
 * among unlabeled ones. Rates go down from kind to kind in equal ratios. If a kind has too few rows, all
 * samples are smaller.
 */
static void plan_tilted(const struct selected_data *data, double share, unsigned strength, unsigned repeat,
                        struct plan *plan)
{
    const struct selected_set *set = data->set;
    double of_labeled[MOST_CLASSES], of_unlabeled[MOST_CLASSES], labeled = 0, unlabeled = 0, scale = 1;
    for (size_t k = 0; k < set->n_kinds; k++) {
        const double place = (double)((k + set->n_kinds - repeat % set->n_kinds) % set->n_kinds);
        const double tilt = pow(strength, -0.5 * place / (double)(set->n_kinds - 1));
        labeled += of_labeled[k] = (double)data->n[k] * tilt;
        unlabeled += of_unlabeled[k] = (double)data->n[k] / tilt;
    }
    for (size_t k = 0; k < set->n_kinds; k++) {
        of_labeled[k] *= set->labeled / labeled;
        of_unlabeled[k] *= share * set->unlabeled / unlabeled;
        scale = fmin(scale, ((double)data->n[k] - 1) / (of_labeled[k] + of_unlabeled[k]));
    }
    scale = fmin(scale, (double)data->n[set->n_kinds] / ((1 - share) * set->unlabeled));
    for (size_t k = 0; k < set->n_kinds; k++) {
        plan->labeled[k] = (size_t)lround(scale * of_labeled[k]);
        plan->unlabeled[k] = (size_t)lround(scale * of_unlabeled[k]);
    }
    plan->negative = (size_t)lround((double)sum_of(set->n_kinds, plan->unlabeled) * (1 - share) / share);
    if (plan->negative > data->n[set->n_kinds])
        plan->negative = data->n[set->n_kinds];
}

/*
 * The published protocol of shuttle: all rows take part. Of each small class a random share, at least that of
 * the positives, is unlabeled. Of the two large ones, 4 and 5, equally many stay labeled or, if class 5 has
 * too few for that, equally many become unlabeled.
 */
static void plan_published(const struct selected_data *data, double share, struct rng *rng, struct plan *plan)
{
    enum { CLASS_4 = 2, CLASS_5 = 3 };
    const size_t n = data->set->n_kinds;
    plan->negative = data->n[n];
    size_t left = (size_t)((double)plan->negative * share / (1 - share));
    for (size_t k = 0; k < n; k++)
        if (k != CLASS_4 && k != CLASS_5) {
            const size_t least = (size_t)ceil(share * (double)data->n[k]);
            plan->unlabeled[k] = least + rng_below(rng, (uint32_t)(data->n[k] - least));
            left -= plan->unlabeled[k];
        }
    const size_t stay = (data->n[CLASS_4] + data->n[CLASS_5] - left) / 2;
    const bool is_equal_left = stay <= data->n[CLASS_5] && data->n[CLASS_4] - stay <= left;
    plan->unlabeled[CLASS_4] = is_equal_left ? data->n[CLASS_4] - stay : left / 2;
    plan->unlabeled[CLASS_5] = left - plan->unlabeled[CLASS_4];
    for (size_t k = 0; k < n; k++)
        plan->labeled[k] = data->n[k] - plan->unlabeled[k];
}

dedpul_status selected_choose(struct context *context, const struct selected_data *data, size_t class,
                              size_t wanted, struct rng *rng, uint32_t *row)
{
    struct block *mark = context_mark(context);
    const size_t n = data->n[class];
    uint32_t *deck = context_allocate(context, n, sizeof *deck);
    if (deck == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(deck, data->row[class], n * sizeof *deck);
    for (size_t i = 0; i < wanted; i++) {
        const size_t j = i + rng_below(rng, (uint32_t)(n - i));
        row[i] = deck[j];
        deck[j] = deck[i];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Fills rows, labels and kinds: of each kind first the labeled rows, and negatives last. */
static dedpul_status fill_rows(struct context *context, const struct selected_data *data,
                               const struct plan *plan, struct rng *rng, struct table *table, uint32_t *row)
{
    const size_t n_kinds = data->set->n_kinds;
    size_t at = 0;
    for (size_t k = 0; k <= n_kinds; k++) {
        const size_t labeled = k < n_kinds ? plan->labeled[k] : 0;
        const size_t n = labeled + (k < n_kinds ? plan->unlabeled[k] : plan->negative);
        TRY(selected_choose(context, data, k, n, rng, row + at));
        for (size_t i = 0; i < n; i++) {
            table->label[at + i] = i < labeled;
            table->kind[at + i] = i < labeled ? (uint32_t)k : KIND_NONE;
        }
        at += n;
    }
    return DEDPUL_OK;
}

static dedpul_status name_kinds(struct context *context, const struct selected_set *set, struct table *table)
{
    enum { NAME_SIZE = 12 };
    char **name = context_allocate(context, set->n_kinds, sizeof *name);
    char *text = context_allocate(context, set->n_kinds, NAME_SIZE);
    if (name == NULL || text == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < set->n_kinds; k++) {
        name[k] = text + k * NAME_SIZE;
        (void)snprintf(name[k], NAME_SIZE, "%d", set->kind[k]);
    }
    table->n_kinds = set->n_kinds;
    table->kind_name = name;
    return DEDPUL_OK;
}

dedpul_status selected_gather(struct context *context, const struct table *from, const uint32_t *row,
                              struct table *table)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &from->column[c];
        table->column[c] = (struct column){.schema = column->schema};
        if (column->number != NULL) {
            double *number = context_allocate(context, table->n_rows, sizeof *number);
            for (size_t i = 0; number != NULL && i < table->n_rows; i++)
                number[i] = column->number[row[i]];
            table->column[c].number = number;
        } else {
            uint32_t *code = context_allocate(context, table->n_rows, sizeof *code);
            for (size_t i = 0; code != NULL && i < table->n_rows; i++)
                code[i] = column->code[row[i]];
            table->column[c].code = code;
        }
        if (table->column[c].number == NULL && table->column[c].code == NULL)
            return DEDPUL_NO_MEMORY;
    }
    return DEDPUL_OK;
}

dedpul_status selected_draw_rows(struct context *context, const struct selected_data *data, double share,
                                 unsigned strength, unsigned repeat, struct rng *rng,
                                 struct selected_draw *draw)
{
    const size_t n_kinds = data->set->n_kinds;
    struct table *table = &draw->table;
    struct plan plan;
    if (data->set->propensity != NULL)
        return propensity_draw_rows(context, data, share, strength, repeat, rng, draw);
    if (strength == AS_PUBLISHED)
        plan_published(data, share, rng, &plan);
    else
        plan_tilted(data, share, strength, repeat, &plan);
    memcpy(draw->unlabeled, plan.unlabeled, sizeof draw->unlabeled);
    draw->n_unlabeled = sum_of(n_kinds, plan.unlabeled) + plan.negative;
    *table = (struct table){.n_rows = draw->n_unlabeled + sum_of(n_kinds, plan.labeled),
                            .n_columns = data->n_features};
    table->column = context_allocate(context, table->n_columns, sizeof *table->column);
    table->label = context_allocate(context, table->n_rows, 1);
    table->kind = context_allocate(context, table->n_rows, sizeof *table->kind);
    uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
    if (table->column == NULL || table->label == NULL || table->kind == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(name_kinds(context, data->set, table));
    TRY(fill_rows(context, data, &plan, rng, table, row));
    return selected_gather(context, data->rows, row, table);
}
