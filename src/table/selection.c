#include "selection.h"

#include "csv_header.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

bool selection_set(struct selection *selection, size_t column, size_t target)
{
    if (column >= selection->n_targets) {
        size_t n = 2 * selection->n_targets;
        if (n <= column)
            n = column + 1;
        size_t *grown =
            selection->allocator.resize(selection->allocator.context, selection->target, n * sizeof *grown);
        if (grown == NULL)
            return false;
        for (size_t i = selection->n_targets; i < n; i++)
            grown[i] = selection->beyond;
        selection->target = grown;
        selection->n_targets = n;
    }
    selection->target[column] = target;
    return true;
}

void selection_free(struct selection *selection)
{
    (void)selection->allocator.resize(selection->allocator.context, selection->target, 0);
}

/* ---- names ---- */

static const char *text_at(const void *list, size_t index)
{
    return ((const struct texts *)list)->text[index];
}

enum { ADVICE_SIZE = NAME_HINT_SIZE + 64 };

/* Says how the file's columns are called, and which comes nearest to the name. */
static const char *describe_columns(char buffer[ADVICE_SIZE], const struct row_source *source,
                                    const char *name)
{
    char hint[NAME_HINT_SIZE];
    if (source->is_header_data)
        (void)snprintf(buffer, ADVICE_SIZE, NO_HEADER_ADVICE);
    else if (source->has_names)
        (void)snprintf(buffer, ADVICE_SIZE, "%s%s",
                       name_hint(hint, text_at, &source->names, source->names.n, name),
                       source->n_columns == 1 ? " (columns are separated by comma, semicolon or tab)" : "");
    else if (source->is_sparse)
        (void)snprintf(buffer, ADVICE_SIZE, "columns of a libsvm file are called label, 1, 2, ...");
    else
        (void)snprintf(buffer, ADVICE_SIZE, "its columns have no names but numbers, 1 to %zu%s",
                       row_source_numbered(source), source->begins_with_label ? ", after 'label'" : "");
    return buffer;
}

/* What a column can be beside a feature: in messages, and the option that names the column. */
struct role {
    size_t target;
    const char *meaning, *plural, *option;
};

static const struct role roles[] = {
    {TARGET_LABEL, "the label", "labels", "label"},
    {TARGET_WEIGHT, "the weight", "weights", "weight"},
    {TARGET_TRUTH, "the true class", "truths", "truth"},
    {TARGET_ID, "the identifier", "identifiers", "id"},
    {TARGET_GROUP, "the group", "groups", "group"},
    {TARGET_KIND, "the kind", "kinds", "kind"},
    {TARGET_PROPENSITY, "the propensity", "propensities", "propensity-value"},
};

/* Returns the role of that target, or NULL. */
static const struct role *role_of(size_t target)
{
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (roles[i].target == target)
            return &roles[i];
    return NULL;
}

static const char *meaning_of(size_t target)
{
    const struct role *role = role_of(target);
    return role != NULL            ? role->meaning
           : target == TARGET_NONE ? "to be left out"
                                   : "a column that the model needs";
}

dedpul_status selection_refuse_two(const struct row_source *source, size_t column, size_t target,
                                   const char *other)
{
    char number[NUMBER_SIZE], quoted[QUOTE_SIZE];
    const char *const name = row_source_name(source, column, number);
    return error_set(source->error, DEDPUL_INVALID_DATA, "%s: column %s cannot be both %s and %s",
                     source->stream->name, quote_text(quoted, name, strlen(name)), meaning_of(target), other);
}

static dedpul_status assign(struct selection *selection, const struct row_source *source, size_t column,
                            size_t target)
{
    const size_t before = selection_get(selection, column);
    if (before == target && target == TARGET_NONE)
        return DEDPUL_OK; /* named twice */
    if (before != TARGET_NEW)
        return selection_refuse_two(source, column, before, meaning_of(target));
    return selection_set(selection, column, target) ? DEDPUL_OK : row_source_no_memory(source);
}

dedpul_status selection_find_role(const struct row_source *source, size_t target, const char *name,
                                  const char *or_else, size_t *column)
{
    const struct role *role = role_of(target);
    char columns[ADVICE_SIZE], quoted[QUOTE_SIZE];
    size_t found;
    if (!row_source_find(source, name, &found))
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s: there is no column %s; %s. Name the column of %s (--%s COL)%s",
                         source->stream->name, quote_text(quoted, name, strlen(name)),
                         describe_columns(columns, source, name), role->plural, role->option, or_else);
    if (source->begins_with_label && target == TARGET_LABEL && found != 0)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s: labels begin its %ss, so their column is 'label' (--label label), not %s",
                         source->stream->name, source->unit, quote_text(quoted, name, strlen(name)));
    *column = found;
    return DEDPUL_OK;
}

/* Selects the column of a role. */
static dedpul_status select_role(struct selection *selection, const struct row_source *source, size_t target,
                                 const char *name, const char *or_else)
{
    size_t column;
    if (name == NULL)
        return DEDPUL_OK;
    TRY(selection_find_role(source, target, name, or_else, &column));
    return assign(selection, source, column, target);
}

/* If labels have a file of their own, a column of that name in the table would become a feature. */
static dedpul_status refuse_label(const struct selection *selection, const struct row_source *source,
                                  const char *name)
{
    char quoted[QUOTE_SIZE];
    size_t column;
    if (!source->has_names || !row_source_find(source, name, &column) ||
        selection_get(selection, column) != TARGET_NEW)
        return DEDPUL_OK;
    (void)quote_text(quoted, name, strlen(name));
    return error_set(source->error, DEDPUL_INVALID_DATA,
                     "%s has a column %s, but the labels are in a file of their own (--labels); leave out "
                     "one of the two (--ignore %s)",
                     source->stream->name, quoted, quoted);
}

dedpul_status selection_take_name(const struct row_source *source, const char **names, const char *purpose,
                                  size_t *column)
{
    const char *text = *names;
    size_t length = strcspn(text, ",");
    char name[256], columns[ADVICE_SIZE], quoted[QUOTE_SIZE];
    *names = text[length] == ',' ? text + length + 1 : NULL;
    trim_blanks(&text, &length);
    *column = NO_COLUMN;
    if (length == 0)
        return DEDPUL_OK;
    const bool fits = length < sizeof name;
    (void)snprintf(name, sizeof name, "%.*s", fits ? (int)length : 0, text);
    if (!fits || !row_source_find(source, name, column))
        return error_set(source->error, DEDPUL_INVALID_DATA, "%s: there is no column %s %s; %s",
                         source->stream->name, quote_text(quoted, text, length), purpose,
                         describe_columns(columns, source, name));
    return DEDPUL_OK;
}

/* Selects the columns to leave out; their names are separated by commas. */
static dedpul_status select_ignored(struct selection *selection, const struct row_source *source,
                                    const char *names)
{
    size_t column;
    while (names != NULL) {
        TRY(selection_take_name(source, &names, "to leave out", &column));
        if (column != NO_COLUMN)
            TRY(assign(selection, source, column, TARGET_NONE));
    }
    return DEDPUL_OK;
}

/* ---- the schema ---- */

/*
 * Decides how a file without names matches the schema: either it has only the columns of the schema, in their
 * order, or it has as many columns as the file that the model was fitted on.
 */
static dedpul_status match_numbered(const struct row_source *source, const struct table_request *request,
                                    bool *is_in_order)
{
    const size_t n = row_source_numbered(source);
    if (n == 0 || request->n_numbered == 0 || n == request->n_numbered) {
        *is_in_order = false;
        return DEDPUL_OK;
    }
    if (n != request->n_schema)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s has %zu columns; the model was fitted on a file with %zu and uses %zu of them. "
                         "Give it either all %zu, or those %zu in their order",
                         source->stream->name, n, request->n_numbered, request->n_schema, request->n_numbered,
                         request->n_schema);
    if ((request->label != NULL && request->labels == NULL) || request->weight != NULL ||
        request->truth != NULL || request->id != NULL)
        return error_set(
            source->error, DEDPUL_INVALID_DATA,
            "%s has %zu columns, those that the model uses, so there is no column of labels, "
            "weights, true classes or identifiers; the file that the model was fitted on had %zu",
            source->stream->name, n, request->n_numbered);
    *is_in_order = true;
    return DEDPUL_OK;
}

static dedpul_status select_schema(struct selection *selection, const struct row_source *source,
                                   const struct table_request *request, bool is_in_order)
{
    for (size_t i = 0; i < request->n_schema; i++) {
        const char *const name = request->schema[i].name;
        char columns[ADVICE_SIZE], quoted[QUOTE_SIZE];
        size_t column = i + source->begins_with_label;
        if (!is_in_order && !row_source_find(source, name, &column)) {
            if (source->is_sparse) /* an absent column is all 0 */
                continue;
            if (!source->has_names && request->n_numbered == 0)
                return error_set(
                    source->error, DEDPUL_INVALID_DATA,
                    "%s has no names of columns, but the model knows its columns by name, such as "
                    "%s; add a first line with the names",
                    source->stream->name, quote_text(quoted, name, strlen(name)));
            return error_set(source->error, DEDPUL_INVALID_DATA,
                             "%s has no column %s, which the model needs; %s", source->stream->name,
                             quote_text(quoted, name, strlen(name)), describe_columns(columns, source, name));
        }
        TRY(assign(selection, source, column, i));
    }
    for (size_t i = 0; i < selection->n_targets; i++)
        if (selection->target[i] == TARGET_NEW)
            selection->target[i] = TARGET_NONE;
    selection->beyond = TARGET_NONE;
    return DEDPUL_OK;
}

dedpul_status selection_init(struct selection *selection, const struct row_source *source,
                             const struct table_request *request)
{
    const size_t n = source->is_sparse ? 1 : source->n_columns;
    bool is_in_order = false;
    *selection = (struct selection){.allocator = source->allocator, .beyond = TARGET_NEW};
    if (!selection_set(selection, n - 1, TARGET_NEW))
        return row_source_no_memory(source);
    if (request->schema != NULL)
        TRY(match_numbered(source, request, &is_in_order));
    if (request->labels == NULL)
        TRY(select_role(selection, source, TARGET_LABEL, request->label,
                        request->schema == NULL ? ", or a file of labels (--labels FILE)"
                                                : ", or that of true classes (--truth COL)"));
    TRY(select_role(selection, source, TARGET_WEIGHT, request->weight, ""));
    TRY(select_role(selection, source, TARGET_TRUTH, request->truth, ""));
    TRY(select_role(selection, source, TARGET_ID, request->id, ""));
    TRY(select_role(selection, source, TARGET_GROUP, request->group, ""));
    TRY(select_role(selection, source, TARGET_KIND, request->kind, ""));
    TRY(select_role(selection, source, TARGET_PROPENSITY, request->propensity, ""));
    if (!is_in_order) /* in order, the columns to leave out are not in the file */
        TRY(select_ignored(selection, source, request->ignore));
    if (request->labels != NULL)
        TRY(refuse_label(selection, source, request->label));
    if (request->schema != NULL)
        TRY(select_schema(selection, source, request, is_in_order));
    else if (source->begins_with_label && selection->target[0] == TARGET_NEW)
        selection->target[0] = TARGET_NONE; /* a label is never a feature, even if it was not asked for */
    return DEDPUL_OK;
}
