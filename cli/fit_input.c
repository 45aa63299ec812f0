/* What commands that fit have in common. */
#include "command.h"

#include <stddef.h>
#include <string.h>

#define FIELD(field) offsetof(struct fit_input, field)

const struct command_option fit_input_options[] = {
    {"label", 0, "COL", "label", "Column that tells labeled positives from unlabeled.", FIELD(columns.label)},
    {"labels", 0, "FILE", NULL,
     "Labels in a file of their own, one per row: a column of text, or an array of one dimension.",
     FIELD(columns.labels)},
    {"positive", 0, "VALUE,VALUE", NULL,
     "Label of the positives, or several; every other value then means unlabeled. Without it, labels are "
     "1/0, 1/-1, true/false or p/u.",
     FIELD(columns.positive)},
    {"weight", 0, "COL", NULL, "Column of weights, which have the meaning of counts of rows.",
     FIELD(columns.weight)},
    {"ignore", 0, "COL,COL", NULL, "Columns to leave out, such as identifiers.", FIELD(columns.ignore)},
    {"shape", 0, "HxW[xC]", NULL,
     "Columns are the pixels of images, by rows, columns and channels. IDX and CIFAR-10 files and arrays of "
     "3 or 4 dimensions have their shape.",
     FIELD(columns.shape)},
    {"max-levels", 0, "N", "256", "A text column with more distinct texts is refused.", FIELD(max_levels)},
    {"quiet", 'q', NULL, NULL, "No progress bar.", FIELD(quiet)},
    {"verbose", 'v', NULL, NULL, "A line per epoch.", FIELD(verbose)},
    {NULL, 0, NULL, NULL, NULL, 0},
};

void fit_input_init(struct fit_input *input)
{
    dedpul_columns_init(&input->columns);
    dedpul_options_init(&input->options);
}

dedpul_status fit_input_set(void *request, const char *name, const char *value, dedpul_error *error)
{
    return dedpul_options_set(&((struct fit_input *)request)->options, name, value, error);
}

bool fit_input_check(struct fit_input *input)
{
    unsigned levels;
    if (input->max_levels == NULL)
        return true;
    if (!read_count("max-levels", input->max_levels, 1, 1000000, &levels))
        return false;
    input->columns.most_levels = levels;
    return true;
}

int fit_input_run(struct fit_input *input, bool (*work)(void *request, const dedpul_table *table))
{
    dedpul_error error;
    dedpul_table *table;
    if (dedpul_table_read(input->file, &input->columns, NULL, &table, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return EXIT_FAILED;
    }
    progress_init(&input->progress, input->quiet, input->verbose);
    input->options.progress = progress_show;
    input->options.progress_context = &input->progress;
    const bool done = work(input, table);
    dedpul_table_free(table);
    return done ? EXIT_OK : EXIT_FAILED;
}

void print_table_formats(void)
{
    (void)puts("FILE is delimited text with a header line (comma, semicolon or tab), a NumPy file\n"
               "(.npy), libsvm text, or images as of MNIST (IDX) or CIFAR-10 (binary); it may be\n"
               "gzipped; - is standard input. Columns of all but delimited text are called 1, 2, ...;\n"
               "the label of libsvm and CIFAR-10 is called label.\n");
}

const dedpul_option_info *fit_option_except(size_t index, size_t n, const char *const *left_out)
{
    const dedpul_option_info *info;
    size_t kept = 0;
    for (size_t i = 0; (info = dedpul_option_at(i)) != NULL; i++) {
        size_t k = 0;
        while (k < n && strcmp(info->name, left_out[k]) != 0)
            k++;
        if (k == n && kept++ == index)
            break;
    }
    return info;
}
