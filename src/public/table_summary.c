/* What the columns of a table are like. */
#include "column_summary.h"

#include "handle.h"
#include "tables.h"
#include "weighted.h"

struct summary_handle {
    dedpul_table_summary public; /* first: a dedpul_table_summary * is a struct summary_handle * */
    struct arena memory;
};

static const char *level_name(const struct column *column, uint32_t level)
{
    return level == LEVEL_MISSING ? NULL : column->schema.level[level];
}

static dedpul_column_summary show(const struct column *column, const struct column_summary *summary)
{
    return (dedpul_column_summary){
        .name = column->schema.name,
        .auc = summary->auc,
        .missing = summary->missing,
        .median_labeled = summary->median[1],
        .median_unlabeled = summary->median[0],
        .level_labeled = level_name(column, summary->level[1]),
        .level_unlabeled = level_name(column, summary->level[0]),
        .share_labeled = summary->share[1],
        .share_unlabeled = summary->share[0],
    };
}

/* There must be rows that count of either label. */
static dedpul_status check_sides(const struct table *table, dedpul_error *error)
{
    bool has[2] = {false, false};
    for (size_t i = 0; i < table->n_rows; i++)
        has[table->label[i]] = has[table->label[i]] || weight_at(table->weight, i) > 0;
    if (has[0] && has[1])
        return DEDPUL_OK;
    return error_set(error, DEDPUL_INVALID_DATA, "the table has no %s rows",
                     has[0] ? "labeled" : "unlabeled");
}

static dedpul_status run(struct context *context, const struct table *table, struct summary_handle *shown)
{
    const size_t n = table->n_columns;
    struct column_summary *summary = context_allocate(context, n, sizeof *summary);
    dedpul_column_summary *column = context_allocate_in(context, &shown->memory, n, sizeof *column);
    const dedpul_column_summary **columns =
        context_allocate_in(context, &shown->memory, n, sizeof(dedpul_column_summary *));
    if (summary == NULL || column == NULL || columns == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(check_sides(table, context->error));
    TRY(summarise_columns(context, table, summary));
    for (size_t c = 0; c < n; c++) {
        column[c] = show(&table->column[c], &summary[c]);
        columns[c] = &column[c];
    }
    shown->public = (dedpul_table_summary){sizeof shown->public, n, columns};
    return DEDPUL_OK;
}

void dedpul_table_summary_free(dedpul_table_summary *public)
{
    struct summary_handle *shown = (struct summary_handle *)public;
    if (shown == NULL)
        return;
    const dedpul_allocator allocator = shown->memory.allocator;
    arena_free(&shown->memory);
    handle_free(allocator, shown);
}

dedpul_status dedpul_table_summarise(const dedpul_table *table, unsigned threads,
                                     const dedpul_allocator *allocator, dedpul_table_summary **summary,
                                     dedpul_error *error)
{
    struct arena arena;
    if (table == NULL || summary == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and summary must not be NULL");
    TRY(table_check_labels(table, error));
    struct summary_handle *shown = handle_allocate(allocator, sizeof *shown, error);
    if (shown == NULL)
        return DEDPUL_NO_MEMORY;
    arena_init(&shown->memory, allocator);
    arena_init(&arena, allocator);
    struct context context = context_of(&arena, NULL, error);
    context.threads = threads_or_default(threads);
    const dedpul_status status = run(&context, table->rows, shown);
    arena_free(&arena);
    if (status == DEDPUL_OK)
        *summary = &shown->public;
    else
        dedpul_table_summary_free(&shown->public);
    return status;
}
