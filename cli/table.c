/* Tables that commands fit. */
#include "command.h"

#include <stddef.h>

#define FIELD(field) offsetof(struct table_input, field)

const struct command_option table_options[] = {
    {"label", 0, "COL", "label", "Column that tells labeled positives from unlabeled.", FIELD(columns.label)},
    {"positive", 0, "VALUE", NULL,
     "Label of the positives; every other value then means unlabeled. Without it, labels are 1/0, 1/-1, "
     "true/false or p/u.",
     FIELD(columns.positive)},
    {"weight", 0, "COL", NULL, "Column of weights, which have the meaning of counts of rows.",
     FIELD(columns.weight)},
    {"ignore", 0, "COL,COL", NULL, "Columns to leave out, such as identifiers.", FIELD(columns.ignore)},
    {"max-levels", 0, "N", "256", "A text column with more distinct texts is refused.", FIELD(max_levels)},
    {NULL, 0, NULL, NULL, NULL, 0},
};

bool table_input_check(struct table_input *input)
{
    unsigned levels;
    if (input->max_levels == NULL)
        return true;
    if (!read_count("max-levels", input->max_levels, 1, 1000000, &levels))
        return false;
    input->columns.most_levels = levels;
    return true;
}

dedpul_table *table_input_read(const struct table_input *input)
{
    dedpul_error error;
    dedpul_table *table;
    if (dedpul_table_read(input->file, &input->columns, NULL, &table, &error) == DEDPUL_OK)
        return table;
    complain("%s", error.message);
    return NULL;
}

void print_table_formats(void)
{
    (void)puts("FILE is delimited text with a header line (comma, semicolon or tab), a NumPy file\n"
               "(.npy) or libsvm text; it may be gzipped; - is standard input. Columns of NumPy and\n"
               "libsvm files are called 1, 2, ...; libsvm's label is called label.\n");
}

const dedpul_option_info *fit_option_at(size_t index)
{
    const size_t n = dedpul_fit_option_count();
    return index < n ? dedpul_fit_option_at(index) : dedpul_option_at(index - n);
}
