/* Which columns of a file become what. */
#ifndef DEDPUL_TABLE_SELECTION_H
#define DEDPUL_TABLE_SELECTION_H

#include "row_source.h"
#include "table.h"

/* A target is the index of one of the table's columns, or one of these. */
#define TARGET_NEW SIZE_MAX        /* becomes the next column of the table */
#define TARGET_NONE (SIZE_MAX - 1) /* is left out */
#define TARGET_LABEL (SIZE_MAX - 2)
#define TARGET_WEIGHT (SIZE_MAX - 3)
#define TARGET_TRUTH (SIZE_MAX - 4)
#define TARGET_ID (SIZE_MAX - 5)
#define TARGET_GROUP (SIZE_MAX - 6)
#define TARGET_KIND (SIZE_MAX - 7)
#define TARGET_PROPENSITY (SIZE_MAX - 8)

struct selection {
    dedpul_allocator allocator;
    size_t n_targets;
    size_t *target; /* (n_targets) by the file's columns */
    size_t beyond;  /* the target of all further columns of a sparse file */
};

/*
 * Finds the columns that the request names and checks that no column has two roles. Without a schema, columns
 * without a role are TARGET_NEW. With a schema, its columns get their index in it, and all others are left
 * out. To be freed whatever the outcome.
 */
dedpul_status selection_init(struct selection *selection, const struct row_source *source,
                             const struct table_request *request);

/*
 * Finds the column of that name for TARGET_LABEL or another of the roles. The message ends with or_else, what
 * helps besides naming another column.
 */
dedpul_status selection_find_role(const struct row_source *source, size_t target, const char *name,
                                  const char *or_else, size_t *column);

#define NO_COLUMN SIZE_MAX

/*
 * Takes the first name off a list that commas separate, and finds its column; NO_COLUMN if the name is empty.
 * *names is NULL after the last. A message about a column that is not there says for what `purpose` it was.
 */
dedpul_status selection_take_name(const struct row_source *source, const char **names, const char *purpose,
                                  size_t *column);

/* The error about a column that has a target, and was named for something else. */
dedpul_status selection_refuse_two(const struct row_source *source, size_t column, size_t target,
                                   const char *other);

/* Changes the target of one column. False: no memory. */
bool selection_set(struct selection *selection, size_t column, size_t target);

static inline size_t selection_get(const struct selection *selection, size_t column)
{
    return column < selection->n_targets ? selection->target[column] : selection->beyond;
}

void selection_free(struct selection *selection);

#endif
