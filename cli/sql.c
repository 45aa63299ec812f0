/* dedpul sql: the query by which a database bins scores, for 'dedpul scores'. */
#include "command.h"
#include "message.h"

#include <stddef.h>
#include <stdlib.h>

struct request {
    struct invocation call; /* file: the query */
    const char *dialect;
    dedpul_columns columns;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"dialect", 0, "NAME", "postgres", "The database: postgres, duckdb or sqlite.", FIELD(dialect)},
    {"label", 0, "COL", "label", "Column that tells labeled positives from unlabeled rows.",
     FIELD(columns.label)},
    {"score", 0, "COL", "score", "Column of scores in [0, 1], high for positives.", FIELD(columns.score)},
    {"weight", 0, "COL", NULL, "Column of weights, which count as numbers of rows.", FIELD(columns.weight)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0}, {.options = NULL}};

static const char *name_at(const char *option, size_t index)
{
    (void)option; /* only one takes a name */
    return dedpul_sql_dialect_name(index);
}

static const struct command_line line = {
    .command = "sql",
    .groups = groups,
    .n_files = 1,
    .files = "a query in quotes",
    .takes_text = true,
    .name_at = name_at,
};

static void print_help(void)
{
    (void)puts("Usage: dedpul sql [OPTION...] QUERY\n"
               "\n"
               "Prints the SQL by which a database bins the scores of a query's rows, so that millions\n"
               "of them become at most some hundred thousand lines with the columns label, score and n.\n"
               "From these, 'dedpul scores' estimates as from the rows.\n"
               "\n"
               "QUERY selects labels and scores, and may do anything else that the database can.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    (void)puts("\nExamples:\n"
               "  psql --csv -c \"$(dedpul sql 'SELECT label, score FROM scored')\" |\n"
               "      dedpul scores - --weight n\n"
               "  sqlite3 -csv -header my.db \"$(dedpul sql --dialect sqlite 'SELECT * FROM scored')\" |\n"
               "      dedpul scores - --weight n");
}

static void init(void *argument)
{
    struct request *request = argument;
    request->dialect = own[0].default_value;
    dedpul_columns_init(&request->columns);
}

static bool write_query(const struct request *request, size_t capacity, char *text, size_t *length)
{
    dedpul_error error;
    if (dedpul_bins_query(request->dialect, request->call.file[0], &request->columns, capacity, text, length,
                          &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

static bool run(void *argument)
{
    const struct request *request = argument;
    size_t length;
    if (!write_query(request, 0, NULL, &length))
        return false;
    char *text = malloc(length + 1);
    if (text == NULL) {
        complain("out of memory");
        return false;
    }
    const bool done = write_query(request, length + 1, text, &length);
    if (done)
        (void)fputs(text, stdout);
    free(text);
    return done && flush_output();
}

const struct command command_sql = {
    .name = "sql",
    .summary = "the query that bins scores in a database, for 'dedpul scores'",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = init,
    .run = run,
};
