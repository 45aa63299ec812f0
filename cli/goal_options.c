#include "goal_options.h"

#include "message.h"

#include <stddef.h>

#define FIELD(index) offsetof(struct goal_options, value[index])

const struct command_option goal_option_table[N_GOALS + 1] = {
    {"precision", 0, "X", NULL,
     "Threshold: flag as many rows as have this precision with a probability of 85%.", FIELD(0)},
    {"recall", 0, "X", NULL, "Threshold: flag as few rows as have this recall with a probability of 85%.",
     FIELD(1)},
    {"top", 0, "N", NULL, "Threshold: flag N rows, fewer if scores tie.", FIELD(2)},
    {"share", 0, "X", NULL, "Threshold: flag this share of the unlabeled rows.", FIELD(3)},
    {"cost", 0, "FP:FN", NULL,
     "Threshold: the lowest expected cost, if a false positive and a false negative cost so much.", FIELD(4)},
    {"max", 0, "f1", NULL, "Threshold: the highest F1.", FIELD(5)},
    {"threshold", 0, "X", NULL, "Threshold: flag the rows of at least this score.", FIELD(6)},
    {.name = NULL},
};

bool goal_is_given(const struct goal_options *goals)
{
    for (size_t i = 0; i < N_GOALS; i++)
        if (goals->value[i] != NULL)
            return true;
    return false;
}

int goal_options_read(const struct goal_options *goals, dedpul_evaluate_options *options)
{
    dedpul_error error;
    const char *given = NULL;
    for (size_t i = 0; i < N_GOALS; i++) {
        const char *name = goal_option_table[i].name, *value = goals->value[i];
        if (value == NULL)
            continue;
        if (given != NULL) {
            complain("--%s and --%s exclude each other: there is one threshold", given, name);
            return EXIT_USAGE;
        }
        given = name;
        if (dedpul_evaluate_options_set(options, name, value, &error) != DEDPUL_OK) {
            complain("%s", error.message);
            return EXIT_FAILED;
        }
    }
    return EXIT_OK;
}
