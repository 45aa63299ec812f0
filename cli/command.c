#include "command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("dedpul: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

/* Above all characters, so that an option is not taken for getopt's '?' or ':'. */
enum { FIRST_VALUE = 256 };

static struct command_option option_at(const struct command_options *options, size_t index)
{
    if (index < options->n_own)
        return options->own[index];
    const dedpul_option_info *info = dedpul_option_at(index - options->n_own);
    return (struct command_option){info->name, info->value, info->default_value, info->help};
}

bool command_options_init(struct command_options *options, size_t n_own, const struct command_option *own)
{
    *options = (struct command_options){n_own, n_own + dedpul_option_count(), own, NULL};
    options->table = calloc(options->n + 1, sizeof *options->table);
    if (options->table == NULL) {
        complain("out of memory");
        return false;
    }
    for (size_t i = 0; i < options->n; i++) {
        const struct command_option option = option_at(options, i);
        options->table[i].name = option.name;
        options->table[i].has_arg = option.value != NULL ? required_argument : no_argument;
        options->table[i].val = FIRST_VALUE + (int)i;
    }
    return true;
}

void command_options_free(struct command_options *options)
{
    free(options->table);
}

/* How many options a shortened name may stand for. */
static size_t count_beginning(const struct command_options *options, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < options->n; i++)
        count += strncmp(options->table[i].name, name, strlen(name)) == 0;
    return count;
}

static const char *nearest_option(const struct command_options *options, const char *name)
{
    const char **names = calloc(options->n, sizeof *names);
    const char *nearest = NULL;
    for (size_t i = 0; names != NULL && i < options->n; i++)
        names[i] = options->table[i].name;
    if (names != NULL)
        nearest = dedpul_nearest_name(name, options->n, names);
    free(names);
    return nearest;
}

/* About the argument that getopt_long has just refused. */
static void complain_option(const struct command_options *options, const char *command, int reason,
                            const char *argument)
{
    char name[64];
    const char *begin = argument + strspn(argument, "-");
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "="), begin);
    const char *nearest = nearest_option(options, name);
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

int command_options_next(const struct command_options *options, const char *command, int argc, char **argv)
{
    opterr = 0;
    const int value = getopt_long(argc, argv, ":", options->table, NULL);
    if (value == '?' || value == ':') {
        const char letter[] = {'-', (char)optopt, '\0'};
        const bool is_letter = optopt > 0 && optopt < FIRST_VALUE;
        complain_option(options, command, value, is_letter ? letter : argv[optind - 1]);
        return -2;
    }
    return value < 0 ? value : value - FIRST_VALUE;
}

/* Prints text after `indent` columns, broken into lines. */
static void print_wrapped(const char *text, int indent)
{
    const int width = 96;
    int column = indent;
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
}

void command_options_print(const struct command_options *options)
{
    const int indent = 32;
    for (size_t i = 0; i < options->n; i++) {
        const struct command_option option = option_at(options, i);
        const int used = printf("  --%s %s", option.name, option.value != NULL ? option.value : "");
        printf("%*s", used < indent ? indent - used : 1, "");
        print_wrapped(option.help, indent);
        if (option.default_value != NULL)
            printf(" [%s]", option.default_value);
        (void)putchar('\n');
    }
}
