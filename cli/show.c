/* dedpul show: what a model is. */
#include "command.h"
#include "json_output.h"
#include "message.h"
#include "model_json.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct invocation call; /* file: model */
    bool json;
};

static const struct command_option own[] = {
    {"json", 0, NULL, NULL, "Print it as one JSON object.", offsetof(struct request, json)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0}, {.options = NULL}};

static const struct command_line line = {
    .command = "show",
    .groups = groups,
    .n_files = 1,
    .files = "MODEL",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul show [OPTION...] MODEL\n"
               "\n"
               "Shows what is in a model of 'dedpul fit --model': the estimate, the columns and how they\n"
               "are used, and the options of the fit. Load only models from a source that you trust.\n"
               "\n"
               "Options:");
    print_options(&line);
    (void)puts("\nExample:\n"
               "  dedpul show table.model");
}

static bool is_number(const char *name, size_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%zu", number);
    return strcmp(name, text) == 0;
}

/* The end of those from this one on that have numbers for names and one use, such as pixels. */
static size_t end_of_run(const dedpul_model_info *model, size_t begin)
{
    const dedpul_column_info *first = model->columns[begin];
    const size_t number = strtoul(first->name, NULL, 10);
    size_t end = begin + 1;
    while (is_number(first->name, number) && end < model->n_columns &&
           is_number(model->columns[end]->name, number + (end - begin)) &&
           strcmp(model->columns[end]->use, first->use) == 0 && first->n_levels == 0 &&
           model->columns[end]->n_levels == 0 && model->columns[end]->n_features == first->n_features)
        end++;
    return end;
}

static void print_columns(const dedpul_model_info *model)
{
    for (size_t c = 0, end; c < model->n_columns; c = end) {
        const dedpul_column_info *column = model->columns[c];
        end = end_of_run(model, c);
        size_t width = strlen(column->name);
        (void)fputs("  ", stdout);
        print_text(column->name);
        if (end - c > 1)
            width += (size_t)printf(" to %s", model->columns[end - 1]->name);
        printf("%*s %s", (int)(width < 24 ? 24 - width : 0), "", column->use);
        if (column->n_levels > 0)
            printf(", %zu levels", column->n_levels);
        if (column->n_features > 1)
            printf(", %zu features", column->n_features);
        (void)putchar('\n');
    }
}

static void print_setting(const char *text, size_t length)
{
    (void)fputs("  ", stdout);
    for (size_t i = 0; i < length;)
        i += put_character(stdout, text + i);
    (void)putchar('\n');
}

/* "name=value" lines without those of options that were not given. */
static void print_settings(const char *settings)
{
    for (const char *at = settings; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        if (length < 2 || memcmp(at + length - 2, "=-", 2) != 0)
            print_setting(at, length);
        at += length + (at[length] == '\n');
    }
}

/* A goal as the options have it: "precision 0.9", "cost 0.2:1", "max f1". */
static void print_threshold(const dedpul_model_info *model)
{
    (void)fputs("  threshold   ", stdout);
    if (isnan(model->threshold))
        (void)fputs("none: no row is flagged", stdout);
    else
        printf("%.4g: rows with at least this score are flagged", model->threshold);
    printf(" (chosen by %s ", dedpul_goal_name(model->goal));
    if (model->goal == DEDPUL_GOAL_F1)
        (void)puts("f1)");
    else
        printf("%g%s)\n", model->goal_value, model->goal == DEDPUL_GOAL_COST ? ":1" : "");
}

static bool print_model(const char *file, const dedpul_model_info *model)
{
    print_text(file);
    (void)fputs(": fitted by dedpul ", stdout);
    print_text(model->version);
    printf(" on %zu labeled positive and %zu unlabeled rows\n\n", model->n_positive, model->n_unlabeled);
    printf("  alpha       %.4f (%s, method %s)\n", model->alpha, dedpul_rule_name(model->rule),
           model->method);
    printf("  AUC         %.4f, labeled against unlabeled\n", model->auc);
    (void)fputs("  classifier  ", stdout);
    print_text(model->classifier);
    printf(": %zu models on %zu features%s\n", model->n_members, model->n_features,
           model->has_pn && model->trained == NULL ? "; another of positives against negatives" : "");
    if (model->trained != NULL)
        printf("  %-11s %s: networks of positives against negatives; posteriors are from them\n",
               model->method, model->trained);
    if (model->height > 0)
        printf("  images      %zu x %zu pixels, %zu channel%s\n", model->height, model->width,
               model->channels, model->channels > 1 ? "s" : "");
    if (model->has_threshold)
        print_threshold(model);
    printf("  curve       %zu points (score, ratio)\n\nColumns:\n", model->n_points);
    print_columns(model);
    (void)puts("\nOptions of the fit:");
    print_settings(model->settings);
    return flush_output();
}

static bool run(void *argument)
{
    const struct request *request = argument;
    const char *file = request->call.file[0];
    dedpul_error error;
    dedpul_model *model;
    if (dedpul_model_load_description(file, NULL, &model, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    const dedpul_model_info *info = dedpul_model_describe(model);
    const bool done = request->json ? print_json(model_json(info)) : print_model(input_name(file), info);
    dedpul_model_free(model);
    return done;
}

const struct command command_show = {
    .name = "show",
    .summary = "what is in a model: estimate, columns, options",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .run = run,
};
