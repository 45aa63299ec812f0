#include "fit_input.h"

#include "column_options.h"
#include "message.h"

#include <stddef.h>

#define FIELD(field) offsetof(struct fit_input, field)

const struct command_option fit_input_option_table[] = {
    {"labels", 0, "FILE", NULL,
     "Labels in a file of their own, one per row: a column of text, or an array of one dimension.",
     FIELD(columns.labels)},
    {"no-header", 0, NULL, NULL, NO_HEADER_HELP, FIELD(no_header)},
    {"categorical", 0, "COL,COL", NULL,
     "Columns whose numbers are codes: each is a level, as texts are, and the model keeps that.",
     FIELD(columns.categorical)},
    {"group", 0, "COL", NULL,
     "Column of groups, such as patients or sites: rows of one stay in one fold. It is never a feature.",
     FIELD(columns.group)},
    {"ignore", 0, "COL,COL", NULL, "Columns to leave out.", FIELD(columns.ignore)},
    {"shape", 0, "HxW[xC]", NULL,
     "Columns are the pixels of images, by rows, columns and channels. IDX and CIFAR-10 files and arrays of "
     "3 or 4 dimensions have their shape.",
     FIELD(columns.shape)},
    {"max-levels", 0, "N", "256", "A text column with more distinct texts is refused.", FIELD(max_levels)},
    {"quiet", 'q', NULL, NULL, "Show no progress bar.", FIELD(quiet)},
    {"verbose", 'v', NULL, NULL, "Print a line per epoch.", FIELD(verbose)},
    {.name = NULL},
};

void fit_input_init(void *request)
{
    struct fit_input *input = request;
    dedpul_columns_init(&input->columns);
    dedpul_options_init(&input->options);
}

dedpul_status fit_input_set(void *request, const char *name, const char *value, dedpul_error *error)
{
    return dedpul_options_set(&((struct fit_input *)request)->options, name, value, error);
}

int fit_input_check(struct fit_input *input)
{
    unsigned levels;
    if (input->max_levels == NULL)
        return EXIT_OK;
    if (!read_count("max-levels", input->max_levels, 1, 1000000, &levels))
        return EXIT_FAILED;
    input->columns.most_levels = levels;
    return EXIT_OK;
}

void fit_input_name_files(const struct fit_input *input, struct files *files)
{
    add_input(files, input->columns.labels);
}

bool fit_input_run(struct fit_input *input, bool (*work)(void *request, const dedpul_table *table))
{
    dedpul_error error;
    dedpul_table *table;
    if (input->no_header)
        input->columns.header = "no";
    progress_init(&input->progress, input->quiet, input->verbose);
    input->columns.progress = input->options.progress = progress_show;
    input->columns.progress_context = input->options.progress_context = &input->progress;
    if (dedpul_table_read(input->call.file[0], &input->columns, NULL, &table, &error) != DEDPUL_OK) {
        progress_end(&input->progress);
        complain("%s", error.message);
        return false;
    }
    const bool done = work(input, table);
    dedpul_table_free(table);
    return done;
}
