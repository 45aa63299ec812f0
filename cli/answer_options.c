#include "answer_options.h"

#include "answer.h"
#include "evaluation_output.h"
#include "interrupt.h"
#include "message.h"
#include "plot.h"
#include "report.h"
#include "top_rows.h"

#include <stddef.h>

#define FIELD(field) offsetof(struct answer_options, field)

const struct command_option answer_option_table[] = {
    {"posteriors", 0, "FILE", NULL,
     "Write row,score,ratio,posterior of each unlabeled row to this CSV file. Sort it by posterior, then by "
     "score.",
     FIELD(posteriors)},
    {"curve", 0, "FILE", NULL, "Write alpha,d of the curve D(alpha) to this CSV file.", FIELD(curve)},
    {"report", 0, "FILE.html", NULL, "Write a page with the answer, tables and charts, for a browser.",
     FIELD(report)},
    {"json", 0, NULL, NULL, "Print the answer as one JSON object.", FIELD(json)},
    {"plot", 0, "[FILE.svg|FILE.png|FILE.pdf]", NULL,
     "Draw the answer to this file with gnuplot; without a file, draw D(alpha) in the terminal.",
     FIELD(plot)},
    {.name = NULL},
};

int answer_options_check(const struct answer_options *wanted)
{
    if (wanted->json && plot_is_for_terminal(wanted->plot)) {
        complain("--json and --plot exclude each other; name a file for --plot");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

void answer_options_name_files(const struct answer_options *wanted, struct files *files)
{
    add_output(files, "posteriors", wanted->posteriors);
    add_output(files, "curve", wanted->curve);
    add_output(files, "report", wanted->report);
    add_output(files, "plot", plot_file(wanted->plot));
}

static bool write_files(const struct answer_options *wanted, const struct answer *answer)
{
    dedpul_error error;
    dedpul_evaluate_options evaluate;
    dedpul_evaluate_options_init(&evaluate);
    evaluate.level = answer->options->level;
    evaluate.threads = answer->options->threads;
    if (answer->evaluation != NULL) {
        evaluate.goal = answer->evaluation->goal;
        evaluate.value = answer->evaluation->goal_value;
    }
    const struct report report = {.file = answer->call->file[0],
                                  .argc = answer->call->argc,
                                  .argv = answer->call->argv,
                                  .result = answer->result,
                                  .rows = answer->rows,
                                  .label = answer->label,
                                  .ids = answer->ids,
                                  .model = answer->model,
                                  .table = answer->table,
                                  .evaluate = &evaluate};
    interrupt_hold();
    const bool done = dedpul_result_write(answer->result, &answer->rows, answer->label, answer->ids,
                                          wanted->posteriors, wanted->curve, &error) == DEDPUL_OK &&
                      (wanted->report == NULL || report_write(wanted->report, &report, &error) == DEDPUL_OK);
    interrupt_release();
    if (!done)
        complain("%s", error.message);
    return done;
}

static bool print_answer(const struct answer_options *wanted, const struct answer *answer)
{
    const dedpul_result *result = answer->result;
    if (wanted->json)
        return print_answer_json(
            result, answer->model, answer->evaluation,
            answer->ids != NULL ? top_rows_array(result, &answer->rows, answer->label, answer->ids) : NULL);
    if (!print_summary(input_name(answer->call->file[0]), result, answer->model))
        return false;
    if (answer->evaluation != NULL)
        print_threshold(answer->evaluation);
    print_warnings(result->n_warnings, result->warnings);
    return true;
}

bool give_answer(const struct answer_options *wanted, const struct answer *answer)
{
    return write_files(wanted, answer) && print_answer(wanted, answer) &&
           plot_answer(&(struct plot){wanted->plot, input_name(answer->call->file[0]), answer->result,
                                      &answer->rows, answer->label});
}
