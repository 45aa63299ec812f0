/* The query by which a database bins scores: bins.sql, with the names of columns in its {slots}. */
#include "columns.h"
#include "suggest.h"

#include <string.h>

extern const unsigned char bins_sql[];
extern const size_t bins_sql_size;

/* What databases say differently. */
struct sql_dialect {
    const char *name;
    /* The rows are looked at twice. A copy of them may be large, but without one SQLite computes their logits
     * many times over. */
    const char *materialized;
    const char *number; /* a column as a number */
};

#define ORDINARY_NUMBER "CAST({name} AS double precision)"

/* SQLite keeps texts in columns of numbers, and would take them for 0: an infinite number is refused. */
static const struct sql_dialect dialects[] = {
    {"postgres", "NOT MATERIALIZED", ORDINARY_NUMBER},
    {"duckdb", "NOT MATERIALIZED", ORDINARY_NUMBER},
    {"sqlite", "MATERIALIZED",
     "CASE WHEN typeof({name}) IN ('text', 'blob') THEN 9e999 ELSE " ORDINARY_NUMBER " END"},
};

enum { N_DIALECTS = sizeof dialects / sizeof dialects[0] };

const char *dedpul_sql_dialect_name(size_t index)
{
    return index < N_DIALECTS ? dialects[index].name : NULL;
}

static const char *name_of_dialect(const void *list, size_t index)
{
    (void)list;
    return dialects[index].name;
}

/* ---- text that may be longer than its place ---- */

struct output {
    char *text; /* (capacity) */
    size_t capacity, length;
};

static void put(struct output *output, size_t length, const char *text)
{
    if (output->length + length < output->capacity)
        memcpy(output->text + output->length, text, length);
    output->length += length;
}

/* A name in double quotes, so that nothing in it can end it. The table's name comes first: SQLite would take
 * a name in quotes that no column has for a text. */
static void put_column(struct output *output, const char *name)
{
    static const char begin[] = "dedpul_source.\"";
    put(output, sizeof begin - 1, begin);
    for (; *name != '\0'; name++)
        put(output, *name == '"' ? 2 : 1, *name == '"' ? "\"\"" : name);
    put(output, 1, "\"");
}

/* ---- slots ---- */

struct filling {
    const struct sql_dialect *dialect;
    dedpul_columns columns;
    size_t query_length;
    const char *query;
    const char *name; /* of the column that {name} stands for, in a dialect's number */
};

static void fill(struct output *output, const struct filling *filling, size_t length, const char *text);

static void put_text(struct output *output, const char *text)
{
    put(output, strlen(text), text);
}

static void put_number(struct output *output, const struct filling *filling, const char *name)
{
    struct filling inner = *filling;
    inner.name = name;
    fill(output, &inner, strlen(filling->dialect->number), filling->dialect->number);
}

static void put_materialized(struct output *output, const struct filling *filling)
{
    put_text(output, filling->dialect->materialized);
}

static void put_query(struct output *output, const struct filling *filling)
{
    put(output, filling->query_length, filling->query);
}

static void put_label(struct output *output, const struct filling *filling)
{
    put_column(output, filling->columns.label);
}

static void put_score(struct output *output, const struct filling *filling)
{
    put_number(output, filling, filling->columns.score);
}

static void put_weight(struct output *output, const struct filling *filling)
{
    if (filling->columns.weight != NULL)
        put_number(output, filling, filling->columns.weight);
    else
        put_text(output, "1");
}

static void put_column_name(struct output *output, const struct filling *filling)
{
    put_column(output, filling->name);
}

static void put_squares(struct output *output, const struct filling *filling)
{
    if (filling->columns.weight != NULL)
        put_text(output, ", sum(weight * weight) AS squares, count(*) AS counted");
}

static void put_squares_again(struct output *output, const struct filling *filling)
{
    if (filling->columns.weight != NULL)
        put_text(output, ", squares, counted");
}

static const struct slot {
    const char *name;
    void (*put)(struct output *output, const struct filling *filling);
} slots[] = {{"{materialized}", put_materialized},
             {"{query}", put_query},
             {"{label}", put_label},
             {"{score}", put_score},
             {"{weight}", put_weight},
             {"{name}", put_column_name},
             {"{squares}", put_squares},
             {"{same_squares}", put_squares_again}};

/* Every brace of a text of ours begins a slot. */
static void fill(struct output *output, const struct filling *filling, size_t length, const char *text)
{
    const char *end = text + length, *open;
    while ((open = memchr(text, '{', (size_t)(end - text))) != NULL) {
        put(output, (size_t)(open - text), text);
        const struct slot *slot = slots;
        while (strncmp(open, slot->name, strlen(slot->name)) != 0)
            slot++;
        slot->put(output, filling);
        text = open + strlen(slot->name);
    }
    put(output, (size_t)(end - text), text);
}

/* ---- the query ---- */

static dedpul_status find_dialect(const char *name, const struct sql_dialect **dialect, dedpul_error *error)
{
    char quoted[QUOTE_SIZE], hint[NAME_HINT_SIZE];
    const size_t index = name_find(name_of_dialect, NULL, N_DIALECTS, name);
    if (index == N_DIALECTS)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "dialect: %s is not known; %s",
                         quote_text(quoted, name, strlen(name)),
                         name_hint(hint, name_of_dialect, NULL, N_DIALECTS, name));
    *dialect = &dialects[index];
    return DEDPUL_OK;
}

/* The length without blanks and semicolons at the end, since the query becomes part of another. */
static size_t trimmed_length(const char *query)
{
    size_t length = strlen(query);
    while (length > 0 && strchr(" \t\r\n;", query[length - 1]) != NULL)
        length--;
    return length;
}

static dedpul_status check_name(const char *what, const char *name, dedpul_error *error)
{
    if (name != NULL && *name == '\0')
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: the name of the column is empty", what);
    return DEDPUL_OK;
}

dedpul_status dedpul_bins_query(const char *dialect, const char *query, const dedpul_columns *columns,
                                size_t capacity, char *text, size_t *length, dedpul_error *error)
{
    struct filling filling = {.query = query, .query_length = trimmed_length(query)};
    TRY(find_dialect(dialect, &filling.dialect, error));
    TRY(columns_read(columns, &filling.columns, error));
    TRY(check_name("label", filling.columns.label, error));
    TRY(check_name("score", filling.columns.score, error));
    TRY(check_name("weight", filling.columns.weight, error));
    if (filling.query_length == 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the query is empty; give one that selects labels and scores, such as "
                         "\"SELECT label, score FROM scored\"");
    struct output output = {.text = text, .capacity = capacity};
    fill(&output, &filling, bins_sql_size, (const char *)bins_sql);
    if (capacity > 0)
        text[output.length < capacity ? output.length : 0] = '\0';
    *length = output.length;
    return DEDPUL_OK;
}
