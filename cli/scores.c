/* dedpul scores: alpha and posteriors from any classifier's scores. */
#include "command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum own_option {
    OPTION_HELP,
    OPTION_LABEL,
    OPTION_SCORE,
    OPTION_WEIGHT,
    OPTION_POSITIVE,
    OPTION_POSTERIORS,
    OPTION_CURVE,
    OPTION_JSON,
    OPTION_PLOT,
    N_OWN
};

static const struct command_option own[N_OWN] = {
    [OPTION_HELP] = {"help", NULL, NULL, "Show this help."},
    [OPTION_LABEL] = {"label", "COL", "label", "Column that tells labeled positives from unlabeled."},
    [OPTION_SCORE] = {"score", "COL", "score", "Column of scores in [0, 1], high for positives."},
    [OPTION_WEIGHT] = {"weight", "COL", NULL, "Column of weights, which have the meaning of counts of rows."},
    [OPTION_POSITIVE] = {"positive", "VALUE", NULL,
                         "Label of the positives; every other value then means unlabeled. Without it, "
                         "labels are 1/0, 1/-1, true/false or p/u."},
    [OPTION_POSTERIORS] = {"posteriors", "FILE", NULL,
                           "Write row,score,ratio,posterior of each unlabeled row to this CSV file."},
    [OPTION_CURVE] = {"curve", "FILE", NULL, "Write alpha,d of the curve D(alpha) to this CSV file."},
    [OPTION_JSON] = {"json", NULL, NULL, "Print the answer as one JSON object."},
    [OPTION_PLOT] = {"plot", NULL, NULL, "Draw D(alpha) in the terminal (with gnuplot)."},
};

struct request {
    dedpul_columns columns;
    dedpul_options options;
    const char *file, *posteriors, *curve;
    bool json, plot, help;
};

static const char *file_name(const struct request *request)
{
    return strcmp(request->file, "-") == 0 ? "standard input" : request->file;
}

static void print_help(const struct command_options *options)
{
    (void)puts("Usage: dedpul scores [OPTION...] FILE\n"
               "\n"
               "Estimates alpha, the share of positives among the unlabeled rows, and each unlabeled\n"
               "row's probability of being positive, from the scores of a classifier that was trained to\n"
               "tell labeled from unlabeled rows (cross-validated scores, please: each row scored by a\n"
               "model that has not seen it).\n"
               "\n"
               "FILE has a header line and columns label and score, separated by comma, semicolon or\n"
               "tab; it may be gzipped; - is standard input.\n"
               "\n"
               "Options [default]:");
    command_options_print(options);
    (void)puts("\nMethods:");
    for (size_t i = 0; i < dedpul_method_count(); i++)
        printf("  %-13s %s\n", dedpul_method_name(i), dedpul_method_summary(i));
    (void)puts("\nDensities:");
    for (size_t i = 0; i < dedpul_density_count(); i++)
        printf("  %-13s %s\n", dedpul_density_name(i), dedpul_density_summary(i));
    (void)puts("\nExamples:\n"
               "  dedpul scores scores.csv --plot\n"
               "  dedpul scores scores.csv --posteriors posteriors.csv\n"
               "  zcat big.tsv.gz | dedpul scores - --label y --positive fraud --json\n"
               "  dedpul scores counts.csv --weight n --method dedpul_bbe");
}

/* ---- the command line ---- */

static int set_option(struct request *request, const struct command_options *options, int index)
{
    dedpul_error error;
    switch (index) {
    case OPTION_HELP:
        request->help = true;
        break;
    case OPTION_LABEL:
        request->columns.label = optarg;
        break;
    case OPTION_SCORE:
        request->columns.score = optarg;
        break;
    case OPTION_WEIGHT:
        request->columns.weight = optarg;
        break;
    case OPTION_POSITIVE:
        request->columns.positive = optarg;
        break;
    case OPTION_POSTERIORS:
        request->posteriors = optarg;
        break;
    case OPTION_CURVE:
        request->curve = optarg;
        break;
    case OPTION_JSON:
        request->json = true;
        break;
    case OPTION_PLOT:
        request->plot = true;
        break;
    default:
        if (dedpul_options_set(&request->options, options->table[index].name, optarg, &error) != DEDPUL_OK) {
            complain("%s", error.message);
            return EXIT_FAILED;
        }
    }
    return EXIT_OK;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    if (a == NULL || b == NULL)
        return false;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 && S_ISREG(status_a.st_mode) &&
           status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

/* No output may take the place of the input or of another output. */
static int check_files(const struct request *request)
{
    if (is_same_file(request->posteriors, "-") || is_same_file(request->curve, "-")) {
        complain("--posteriors and --curve need the name of a file");
        return EXIT_USAGE;
    }
    if (is_same_file(request->posteriors, request->file) || is_same_file(request->curve, request->file)) {
        complain("%s is the input; name another file for the output", request->file);
        return EXIT_USAGE;
    }
    if (is_same_file(request->posteriors, request->curve)) {
        complain("--posteriors and --curve name the same file, %s", request->curve);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int read_command_line(struct request *request, const struct command_options *options, int argc,
                             char **argv)
{
    int index;
    while ((index = command_options_next(options, "scores", argc, argv)) != -1) {
        if (index < 0)
            return EXIT_USAGE;
        const int code = set_option(request, options, index);
        if (code != EXIT_OK)
            return code;
    }
    if (request->help)
        return EXIT_OK;
    if (argc - optind != 1) {
        complain("%s; see 'dedpul scores --help'",
                 argc == optind ? "no file given" : "more than one file given");
        return EXIT_USAGE;
    }
    if (request->json && request->plot) {
        complain("--json and --plot exclude each other");
        return EXIT_USAGE;
    }
    request->file = argv[optind];
    return check_files(request);
}

/* ---- the answer ---- */

static json_t *number_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static bool print_json(const dedpul_result *result)
{
    json_t *warnings = json_array();
    for (size_t i = 0; i < result->n_warnings; i++)
        (void)json_array_append_new(warnings, json_pack("{s:s, s:s}", "code", result->warnings[i].name,
                                                        "message", result->warnings[i].message));
    json_t *object = json_pack(
        "{s:s, s:s?, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "method",
        result->method, "density", result->density, "alpha", number_or_null(result->alpha), "alpha_c",
        number_or_null(result->alpha_c), "alpha_n", number_or_null(result->alpha_n), "rule",
        dedpul_rule_name(result->rule), "scale", number_or_null(result->scale), "mean_ratio",
        number_or_null(result->mean_ratio), "auc", number_or_null(result->auc), "bandwidth_p",
        number_or_null(result->bandwidth_p), "bandwidth_u", number_or_null(result->bandwidth_u), "n_positive",
        (json_int_t)result->n_positive, "n_unlabeled", (json_int_t)result->n_unlabeled, "weight_positive",
        number_or_null(result->weight_positive), "weight_unlabeled", number_or_null(result->weight_unlabeled),
        "warnings", warnings);
    if (object == NULL) {
        complain("out of memory");
        return false;
    }
    (void)json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    (void)putchar('\n');
    json_decref(object);
    return true;
}

static const char *explain_rule(dedpul_rule rule)
{
    switch (rule) {
    case DEDPUL_RULE_ROOT:
        return "the largest root of D(alpha)";
    case DEDPUL_RULE_MAX_SLOPE:
        return "the sharpest bend of D(alpha), which has no root but 0";
    case DEDPUL_RULE_FORMULA:
        return "the method's own formula";
    case DEDPUL_RULE_GIVEN:
        return "given, not estimated";
    }
    return "";
}

static void print_summary(const char *file, const dedpul_result *result)
{
    size_t likely = 0;
    for (size_t i = 0; i < result->n_unlabeled; i++)
        likely += result->posterior[i] > 0.5;
    printf("%s: %zu labeled positive and %zu unlabeled rows", file, result->n_positive, result->n_unlabeled);
    if (result->weight_positive != (double)result->n_positive ||
        result->weight_unlabeled != (double)result->n_unlabeled)
        printf(", weighing %g and %g", result->weight_positive, result->weight_unlabeled);
    printf("\n\n  alpha     %.4f    share of positives among the unlabeled: about %.0f of %.0f\n",
           result->alpha, result->alpha * result->weight_unlabeled, result->weight_unlabeled);
    if (result->rule != DEDPUL_RULE_GIVEN)
        (void)puts("                      (an upper bound, where positives and negatives overlap "
                   "everywhere)");
    printf("  found by  %-9s %s (method %s)\n", dedpul_rule_name(result->rule), explain_rule(result->rule),
           result->method);
    printf("  AUC       %.4f    labeled against unlabeled\n", result->auc);
    printf("  rows      %-9zu unlabeled rows are more likely positive than not\n", likely);
    (void)fflush(stdout);
    for (size_t i = 0; i < result->n_warnings; i++)
        complain("warning: %s [%s]", result->warnings[i].message, result->warnings[i].name);
}

static bool estimate(const struct request *request)
{
    dedpul_error error;
    dedpul_score_table *table;
    dedpul_result *result;
    if (dedpul_score_table_read(request->file, &request->columns, NULL, &table, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    if (dedpul_estimate(&table->rows, table->label, &request->options, &result, &error) != DEDPUL_OK) {
        complain("%s: %s", file_name(request), error.message);
        dedpul_score_table_free(table);
        return false;
    }
    bool done = dedpul_result_write(result, &table->rows, table->label, request->posteriors, request->curve,
                                    &error) == DEDPUL_OK;
    if (!done)
        complain("%s", error.message);
    dedpul_score_table_free(table);
    if (done && request->json)
        done = print_json(result);
    else if (done)
        print_summary(file_name(request), result);
    if (done && request->plot)
        done = plot_curve(result);
    dedpul_result_free(result);
    return done;
}

static int run(int argc, char **argv)
{
    struct request request = {.help = false};
    struct command_options options;
    dedpul_columns_init(&request.columns);
    dedpul_options_init(&request.options);
    if (!command_options_init(&options, N_OWN, own))
        return EXIT_FAILED;
    int code = read_command_line(&request, &options, argc, argv);
    if (code == EXIT_OK && request.help)
        print_help(&options);
    else if (code == EXIT_OK)
        code = estimate(&request) ? EXIT_OK : EXIT_FAILED;
    command_options_free(&options);
    return code;
}

const struct command command_scores = {
    .name = "scores",
    .summary = "alpha and posteriors from any classifier's scores",
    .run = run,
};
