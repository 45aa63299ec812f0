#include "command.h"

#include "drawing.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ask_for_interval(dedpul_options *options)
{
    if (options->resamples == 0)
        options->resamples = DEDPUL_ENOUGH_RESAMPLES;
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("dedpul: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

const char *input_name(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

void print_text(const char *text)
{
    for (; *text != '\0'; text++)
        (void)putchar((unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
}

/* Bytes of the UTF-8 character that text begins with; 0 where it is none. */
static size_t character_size(const unsigned char *text)
{
    const unsigned lead = text[0];
    const size_t size = lead < 0x80   ? 1
                        : lead < 0xc2 ? 0
                        : lead < 0xe0 ? 2
                        : lead < 0xf0 ? 3
                        : lead < 0xf5 ? 4
                                      : 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_overlong = (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xf0 && text[1] < 0x90);
    const bool is_outside = (lead == 0xed && text[1] > 0x9f) || (lead == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_outside ? 0 : size;
}

size_t put_character(FILE *stream, const char *text)
{
    const size_t size = character_size((const unsigned char *)text);
    const bool is_control = size == 1 && ((unsigned char)*text < ' ' || *text == 127);
    if (size == 0 || is_control)
        (void)fputc('?', stream);
    else
        (void)fwrite(text, 1, size, stream);
    return size == 0 ? 1 : size;
}

/* ---- options ---- */

/* Above all characters, so that an option is not taken for getopt's '?' or ':'. */
enum { FIRST_VALUE = 256, MOST_OPTIONS = 64 };

static bool is_flag(const dedpul_option_info *info)
{
    return info->default_value != NULL && strcmp(info->value, "off|on") == 0 &&
           strcmp(info->default_value, "off") == 0;
}

static size_t fit_option_count(const struct command_line *line)
{
    size_t n = 0;
    while (line->fits && fit_input_options[n].name != NULL)
        n++;
    return n;
}

/* Options with a field in the request: the command's own, then those of a fit. */
static size_t field_option_count(const struct command_line *line)
{
    return line->n_own + fit_option_count(line);
}

static struct command_option option_at(const struct command_line *line, size_t index)
{
    if (index < line->n_own)
        return line->own[index];
    if (index < field_option_count(line))
        return fit_input_options[index - line->n_own];
    const dedpul_option_info *info = line->library(index - field_option_count(line));
    if (is_flag(info))
        return (struct command_option){info->name, 0, NULL, NULL, info->help, 0};
    return (struct command_option){info->name, 0, info->value, info->default_value, info->help, 0};
}

static size_t option_count(const struct command_line *line)
{
    const size_t n_fields = field_option_count(line);
    size_t n = n_fields;
    while (line->library != NULL && line->library(n - n_fields) != NULL)
        n++;
    return n;
}

static bool has_optional_value(const struct command_option *option)
{
    return option->value != NULL && option->value[0] == '[';
}

/* Tables for getopt_long. */
struct options {
    size_t n;
    struct option table[MOST_OPTIONS + 1];
    char letters[MOST_OPTIONS + 2];
    const char *names[MOST_OPTIONS];
};

static void options_init(struct options *options, const struct command_line *line)
{
    size_t n_letters = 0;
    *options = (struct options){.n = option_count(line)};
    options->letters[n_letters++] = ':';
    for (size_t i = 0; i < options->n; i++) {
        const struct command_option option = option_at(line, i);
        options->names[i] = option.name;
        options->table[i].name = option.name;
        options->table[i].has_arg = option.value == NULL          ? no_argument
                                    : has_optional_value(&option) ? optional_argument
                                                                  : required_argument;
        options->table[i].val = FIRST_VALUE + (int)i;
        if (option.letter != 0)
            options->letters[n_letters++] = option.letter;
    }
}

/* How many options a shortened name may stand for. */
static size_t count_beginning(const struct options *options, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < options->n; i++)
        count += strncmp(options->names[i], name, strlen(name)) == 0;
    return count;
}

/* About the argument that getopt_long has just refused. */
static void complain_option(const struct options *options, const char *command, int reason,
                            const char *argument)
{
    char name[64];
    const char *begin = argument + strspn(argument, "-");
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const char *nearest = dedpul_nearest_name(name, options->n, options->names);
    if (reason == ':')
        complain("%s needs a value; see 'dedpul %s --help'", argument, command);
    else if (count_beginning(options, name) > 1)
        complain("option '%s' is ambiguous; see 'dedpul %s --help'", argument, command);
    else if (count_beginning(options, name) == 1)
        complain("option '%s' takes no value; see 'dedpul %s --help'", argument, command);
    else if (nearest != NULL)
        complain("unknown option '%s'; did you mean --%s? See 'dedpul %s --help'", argument, nearest,
                 command);
    else
        complain("unknown option '%s'; see 'dedpul %s --help'", argument, command);
}

/* What follows '=', or the next argument where it names a figure. False, after a message, for other names. */
static bool take_optional_value(const struct command_option *option, int argc, char **argv)
{
    if (optarg == NULL && optind < argc && is_figure_name(argv[optind]))
        optarg = argv[optind++];
    if (optarg == NULL || is_figure_name(optarg))
        return true;
    complain("--%s: '%s' does not end in .svg or .png", option->name, optarg);
    return false;
}

/* getopt_long's next option: its index, -1 after the last, or -2 after a message about a wrong one. */
static int next_option(const struct options *options, const struct command_line *line, int argc, char **argv)
{
    opterr = 0;
    const int value = getopt_long(argc, argv, options->letters, options->table, NULL);
    if (value == '?' || value == ':') {
        const char letter[] = {'-', (char)optopt, '\0'};
        const bool is_letter = optopt > 0 && optopt < FIRST_VALUE;
        complain_option(options, line->command, value, is_letter ? letter : argv[optind - 1]);
        return -2;
    }
    for (size_t i = 0; value > 0 && i < field_option_count(line); i++)
        if (option_at(line, i).letter == value)
            return (int)i;
    if (value < 0)
        return value;
    const struct command_option option = option_at(line, (size_t)(value - FIRST_VALUE));
    return has_optional_value(&option) && !take_optional_value(&option, argc, argv) ? -2
                                                                                    : value - FIRST_VALUE;
}

static bool set_option(const struct command_line *line, void *request, size_t index)
{
    dedpul_error error;
    const struct command_option option = option_at(line, index);
    if (index < field_option_count(line)) {
        char *field = (char *)request + option.offset;
        if (option.value != NULL)
            *(const char **)(void *)field = optarg != NULL ? optarg : "";
        else
            *(bool *)field = true;
        return true;
    }
    if (line->set(request, option.name, option.value != NULL ? optarg : "on", &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

/* A preset sets several options, so it comes before all others, wherever it stands. */
static bool is_preset(const struct options *options, int index)
{
    return (size_t)index < options->n && strcmp(options->names[index], "preset") == 0;
}

/* One pass over the command line: the preset, or all else. */
static int read_options(const struct options *options, const struct command_line *line, void *request,
                        int argc, char **argv, bool preset)
{
    int index;
    optind = 0; /* from the start */
    while ((index = next_option(options, line, argc, argv)) != -1) {
        if (index < 0)
            return EXIT_USAGE;
        if (is_preset(options, index) == preset && !set_option(line, request, (size_t)index))
            return EXIT_FAILED;
    }
    return EXIT_OK;
}

int command_line_read(const struct command_line *line, void *request, int argc, char **argv,
                      void (*print_help)(void), const char **file, bool *go)
{
    struct options options;
    options_init(&options, line);
    *go = false;
    for (int preset = 1; preset >= 0; preset--) {
        const int code = read_options(&options, line, request, argc, argv, preset);
        if (code != EXIT_OK)
            return code;
    }
    if (*(bool *)((char *)request + line->own[0].offset)) {
        print_help();
        return EXIT_OK;
    }
    const size_t given = (size_t)(argc - optind);
    if (given != line->n_files) {
        if (line->n_files == 1)
            complain("%s; see 'dedpul %s --help'", given == 0 ? "no file given" : "more than one file given",
                     line->command);
        else
            complain("'dedpul %s' needs %s; see 'dedpul %s --help'", line->command, line->files,
                     line->command);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < given; i++)
        file[i] = argv[optind + (int)i];
    *go = true;
    return EXIT_OK;
}

bool read_count(const char *option, const char *text, unsigned least, unsigned most, unsigned *count)
{
    const size_t length = strlen(text);
    const unsigned long number = strtoul(text, NULL, 10);
    if (length < 1 || length > 9 || strspn(text, "0123456789") != length || number < least || number > most) {
        complain("%s: '%s' is not a whole number from %u to %u", option, text, least, most);
        return false;
    }
    *count = (unsigned)number;
    return true;
}

/* ---- files ---- */

/* The name of a file, which may not exist yet, from the root. */
static bool full_name(const char *path, char full[PATH_MAX])
{
    char directory[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    (void)snprintf(directory, sizeof directory, "%.*s.", length, path);
    if (realpath(directory, full) == NULL || strlen(full) + strlen(name) + 2 > PATH_MAX)
        return false;
    (void)strcat(strcat(full, "/"), name);
    return true;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat status_a, status_b;
    char full_a[PATH_MAX], full_b[PATH_MAX];
    if (strcmp(a, b) == 0)
        return true;
    if (full_name(a, full_a) && full_name(b, full_b) && strcmp(full_a, full_b) == 0)
        return true;
    return stat(a, &status_a) == 0 && stat(b, &status_b) == 0 && S_ISREG(status_a.st_mode) &&
           status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

bool outputs_are_apart(size_t n_inputs, const char *const *input, size_t n_outputs,
                       const struct output *output)
{
    for (size_t i = 0; i < n_outputs; i++) {
        if (output[i].path == NULL)
            continue;
        if (output[i].path[0] == '\0' || strcmp(output[i].path, "-") == 0) {
            complain("--%s needs the name of a file", output[i].option);
            return false;
        }
        for (size_t k = 0; k < n_inputs; k++)
            if (is_same_file(output[i].path, input[k])) {
                complain("%s is the input; name another file for --%s", input[k], output[i].option);
                return false;
            }
        for (size_t k = 0; k < i; k++)
            if (output[k].path != NULL && is_same_file(output[i].path, output[k].path)) {
                complain("--%s and --%s name the same file, %s", output[k].option, output[i].option,
                         output[i].path);
                return false;
            }
    }
    return true;
}

/* 0, or why a file cannot be put there. It comes into being beside its place, so the directory counts. */
static int find_obstacle(const char *path)
{
    struct stat status;
    char directory[PATH_MAX + 1];
    const char *slash = strrchr(path, '/');
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    (void)snprintf(directory, sizeof directory, "%.*s.", slash != NULL ? (int)(slash - path) + 1 : 0, path);
    return access(directory, W_OK | X_OK) != 0 ? errno : 0;
}

bool outputs_can_be_written(size_t n, const struct output *output)
{
    for (size_t i = 0; i < n; i++) {
        const int obstacle = output[i].path != NULL ? find_obstacle(output[i].path) : 0;
        if (obstacle != 0) {
            complain("cannot write %s: %s", output[i].path, strerror(obstacle));
            return false;
        }
    }
    return true;
}

/* ---- help ---- */

/* Prints text, broken into lines that begin after `indent` columns; from this column on, and to that one. */
static int print_wrapped(const char *text, int indent, int column)
{
    const int width = 96;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            (void)putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    return column;
}

void command_line_print_options(const struct command_line *line)
{
    const int indent = 32;
    const size_t n = option_count(line);
    for (size_t i = 0; i < n; i++) {
        const struct command_option option = option_at(line, i);
        int used = printf("  --%s", option.name);
        if (option.letter != 0)
            used += printf(", -%c", option.letter);
        used += printf(" %s", option.value != NULL ? option.value : "");
        printf("%*s", used < indent ? indent - used : 1, "");
        const int column = print_wrapped(option.help, indent, indent);
        if (option.default_value != NULL) {
            char standard[64];
            (void)snprintf(standard, sizeof standard, "[%s]", option.default_value);
            (void)print_wrapped(standard, indent, column);
        }
        (void)putchar('\n');
    }
}

void print_classifiers(void)
{
    (void)puts("\nClassifiers:");
    for (size_t i = 0; i < dedpul_classifier_count(); i++)
        printf("  %-13s %s\n", dedpul_classifier_name(i), dedpul_classifier_summary(i));
}

void print_methods_and_densities(bool has_table)
{
    (void)puts("\nMethods:");
    for (size_t i = 0; i < dedpul_method_count(); i++)
        if (has_table || !dedpul_method_needs_table(i))
            printf("  %-13s %s\n", dedpul_method_name(i), dedpul_method_summary(i));
    (void)puts("\nDensities:");
    for (size_t i = 0; i < dedpul_density_count(); i++)
        printf("  %-13s %s\n", dedpul_density_name(i), dedpul_density_summary(i));
}
