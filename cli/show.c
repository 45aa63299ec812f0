/* dedpul show: what a model is. */
#include "command.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *file;
    bool json, help;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"json", 0, NULL, NULL, "Print it as one JSON object.", FIELD(json)},
};

static const struct command_line line = {
    .command = "show",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .n_files = 1,
    .files = "MODEL",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul show [OPTION...] MODEL\n"
               "\n"
               "Tells what is in a model of 'dedpul fit --model': the estimate, the columns and how they\n"
               "are used, and the options of the fit.\n"
               "\n"
               "Options:");
    command_line_print_options(&line);
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

static void print_model(const char *file, const dedpul_model_info *model)
{
    printf("%s: fitted by dedpul %s on %zu labeled positive and %zu unlabeled rows\n\n", file, model->version,
           model->n_positive, model->n_unlabeled);
    printf("  alpha       %.4f (%s, method %s)\n", model->alpha, dedpul_rule_name(model->rule),
           model->method);
    printf("  AUC         %.4f, labeled against unlabeled\n", model->auc);
    printf("  classifier  %s: %zu models on %zu features%s\n", model->classifier, model->n_members,
           model->n_features,
           model->has_pn && model->trained == NULL ? "; another of positives against negatives" : "");
    if (model->trained != NULL)
        printf("  %-11s %s: networks of positives against negatives, whose posteriors count\n", model->method,
               model->trained);
    if (model->height > 0)
        printf("  images      %zu x %zu pixels, %zu channel%s\n", model->height, model->width,
               model->channels, model->channels > 1 ? "s" : "");
    printf("  curve       %zu points (score, ratio)\n\nColumns:\n", model->n_points);
    print_columns(model);
    (void)puts("\nOptions of the fit:");
    for (const char *at = model->settings; *at != '\0';) {
        const char *end = at;
        while (*end != '\0' && *end != '\n')
            end++;
        if (end - at < 2 || memcmp(end - 2, "=-", 2) != 0) /* else it was not given */
            printf("  %.*s\n", (int)(end - at), at);
        at = *end == '\n' ? end + 1 : end;
    }
}

static int run(int argc, char **argv)
{
    struct request request = {.help = false};
    dedpul_error error;
    dedpul_model *model;
    bool go, done = true;
    const int code = command_line_read(&line, &request, argc, argv, print_help, &request.file, &go);
    if (!go)
        return code;
    if (dedpul_model_load_description(request.file, NULL, &model, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return EXIT_FAILED;
    }
    if (request.json)
        done = print_model_json(dedpul_model_describe(model));
    else
        print_model(input_name(request.file), dedpul_model_describe(model));
    dedpul_model_free(model);
    return done ? EXIT_OK : EXIT_FAILED;
}

const struct command command_show = {
    .name = "show",
    .summary = "what a model is: estimate, columns, options",
    .run = run,
};
