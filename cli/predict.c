/* dedpul predict: posteriors of new rows. */
#include "column_options.h"
#include "command.h"
#include "interrupt.h"
#include "message.h"
#include "progress.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct request {
    struct invocation call; /* files: model, rows */
    const char *out, *threads, *decimal;
    bool no_header, pn, quiet;
    unsigned n_threads;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"out", 0, "FILE", "standard output", "Write row,score,posterior of each row to this CSV file.",
     FIELD(out)},
    {"pn", 0, NULL, NULL,
     "Use the classifier of positives against negatives, if the model was fitted with --pn.", FIELD(pn)},
    {"decimal", 0, ",|.", NULL,
     "Decimal sign of numbers in text. Without it, it is found anew, whatever the fitted file had.",
     FIELD(decimal)},
    {"no-header", 0, NULL, NULL, NO_HEADER_HELP, FIELD(no_header)},
    {"threads", 0, "N", "0", "Number of threads; 0 means one per processor. Results do not depend on it.",
     FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "Show no progress and no summary.", FIELD(quiet)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0}, {.options = NULL}};

static const struct command_line line = {
    .command = "predict",
    .groups = groups,
    .n_files = 2,
    .files = "MODEL FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul predict [OPTION...] MODEL FILE\n"
               "\n"
               "Scores new rows with a model of 'dedpul fit --model'. The output is CSV with row, score\n"
               "and posterior: the score is the probability that the row is labeled rather than\n"
               "unlabeled, and the posterior the probability that an unlabeled row like it is positive.\n"
               "Load only models from a source that you trust.\n"
               "\n"
               "FILE has the columns of the fit, found by name; others are ignored. It is read piece by\n"
               "piece, so it may be larger than memory.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    (void)puts("\nExamples:\n"
               "  dedpul predict table.model new.csv --out posteriors.csv\n"
               "  zcat new.csv.gz | dedpul predict table.model - | head");
}

static int check(void *argument)
{
    struct request *request = argument;
    if (request->out != NULL && strcmp(request->out, "-") == 0)
        request->out = NULL;
    return request->threads == NULL || read_count("threads", request->threads, 0, 65535, &request->n_threads)
               ? EXIT_OK
               : EXIT_FAILED;
}

static void name_files(const void *request, struct files *files)
{
    add_output(files, "out", ((const struct request *)request)->out);
}

static void print_prediction(const struct request *request, const dedpul_prediction *prediction)
{
    if (prediction->unseen > 0)
        complain("warning: %zu values were not seen in the fit, the first in column '%s'; they count as "
                 "unknown",
                 prediction->unseen, prediction->unseen_column);
    if (request->out == NULL || request->quiet)
        return;
    print_text(input_name(request->call.file[1]));
    if (prediction->rows > 0)
        printf(": %zu rows, mean posterior %.4f\n", prediction->rows, prediction->mean_posterior);
    else
        (void)puts(": no rows");
}

static bool predict(const struct request *request, const dedpul_model *model)
{
    dedpul_predict_options options;
    dedpul_prediction prediction = {.size = sizeof prediction};
    dedpul_error error;
    struct progress progress;
    dedpul_predict_options_init(&options);
    options.pn = request->pn;
    options.threads = request->n_threads;
    options.decimal = request->decimal;
    options.header = request->no_header ? "no" : "yes";
    options.progress = progress_show;
    options.progress_context = &progress;
    progress_init(&progress, request->quiet || request->out == NULL, false);
    const char *out = request->out != NULL ? request->out : "-";
    const dedpul_status status =
        dedpul_model_predict_file(model, request->call.file[1], &options, out, &prediction, &error);
    progress_end(&progress);
    if (status == DEDPUL_OK)
        print_prediction(request, &prediction);
    else
        complain("%s", interrupt_signal() == 0 ? error.message
                       : request->out != NULL  ? "interrupted; nothing was written"
                                               : "interrupted");
    return status == DEDPUL_OK;
}

static bool run(void *argument)
{
    const struct request *request = argument;
    dedpul_error error;
    dedpul_model *model;
    if (dedpul_model_load(request->call.file[0], NULL, NULL, &model, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    const bool done = predict(request, model);
    dedpul_model_free(model);
    return done;
}

const struct command command_predict = {
    .name = "predict",
    .summary = "posteriors of new rows by a model",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .check = check,
    .name_files = name_files,
    .catches_interrupts = true,
    .run = run,
};
