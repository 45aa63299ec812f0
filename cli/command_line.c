#include "command_line.h"

#include "command.h"
#include "drawing.h"
#include "message.h"
#include "option_list.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Above all characters, so that an option is not taken for getopt's '?' or ':'. */
enum { FIRST_VALUE = 256 };

/* What getopt_long reads: as many as the command has options. */
struct getopt_tables {
    struct option *table; /* (n + 1) */
    char *letters;        /* (n + 2) */
    const char **names;   /* (n) */
};

static void tables_free(struct getopt_tables *tables)
{
    free(tables->table);
    free(tables->letters);
    free(tables->names);
}

static void tables_fill(struct getopt_tables *tables, const struct option_list *list)
{
    size_t n_letters = 0;
    tables->letters[n_letters++] = ':';
    for (size_t i = 0; i < list->n; i++) {
        const struct command_option *option = &list->option[i];
        tables->names[i] = option->name;
        tables->table[i].name = option->name;
        tables->table[i].has_arg = option->value == NULL        ? no_argument
                                   : has_optional_value(option) ? optional_argument
                                                                : required_argument;
        tables->table[i].val = FIRST_VALUE + (int)i;
        if (option->letter != 0)
            tables->letters[n_letters++] = option->letter;
    }
}

static bool tables_make(struct getopt_tables *tables, const struct option_list *list)
{
    tables->table = calloc(list->n + 1, sizeof *tables->table);
    tables->letters = calloc(list->n + 2, sizeof *tables->letters);
    tables->names = calloc(list->n, sizeof *tables->names);
    if (tables->table == NULL || tables->letters == NULL || tables->names == NULL) {
        tables_free(tables);
        return false;
    }
    tables_fill(tables, list);
    return true;
}

/* All that reading needs. */
struct reading {
    const struct command_line *line;
    struct option_list list;
    struct getopt_tables tables;
    void *request;
    int argc;
    char **argv;
};

/* How many options a shortened name may stand for. */
static size_t count_beginning(const struct reading *reading, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < reading->list.n; i++)
        count += strncmp(reading->tables.names[i], name, strlen(name)) == 0;
    return count;
}

/* About the argument that getopt_long has just refused. */
static void complain_option(const struct reading *reading, int reason, const char *argument)
{
    char name[64];
    const char *command = reading->line->command, *begin = argument + strspn(argument, "-");
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const char *nearest = dedpul_nearest_name(name, reading->list.n, reading->tables.names);
    const size_t n_meant = strncmp(argument, "--", 2) == 0 ? count_beginning(reading, name) : 0;
    if (reason == ':')
        complain("%s needs a value; see 'dedpul %s --help'", argument, command);
    else if (n_meant > 1)
        complain("option '%s' is ambiguous; see 'dedpul %s --help'", argument, command);
    else if (n_meant == 1)
        complain("option '%s' takes no value; see 'dedpul %s --help'", argument, command);
    else if (nearest != NULL)
        complain("unknown option '%s'; did you mean --%s? See 'dedpul %s --help'", argument, nearest,
                 command);
    else
        complain("unknown option '%s'; see 'dedpul %s --help'", argument, command);
}

/* Tells whether the text is one of the option's choices, or names a figure if it has no choices. */
static bool is_optional_value(const struct command_option *option, const char *text)
{
    const size_t length = strlen(text);
    const char *choice = optional_choices(option);
    if (choice == NULL)
        return is_figure_name(text);
    while (strcspn(choice, "|") != length || strncmp(choice, text, length) != 0) {
        choice += strcspn(choice, "|");
        if (*choice == '\0')
            return false;
        choice++;
    }
    return true;
}

/* Takes what follows '=', or the next argument if it can be the value. False, after a message, for others. */
static bool take_optional_value(const struct command_option *option, int argc, char **argv)
{
    if (optarg == NULL && optind < argc && is_optional_value(option, argv[optind]))
        optarg = argv[optind++];
    if (optarg == NULL || is_optional_value(option, optarg))
        return true;
    if (optional_choices(option) != NULL)
        complain("--%s: '%s' is not %s; the option may also stand alone", option->name, optarg,
                 optional_choices(option));
    else
        complain("--%s: '%s' does not end in .svg, .png or .pdf", option->name, optarg);
    return false;
}

/* The argument of letters that getopt_long has just refused, if it is a word, such as -classifier; else NULL.
 */
static const char *find_word(const struct reading *reading)
{
    for (int at = optind - 1; at <= optind && at < reading->argc; at++) { /* it may be done with it, or not */
        const char *const argument = reading->argv[at];
        if (argument[0] == '-' && argument[1] != '-' && strlen(argument) > 3)
            return argument;
    }
    return NULL;
}

/* getopt_long's next option: its index, -1 after the last, or -2 after a message about a wrong one. */
static int next_option(const struct reading *reading)
{
    const struct option_list *list = &reading->list;
    opterr = 0;
    const int value =
        getopt_long(reading->argc, reading->argv, reading->tables.letters, reading->tables.table, NULL);
    if (value == '?' || value == ':') {
        const char letter[] = {'-', (char)optopt, '\0'};
        const bool is_letter = optopt > 0 && optopt < FIRST_VALUE;
        const char *const word = is_letter ? find_word(reading) : reading->argv[optind - 1];
        complain_option(reading, value, word != NULL ? word : letter);
        return -2;
    }
    if (value < 0)
        return -1;
    for (size_t i = 0; i < list->n; i++)
        if (list->option[i].letter == value)
            return (int)i;
    const struct command_option *option = &list->option[value - FIRST_VALUE];
    if (has_optional_value(option) && !take_optional_value(option, reading->argc, reading->argv))
        return -2;
    return value - FIRST_VALUE;
}

static bool set_option(const struct reading *reading, size_t index)
{
    dedpul_error error;
    const struct command_option *option = &reading->list.option[index];
    if (index < reading->list.n_fields) {
        char *field = (char *)reading->request + option->offset;
        if (option->value != NULL)
            *(const char **)(void *)field = optarg != NULL ? optarg : "";
        else
            *(bool *)field = true;
        return true;
    }
    const char *value = option->value != NULL && optarg != NULL ? optarg : "on";
    if (reading->line->set(reading->request, option->name, value, &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

/* One pass over the command line: the preset, which sets several options and so comes first wherever it
 * stands, or all else. */
static int read_options(const struct reading *reading, bool is_for_preset, bool *help)
{
    int index;
    optind = 0; /* from the start */
    while ((index = next_option(reading)) != -1) {
        if (index < 0)
            return EXIT_USAGE;
        const bool is_preset = strcmp(reading->list.option[index].name, "preset") == 0;
        if (index == HELP_OPTION)
            *help = true;
        else if (is_preset == is_for_preset && !set_option(reading, (size_t)index))
            return EXIT_FAILED;
    }
    return EXIT_OK;
}

static int take_files(const struct reading *reading, const char **file)
{
    const struct command_line *line = reading->line;
    const size_t given = (size_t)(reading->argc - optind);
    if (given <= line->n_files && given + line->n_optional >= line->n_files) {
        for (size_t i = 0; i < given; i++)
            file[i] = reading->argv[optind + (int)i];
        return EXIT_OK;
    }
    if (line->n_files == 1 && given > 1 && !line->takes_text)
        complain(
            "more than one file given: '%s' and '%s'; the names of figures end in .svg, .png or .pdf, and "
            "those of outputs follow their option. See 'dedpul %s --help'",
            reading->argv[optind], reading->argv[optind + 1], line->command);
    else if (line->n_files == 1 && !line->takes_text)
        complain("no file given; see 'dedpul %s --help'", line->command);
    else
        complain("'dedpul %s' needs %s; see 'dedpul %s --help'", line->command, line->files, line->command);
    return EXIT_USAGE;
}

int command_line_read(const struct command_line *line, void *request, int argc, char **argv,
                      const char **file, bool *help)
{
    struct reading reading = {.line = line, .request = request, .argc = argc, .argv = argv};
    *help = false;
    if (!option_list_make(&reading.list, line) || !tables_make(&reading.tables, &reading.list)) {
        option_list_free(&reading.list);
        complain("out of memory");
        return EXIT_FAILED;
    }
    int code = read_options(&reading, true, help);
    if (code == EXIT_OK)
        code = read_options(&reading, false, help);
    if (code == EXIT_OK && !*help)
        code = take_files(&reading, file);
    tables_free(&reading.tables);
    option_list_free(&reading.list);
    return code;
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
