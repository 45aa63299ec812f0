/* What the commands share. */
#ifndef DEDPUL_CLI_COMMAND_H
#define DEDPUL_CLI_COMMAND_H

#include <dedpul.h>

#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
};

extern const struct command command_scores, command_fit, command_predict, command_show, command_compare,
    command_bench;

/* An option of a command, beside those of the library. */
struct command_option {
    const char *name;
    char letter;       /* of its short form; 0: none */
    const char *value; /* NULL: takes none; "[...]": a figure's name, which may be left out */
    const char *default_value;
    const char *help;
    size_t offset; /* of its field in the request: a const char *, or a bool where it takes no value; "" is a
                      value left out */
};

/* How a command is called. */
struct command_line {
    const char *command;
    size_t n_own;
    const struct command_option *own; /* (n_own) the first is --help */
    bool fits;                        /* the request begins with a struct fit_input, which has options too */
    /* Options of the library, which go to `set`; both NULL where there are none. */
    const dedpul_option_info *(*library)(size_t index); /* NULL after the last */
    dedpul_status (*set)(void *request, const char *name, const char *value, dedpul_error *error);
    size_t n_files;
    const char *files; /* what they are, for messages: "FILE", "MODEL FILE" */
};

/*
 * Fills the request's fields from the command line. *go is false, with the exit code as the value, where
 * there is nothing more to do: after help that was asked for, or a message.
 */
int command_line_read(const struct command_line *line, void *request, int argc, char **argv,
                      void (*print_help)(void), const char **file /* (n_files) */, bool *go);

/* The number of an option of the command's own; false after a message where it is none within the bounds. */
bool read_count(const char *option, const char *text, unsigned least, unsigned most, unsigned *count);

void command_line_print_options(const struct command_line *line);

/* ---- commands that fit ---- */

struct progress {
    bool quiet, verbose;
    bool on_terminal;
    bool drawn; /* a line that is not ended */
    char stage[32];
    double began, last; /* seconds */
};

/* What they are told about the table and the fit: the first member of their request. */
struct fit_input {
    const char *file;
    dedpul_columns columns;
    const char *max_levels;
    dedpul_options options;
    bool quiet, verbose;
    struct progress progress;
};

/* Its options; one without a name after the last. Those of the library go to fit_input_set. */
extern const struct command_option fit_input_options[];
/* The library's options without those named. */
const dedpul_option_info *fit_option_except(size_t index, size_t n, const char *const *left_out /* (n) */);
dedpul_status fit_input_set(void *request, const char *name, const char *value, dedpul_error *error);

/* The defaults. */
void fit_input_init(struct fit_input *input);

/* False, after a message, where an option makes no sense. */
bool fit_input_check(struct fit_input *input);

/* Reads the table and does the work on it, with progress shown; the exit code. */
int fit_input_run(struct fit_input *input, bool (*work)(void *request, const dedpul_table *table));

/* What help texts say of FILE. */
void print_table_formats(void);

/* "dedpul: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Text of a user's file, with a ? for each character that would control the terminal. */
void print_text(const char *text);

/* A character of text for a file that must be UTF-8, or a ? for what is none or controls something. Its
 * bytes. */
size_t put_character(FILE *stream, const char *text);

/* What messages call an input file. */
const char *input_name(const char *file);

/* An output file, and the option that names it; path may be NULL. */
struct output {
    const char *option, *path;
};

/* False, after a message, where an output would take the place of an input or of another output. */
bool outputs_are_apart(size_t n_inputs, const char *const *input, size_t n_outputs,
                       const struct output *output);

/* False, after a message, where an output cannot be written: better known before long work than after it. */
bool outputs_can_be_written(size_t n, const struct output *output /* (n) */);

/* Lists for help texts. */
void print_classifiers(void);
void print_methods_and_densities(bool has_table);

/* --interval: resamples, unless their number was given. */
void ask_for_interval(dedpul_options *options);

/* ---- the answer ---- */

/* Whether alpha has an interval; if one was asked for, it may still be missing. */
static inline bool has_interval(const dedpul_result *result)
{
    return result->interval != NULL && result->interval->resamples > 0;
}

/* Summary for people. */
void print_summary(const char *file, const dedpul_result *result, const dedpul_model_info *model);
/* How many there are, labeled and unlabeled, and what they weigh. */
void print_rows(FILE *stream, const dedpul_result *result);
/* Numbers that others report instead of alpha: shares of all rows, not of the unlabeled ones. */
double share_of_all(const dedpul_result *result);
double label_frequency(const dedpul_result *result);
const char *explain_rule(dedpul_rule rule);
void print_warnings(size_t n, const dedpul_warning *warnings);

/* One JSON object; model may be NULL. */
bool print_json(const dedpul_result *result, const dedpul_model_info *model);

/* A model's description as one JSON object. */
bool print_model_json(const dedpul_model_info *model);

/* Which methods differ, in a sentence; nothing where dedpul has no uncertainty to hold others against. */
void print_verdict(FILE *stream, const dedpul_comparison *comparison);

/* An array of JSON objects. */
bool print_comparison_json(const dedpul_comparison *comparison);

struct plot {
    const char *where; /* the value of --plot. NULL: no plot; "": D(alpha) in the terminal; else a figure */
    const char *file;  /* of the input */
    const dedpul_result *result;
    const dedpul_sample *rows; /* which the result was made from */
    const unsigned char *label;
};

/* Draws it with gnuplot. False, after a message, where that cannot be done. */
bool plot_answer(const struct plot *plot);

/* Whether it is for the terminal, and the figure's name, or NULL. */
bool plot_is_for_terminal(const char *where);
const char *plot_file(const char *where);

/* ---- long work ---- */

void progress_init(struct progress *progress, bool quiet, bool verbose);

/* A dedpul_progress_function; its context is a struct progress. Not 0 after an interrupt. */
int progress_show(void *context, const dedpul_progress *now);

/* A bar of runs, with the time that is left in seconds or NaN. Not 0 after an interrupt. */
int progress_show_runs(struct progress *progress, size_t done, size_t runs, double left);

/* Ends the line. */
void progress_end(struct progress *progress);

/* From now on, an interrupt makes progress_show ask for the end; a second one ends the program at once. */
void interrupt_catch(void);
bool interrupt_was_caught(void);

/* While files are being written, interrupts wait. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
