/* dedpul predict: posteriors of new rows. */
#include "command.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *file[2]; /* model, rows */
    const char *out, *threads;
    bool pn, quiet, help;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"out", 0, "FILE", "standard output", "Write row,score,posterior of each row to this CSV file.",
     FIELD(out)},
    {"pn", 0, NULL, NULL, "By the classifier of positives against negatives, of a model fitted with --pn.",
     FIELD(pn)},
    {"threads", 0, "N", "0", "Number of threads, 0 for one per processor. Results do not depend on it.",
     FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "No progress, no summary.", FIELD(quiet)},
};

static const struct command_line line = {
    .command = "predict",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .n_files = 2,
    .files = "MODEL FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul predict [OPTION...] MODEL FILE\n"
               "\n"
               "Scores new rows with a model of 'dedpul fit --model': row,score,posterior of each row as\n"
               "CSV, where score is the probability of a labeled rather than an unlabeled row, and\n"
               "posterior that of a positive row among unlabeled ones.\n"
               "\n"
               "FILE has the columns of the fit, found by name; others are ignored. It is read piece by\n"
               "piece, so it may be larger than memory.\n"
               "\n"
               "Options [default]:");
    command_line_print_options(&line);
    (void)puts("\nExamples:\n"
               "  dedpul predict table.model new.csv --out posteriors.csv\n"
               "  zcat new.csv.gz | dedpul predict table.model - | head");
}

static bool predict(const struct request *request, unsigned threads, const dedpul_model *model)
{
    dedpul_predict_options options;
    dedpul_prediction prediction = {.size = sizeof prediction};
    dedpul_error error;
    struct progress progress;
    dedpul_predict_options_init(&options);
    options.pn = request->pn;
    options.threads = threads;
    options.progress = progress_show;
    options.progress_context = &progress;
    progress_init(&progress, request->quiet || request->out == NULL, false);
    interrupt_catch();
    const dedpul_status status = dedpul_model_predict_file(
        model, request->file[1], &options, request->out != NULL ? request->out : "-", &prediction, &error);
    progress_end(&progress);
    if (status != DEDPUL_OK) {
        complain("%s", interrupt_was_caught() ? "interrupted" : error.message);
        return false;
    }
    if (prediction.unseen > 0)
        complain("warning: %zu values were not seen in the fit, the first in column '%s'; they count as "
                 "unknown",
                 prediction.unseen, prediction.unseen_column);
    if (request->out != NULL && !request->quiet)
        printf(prediction.rows > 0 ? "%s: %zu rows, mean posterior %.4f\n" : "%s: no rows\n",
               input_name(request->file[1]), prediction.rows, prediction.mean_posterior);
    return true;
}

static int run(int argc, char **argv)
{
    struct request request = {.help = false};
    dedpul_error error;
    dedpul_model *model;
    bool go;
    const int code = command_line_read(&line, &request, argc, argv, print_help, request.file, &go);
    if (!go)
        return code;
    if (request.out != NULL && strcmp(request.out, "-") == 0)
        request.out = NULL;
    const struct output output = {"out", request.out};
    if (!outputs_are_apart(2, request.file, 1, &output))
        return EXIT_USAGE;
    unsigned threads = 0;
    if (request.threads != NULL && !read_count("threads", request.threads, 0, 65535, &threads))
        return EXIT_FAILED;
    if (dedpul_model_load(request.file[0], NULL, NULL, &model, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return EXIT_FAILED;
    }
    const bool done = predict(&request, threads, model);
    dedpul_model_free(model);
    if (done)
        return EXIT_OK;
    return interrupt_was_caught() ? EXIT_INTERRUPTED : EXIT_FAILED;
}

const struct command command_predict = {
    .name = "predict",
    .summary = "posteriors of new rows by a model",
    .run = run,
};
