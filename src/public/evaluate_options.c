#include "evaluate_options.h"

#include "number.h"
#include "sized.h"
#include "suggest.h"

#include <math.h>
#include <string.h>

static dedpul_evaluate_options options_default(void)
{
    return (dedpul_evaluate_options){
        .size = sizeof(dedpul_evaluate_options), .goal = DEDPUL_GOAL_COST, .value = 1, .level = 0.95};
}

void dedpul_evaluate_options_init_sized(dedpul_evaluate_options *options, size_t size)
{
    const dedpul_evaluate_options standard = options_default();
    sized_write(&standard, sizeof standard, options, size);
}

#define SAME(inner, public) _Static_assert((int)(inner) == (int)(public), "enumerations agree")
SAME(CUT_COST, DEDPUL_GOAL_COST);
SAME(CUT_F1, DEDPUL_GOAL_F1);
SAME(CUT_TOP, DEDPUL_GOAL_TOP);
SAME(CUT_SHARE, DEDPUL_GOAL_SHARE);
SAME(CUT_PRECISION, DEDPUL_GOAL_PRECISION);
SAME(CUT_RECALL, DEDPUL_GOAL_RECALL);
SAME(CUT_SCORE, DEDPUL_GOAL_SCORE);

struct cut_request evaluate_options_request(const dedpul_evaluate_options *options)
{
    return (struct cut_request){(enum cut_rule)options->goal, options->value};
}

/* ---- goals ---- */

/* One entry for each goal: its name, the largest value (all are above 0), and what messages say of values. */
static const struct goal {
    dedpul_goal goal;
    const char *name;
    double most;
    const char *values;
} goals[] = {
    {DEDPUL_GOAL_COST, "cost", 1e9, "what a false positive and a false negative cost, such as 1:5"},
    {DEDPUL_GOAL_F1, "max", 0, "f1, the only measure whose maximum can be asked for"},
    {DEDPUL_GOAL_TOP, "top", LARGEST_WEIGHT, "a number of rows"},
    {DEDPUL_GOAL_SHARE, "share", 1, "a share above 0, up to 1"},
    {DEDPUL_GOAL_PRECISION, "precision", 1, "a share above 0, up to 1"},
    {DEDPUL_GOAL_RECALL, "recall", 1, "a share above 0, up to 1"},
    {DEDPUL_GOAL_SCORE, "threshold", 1, "a score above 0, up to 1"},
};

enum { N_GOALS = sizeof goals / sizeof goals[0] };

static const char *goal_name(const void *list, size_t index)
{
    (void)list;
    return goals[index].name;
}

static bool is_value(const struct goal *goal, double value)
{
    return goal->goal == DEDPUL_GOAL_F1 || (value > 0 && value <= goal->most);
}

/* "1:5" is 0.2 */
static bool parse_cost(const char *text, double *value)
{
    const size_t length = strcspn(text, ":");
    double positive, negative;
    if (text[length] != ':' || !parse_double(text, length, &positive) ||
        !parse_double(text + length + 1, strlen(text + length + 1), &negative))
        return false;
    *value = positive / negative;
    return positive > 0 && negative > 0;
}

static bool parse_value(const struct goal *goal, const char *text, double *value)
{
    if (goal->goal == DEDPUL_GOAL_COST)
        return parse_cost(text, value);
    if (goal->goal == DEDPUL_GOAL_F1)
        return strcmp(text, "f1") == 0;
    return parse_double(text, strlen(text), value);
}

dedpul_status dedpul_evaluate_options_set(dedpul_evaluate_options *options, const char *name,
                                          const char *value, dedpul_error *error)
{
    dedpul_evaluate_options own = options_default();
    char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
    if (options == NULL || name == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options, name and value must not be NULL");
    TRY(sized_read("options", options, SIZE_UP_TO(dedpul_evaluate_options, level), sizeof own, &own, error));
    const size_t index = name_find(goal_name, NULL, N_GOALS, name);
    if (index == N_GOALS)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown goal %s; %s",
                         quote_text(quoted, name, strlen(name)),
                         name_hint(hint, goal_name, NULL, N_GOALS, name));
    const struct goal *goal = &goals[index];
    own.goal = goal->goal;
    own.value = 1;
    if (!parse_value(goal, value, &own.value) || !is_value(goal, own.value))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %s is not %s", goal->name,
                         quote_text(quoted, value, strlen(value)), goal->values);
    sized_write(&own, sizeof own, options, options->size);
    return DEDPUL_OK;
}

static const struct goal *find_goal(dedpul_goal wanted)
{
    for (size_t i = 0; i < N_GOALS; i++)
        if (goals[i].goal == wanted)
            return &goals[i];
    return NULL;
}

const char *dedpul_goal_name(dedpul_goal wanted)
{
    const struct goal *goal = find_goal(wanted);
    return goal != NULL ? goal->name : "unknown";
}

/* ---- all options of a call ---- */

dedpul_status evaluate_options_read(const dedpul_evaluate_options *given, dedpul_evaluate_options *options,
                                    dedpul_error *error)
{
    *options = options_default();
    if (given != NULL)
        TRY(sized_read("options", given, SIZE_UP_TO(dedpul_evaluate_options, level), sizeof *options, options,
                       error));
    if (!(options->level >= 0.5 && options->level <= 0.999))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "level: %g is not a number from 0.5 to 0.999",
                         options->level);
    const struct goal *goal = find_goal(options->goal);
    if (goal == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%d is not a dedpul_goal", (int)options->goal);
    if (!is_value(goal, options->value))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %g is not %s", goal->name, options->value,
                         goal->values);
    return DEDPUL_OK;
}
