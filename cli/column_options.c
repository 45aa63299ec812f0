#include "column_options.h"

#include <stddef.h>

#define FIELD(field) offsetof(dedpul_columns, field)

const struct command_option column_option_table[] = {
    {"label", 0, "COL", "label", "Column that tells labeled positives from unlabeled rows.", FIELD(label)},
    {"positive", 0, "VALUE,VALUE", NULL,
     "Label of the positives, or several; every other value then means unlabeled. Without it, labels are "
     "1/0, 1/-1, true/false or p/u.",
     FIELD(positive)},
    {"weight", 0, "COL", NULL, "Column of weights, which count as numbers of rows.", FIELD(weight)},
    {"id", 0, "COL", NULL, ID_HELP, FIELD(id)},
    {"decimal", 0, ",|.", NULL,
     "Decimal sign of numbers in text. Without it, decimal commas are found if semicolons or tabs separate "
     "the "
     "columns.",
     FIELD(decimal)},
    {.name = NULL},
};
