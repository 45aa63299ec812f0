#include "selected.h"

#include "selected_run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that a line of a table is about. Lines over several sets are about those that take the same
 * approaches. */
struct choice {
    const struct selected_set *like;
    bool is_one_set;   /* only `like` itself */
    unsigned strength; /* of one set; else whether labels are selected */
    const char *method;
};

struct mean {
    size_t n;
    double sum;
};

/* What is known of one approach: errors, intervals, doubts and time. */
struct measures {
    struct mean error, kind_error, held, kinds_held, doubted, seconds;
};

static const struct selected_set *set_of(const struct selected_row *row)
{
    const struct selected_set *set;
    size_t s = 0;
    while ((set = selected_set_at(s)) != NULL && strcmp(set->name, row->set) != 0)
        s++;
    return set;
}

static bool is_chosen(const struct choice *choice, const struct selected_row *row)
{
    const struct selected_set *set = set_of(row);
    if (set == NULL || strcmp(row->method, choice->method) != 0)
        return false;
    if (choice->is_one_set)
        return set == choice->like && row->strength == choice->strength;
    return memcmp(set->takes, choice->like->takes, sizeof set->takes) == 0 &&
           (row->strength != 1) == (choice->strength != 0);
}

static void add(struct mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->n++;
    mean->sum += value;
}

static struct measures measure(const struct selected_rows *rows, const struct choice *choice,
                               const struct selected_approach *approach)
{
    struct measures measures = {.error = {.n = 0}};
    for (size_t i = 0; i < rows->n; i++) {
        const struct selected_row *row = &rows->row[i];
        if (!is_chosen(choice, row) || strcmp(row->approach, approach->name) != 0)
            continue;
        add(&measures.error, fabs(row->estimate - row->target));
        add(&measures.kind_error, row->kind_error);
        add(&measures.held,
            isnan(row->low) ? NAN : (double)(row->target >= row->low && row->target <= row->high));
        add(&measures.kinds_held, row->kinds_held);
        add(&measures.doubted, isnan(row->p_value) ? NAN : (double)(row->p_value < LABEL_CHECK_LEVEL));
        add(&measures.seconds, row->seconds);
    }
    return measures;
}

static void print_share(FILE *stream, const struct mean *mean)
{
    if (mean->n > 0)
        (void)fprintf(stream, " %.0f%%", 100 * mean->sum / (double)mean->n);
    (void)fputs(" |", stream);
}

/* The mean error. If not all runs have one, their number follows. */
static void print_error(FILE *stream, const struct mean *mean, size_t runs)
{
    if (mean->n > 0)
        (void)fprintf(stream, " %.4f", mean->sum / (double)mean->n);
    if (mean->n > 0 && mean->n < runs)
        (void)fprintf(stream, " (%zu)", mean->n);
    (void)fputs(" |", stream);
}

static void print_names(FILE *stream, const struct choice *choice, const struct selected_rows *rows)
{
    const struct selected_set *set;
    const char *separator = "| ";
    for (size_t s = 0; (set = selected_set_at(s)) != NULL; s++)
        for (size_t i = 0; i < rows->n; i++)
            if (set_of(&rows->row[i]) == set && is_chosen(choice, &rows->row[i])) {
                (void)fprintf(stream, "%s%s", separator, set->name);
                separator = ", ";
                break;
            }
    if (!choice->is_one_set)
        (void)fprintf(stream, " | %s", choice->strength != 0 ? "any" : "none");
    else if (choice->strength == AS_PUBLISHED)
        (void)fputs(" | published", stream);
    else if (choice->strength == 1)
        (void)fputs(" | none", stream);
    else
        (void)fprintf(stream, " | %u:1", choice->strength);
    (void)fprintf(stream, " | %s |", choice->method);
}

typedef void line_function(FILE *stream, const struct selected_rows *rows, const struct choice *choice);

static void print_errors(FILE *stream, const struct selected_rows *rows, const struct choice *choice)
{
    struct measures measures[N_APPROACHES];
    size_t runs = 0;
    for (size_t a = 0; a < N_APPROACHES; a++) {
        measures[a] = measure(rows, choice, &selected_approaches[a]);
        runs = measures[a].error.n > runs ? measures[a].error.n : runs;
    }
    if (runs == 0)
        return;
    print_names(stream, choice, rows);
    (void)fprintf(stream, " %zu |", runs);
    for (size_t a = 0; a < N_APPROACHES; a++)
        print_error(stream, &measures[a].error, runs);
    (void)fputc('\n', stream);
}

static void print_details(FILE *stream, const struct selected_rows *rows, const struct choice *choice)
{
    for (size_t a = 0; a < N_APPROACHES; a++) {
        const struct measures measures = measure(rows, choice, &selected_approaches[a]);
        if (measures.error.n == 0)
            continue;
        print_names(stream, choice, rows);
        (void)fprintf(stream, " %s |", selected_approaches[a].title);
        print_error(stream, &measures.kind_error, 0);
        print_share(stream, &measures.held);
        print_share(stream, &measures.kinds_held);
        print_share(stream, &measures.doubted);
        (void)fprintf(stream, " %.1f |\n", measures.seconds.sum / (double)measures.seconds.n);
    }
}

/* Tells whether no earlier set takes the same approaches. */
static bool is_first_of_its_sort(size_t index)
{
    const struct selected_set *set = selected_set_at(index);
    for (size_t s = 0; s < index; s++)
        if (memcmp(selected_set_at(s)->takes, set->takes, sizeof set->takes) == 0)
            return false;
    return true;
}

/* A line for each set, strength and method, and then over all sets that take the same approaches. */
static void print_lines(FILE *stream, const struct selected_rows *rows, line_function *print)
{
    const struct selected_set *set;
    for (size_t s = 0; (set = selected_set_at(s)) != NULL; s++)
        for (size_t k = 0; k < set->n_strengths; k++)
            for (size_t m = 0; m < N_SELECTED_METHODS; m++)
                print(stream, rows, &(struct choice){set, true, set->strength[k], selected_methods[m]});
    for (size_t s = 0; (set = selected_set_at(s)) != NULL; s++)
        for (unsigned selected = 0; selected < 2 && is_first_of_its_sort(s); selected++)
            for (size_t m = 0; m < N_SELECTED_METHODS; m++)
                print(stream, rows, &(struct choice){set, false, selected, selected_methods[m]});
}

static void print_tables(FILE *stream, const struct selected_rows *rows)
{
    (void)fputs("Mean |error| of alpha:\n\n| set | selection | method | runs |", stream);
    for (size_t a = 0; a < N_APPROACHES; a++)
        (void)fprintf(stream, " %s |", selected_approaches[a].title);
    (void)fputs("\n|---|---|---|--:|", stream);
    for (size_t a = 0; a < N_APPROACHES; a++)
        (void)fputs("--:|", stream);
    (void)fputc('\n', stream);
    print_lines(stream, rows, print_errors);
    (void)fputs(
        "\nPublished for shuttle: DEDPUL 0.036, KM1 0.059, KM2 0.045, TIcE 0.043, PULSCAR 0.037, "
        "PULSNAR 0.016.\n\n"
        "Mean |error| of the shares of kinds, intervals that hold the truth, labels that are doubted at "
        "the 5%\nlevel, and seconds of a fit:\n\n"
        "| set | selection | method | approach | by kind | alpha held | kinds held | doubted | seconds "
        "|\n|---|---|---|---|--:|--:|--:|--:|--:|\n",
        stream);
    print_lines(stream, rows, print_details);
}

dedpul_status selected_report(const char *directory, FILE *stream, dedpul_error *error)
{
    char path[PATH_MAX];
    struct selected_rows rows;
    (void)snprintf(path, sizeof path, "%s/selected.csv", directory);
    const dedpul_status status = selected_rows_read(path, &rows, error);
    if (status == DEDPUL_OK)
        print_tables(stream, &rows);
    free(rows.row);
    return status;
}
