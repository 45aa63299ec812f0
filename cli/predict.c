/* dedpul predict: posteriors of new rows. */
#include "answer.h"
#include "column_options.h"
#include "goal_options.h"
#include "interrupt.h"
#include "message.h"
#include "progress.h"

#include <stddef.h>
#include <string.h>

struct request {
    struct invocation call; /* files: model, rows */
    const char *out, *threads, *alpha, *decimal, *id;
    struct goal_options goal;
    bool no_header, pn, quiet;
    dedpul_predict_options options;
    dedpul_evaluate_options threshold;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"out", 0, "FILE", "standard output",
     "Write row,score,posterior (and positive, if there is a threshold, and posteriors by kind, if the model "
     "has kinds) of each row to this CSV file.",
     FIELD(out)},
    {"id", 0, "COL", NULL, ID_HELP, FIELD(id)},
    {"alpha", 0, "X|auto", NULL,
     "Posteriors are for this share of positives among the new rows, not for that of the fit; 'auto' "
     "estimates it from their scores.",
     FIELD(alpha)},
    {"pn", 0, NULL, NULL,
     "Use the classifier of positives against negatives, if the model was fitted with --pn.", FIELD(pn)},
    {"decimal", 0, ",|.", NULL,
     "Decimal sign of numbers in text. Without it, it is found anew, whatever the fitted file had.",
     FIELD(decimal)},
    {"no-header", 0, NULL, NULL, NO_HEADER_HELP, FIELD(no_header)},
    {"threads", 0, "N", "0", "Number of threads; 0 means one per processor. Results do not depend on it.",
     FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "Show no progress and no summary, only warnings.", FIELD(quiet)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0}, {goal_option_table, FIELD(goal)}, {.options = NULL}};

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
               "piece, so it may be larger than memory. Warnings name columns that are not as in the fit\n"
               "(shifted, out of range, missing, with new levels), and another share of positives.\n"
               "\n"
               "A threshold adds a column positive: 1 for rows that are flagged. It is the model's, if it\n"
               "has one, or the one that is asked for: by the scores of the fit, or, with --top and\n"
               "--share, by those of the new rows. With --alpha it is chosen for the new share.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    (void)puts("\nExamples:\n"
               "  dedpul predict table.model new.csv --out posteriors.csv\n"
               "  dedpul predict table.model new.csv --out flagged.csv --top 500\n"
               "  dedpul predict table.model new.csv --out posteriors.csv --alpha auto\n"
               "  zcat new.csv.gz | dedpul predict table.model - | head");
}

static void init(void *argument)
{
    struct request *request = argument;
    dedpul_predict_options_init(&request->options);
    dedpul_evaluate_options_init(&request->threshold);
}

static bool read_alpha(struct request *request)
{
    dedpul_error error;
    if (request->alpha == NULL ||
        dedpul_predict_options_set_alpha(&request->options, request->alpha, &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

static int check(void *argument)
{
    struct request *request = argument;
    if (request->out != NULL && strcmp(request->out, "-") == 0)
        request->out = NULL;
    if ((request->threads != NULL &&
         !read_count("threads", request->threads, 0, 65535, &request->options.threads)) ||
        !read_alpha(request))
        return EXIT_FAILED;
    if (goal_is_given(&request->goal))
        request->options.threshold = &request->threshold;
    return goal_options_read(&request->goal, &request->threshold);
}

static void name_files(const void *request, struct files *files)
{
    add_output(files, "out", ((const struct request *)request)->out);
}

/* Writes text on standard error, and blanks up to a width. */
static void print_cell(const char *text, size_t width)
{
    size_t written = 0;
    for (; *text != '\0'; written++)
        text += put_character(stderr, text);
    (void)fprintf(stderr, "%*s ", (int)(written < width ? width - written : 0), "");
}

/* A table of the columns that moved. */
static void warn_of_drift(const dedpul_prediction *prediction)
{
    enum { MOST_SHOWN = 10 };
    complain("warning: %zu of %zu columns are not as in the fit:", prediction->n_drifted,
             prediction->n_compared);
    (void)fprintf(stderr, "  %-24s %-24s %7s %7s\n", "column", "values", "before", "now");
    for (size_t i = 0; i < prediction->n_drifted && i < MOST_SHOWN; i++) {
        const dedpul_drift *drift = prediction->drifted[i];
        (void)fputs("  ", stderr);
        print_cell(drift->column, 24);
        print_cell(drift->change, 24);
        (void)fprintf(stderr, "%6.1f%% %6.1f%%", 100 * drift->share_before, 100 * drift->share);
        if (!isnan(drift->mean) && !isnan(drift->mean_before))
            (void)fprintf(stderr, "  mean %.4g, now %.4g", drift->mean_before, drift->mean);
        (void)fputc('\n', stderr);
    }
    if (prediction->n_drifted > MOST_SHOWN)
        (void)fprintf(stderr, "  and %zu more\n", prediction->n_drifted - MOST_SHOWN);
}

/* The table of columns that moved has their own. */
static void warn_of_unseen(const dedpul_prediction *prediction)
{
    double told = 0;
    for (size_t i = 0; i < prediction->n_drifted; i++)
        told += prediction->drifted[i]->unseen * (double)prediction->rows;
    const double left = (double)prediction->unseen - round(told);
    if (left > 0 && told > 0)
        complain("warning: %.0f values in other columns were not seen in the fit; they count as unknown",
                 left);
    else if (left > 0)
        complain("warning: %.0f values were not seen in the fit, the first in column '%s'; they count as "
                 "unknown",
                 left, prediction->unseen_column);
}

static void print_summary_line(const char *file, const dedpul_prediction *prediction)
{
    print_text(file);
    if (prediction->rows == 0) {
        (void)puts(": no rows");
        return;
    }
    printf(": %zu rows, mean posterior %.4f", prediction->rows, prediction->mean_posterior);
    if (prediction->has_threshold && prediction->flagged == 0)
        (void)fputs(", none flagged", stdout);
    else if (prediction->has_threshold)
        printf(", %zu with at least score %.4g flagged", prediction->flagged, prediction->threshold);
    (void)putchar('\n');
}

static void print_prediction(const struct request *request, const dedpul_prediction *prediction)
{
    if (prediction->n_drifted > 0)
        warn_of_drift(prediction);
    warn_of_unseen(prediction);
    print_warnings(prediction->n_warnings, prediction->warnings);
    if (request->quiet)
        return;
    if (request->out != NULL)
        print_summary_line(input_name(request->call.file[1]), prediction);
    if (request->options.alpha_auto)
        (void)fprintf(request->out != NULL ? stdout : stderr,
                      "share of positives: %.4f by the scores of these rows (%.4f to %.4f with a probability "
                      "of 99%%)\n",
                      prediction->batch_alpha, prediction->batch_low, prediction->batch_high);
}

static bool predict(const struct request *request, const dedpul_model *model)
{
    dedpul_predict_options options = request->options;
    dedpul_prediction *prediction = NULL;
    dedpul_error error;
    struct progress progress;
    options.pn = request->pn;
    options.decimal = request->decimal;
    options.id = request->id;
    options.header = request->no_header ? "no" : "yes";
    options.progress = progress_show;
    options.progress_context = &progress;
    progress_init(&progress, request->quiet || request->out == NULL, false);
    const char *out = request->out != NULL ? request->out : "-";
    const dedpul_status status =
        dedpul_model_predict_file(model, request->call.file[1], &options, out, &prediction, &error);
    progress_end(&progress);
    if (status == DEDPUL_OK)
        print_prediction(request, prediction);
    else
        complain("%s", interrupt_signal() == 0 ? error.message
                       : request->out != NULL  ? "interrupted; nothing was written"
                                               : "interrupted");
    dedpul_prediction_free(prediction);
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
    .init = init,
    .check = check,
    .name_files = name_files,
    .catches_interrupts = true,
    .run = run,
};
