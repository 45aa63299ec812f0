#include "completion.h"

#include "completion_value.h"
#include "message.h"

#include <stdio.h>
#include <string.h>

/* Files of cli/completion that are part of the program: what follows the generated part of a script. */
#define EMBEDDED(name)                 \
    extern const unsigned char name[]; \
    extern const size_t name##_size
EMBEDDED(completion_bash);
EMBEDDED(completion_zsh);
EMBEDDED(completion_fish);
#undef EMBEDDED

/* Writes a shell's script. `path` is the command with those it is part of, as in "bench report". */
struct shell {
    const char *name;
    const unsigned char *rest; /* (*rest_size) */
    const size_t *rest_size;
    const char *begin, *end; /* of the generated part */
    void (*parts)(const char *path, const struct command *const *parts);
    void (*options)(const char *path, const struct command_line *line, const struct option_list *list);
};

/* Prints the first sentence of a text with a backslash before each of some characters. `apostrophe` takes
 * the place of an apostrophe. */
static void print_sentence(const char *text, const char *special, const char *apostrophe)
{
    for (; *text != '\0' && strcmp(text, ".") != 0 && strncmp(text, ". ", 2) != 0; text++) {
        if (*text == '\'')
            (void)fputs(apostrophe, stdout);
        else
            printf(strchr(special, *text) != NULL ? "\\%c" : "%c", *text);
    }
}

static bool takes_directory(const struct command_line *line)
{
    return line->n_files > 0 && strcmp(line->files, "DIR") == 0;
}

/* ---- bash ---- */

static void bash_parts(const char *path, const struct command *const *parts)
{
    printf("    '%s') parts='", path);
    for (size_t i = 0; parts[i] != NULL; i++)
        printf("%s%s", i > 0 ? " " : "", parts[i]->name);
    (void)puts("' ;;");
}

static void bash_options(const char *path, const struct command_line *line, const struct option_list *list)
{
    static const char *const kinds[] = {[VALUE_ANY] = "any",
                                        [VALUE_FILE] = "file",
                                        [VALUE_DIRECTORY] = "directory",
                                        [VALUE_WORD] = "word",
                                        [VALUE_LIST] = "list"};
    printf("    '%s')\n        options='", path);
    for (size_t i = 0; i < list->n; i++)
        printf("%s--%s", i > 0 ? " " : "", list->option[i].name);
    printf("' argument=%s\n        case $2 in\n", takes_directory(line) ? "directory" : "file");
    for (size_t i = 0; i < list->n; i++) {
        const struct value value = value_of(line, &list->option[i]);
        const bool is_like_argument = value.kind == VALUE_FILE && value.is_optional;
        if (value.kind != VALUE_NONE && !is_like_argument)
            printf("        --%s) value=%s words='%s'%s ;;\n", list->option[i].name, kinds[value.kind],
                   value.words, value.is_optional ? " optional=yes" : "");
    }
    (void)puts("        esac\n        ;;");
}

/* ---- zsh ---- */

static void zsh_text(const char *text)
{
    print_sentence(text, "[]:\\", "'\\''");
}

static void zsh_parts(const char *path, const struct command *const *parts)
{
    printf("    '%s')\n        parts=(", path);
    for (; *parts != NULL; parts++) {
        printf("'%s:", (*parts)->name);
        zsh_text((*parts)->summary != NULL ? (*parts)->summary : (*parts)->name);
        (void)fputs("' ", stdout);
    }
    (void)puts(")\n        ;;");
}

static void zsh_value(const struct command_option *option, const struct value *value)
{
    if (value->kind == VALUE_NONE)
        return;
    (void)fputs(value->is_optional ? "::" : ":", stdout);
    zsh_text(option->value);
    switch (value->kind) {
    case VALUE_FILE:
        (void)fputs(":_files", stdout);
        break;
    case VALUE_DIRECTORY:
        (void)fputs(":_files -/", stdout);
        break;
    case VALUE_WORD:
        printf(":(%s)", value->words);
        break;
    case VALUE_LIST:
        printf(":_sequence compadd - %s", value->words);
        break;
    default:
        (void)fputs(": ", stdout);
        break;
    }
}

static void zsh_options(const char *path, const struct command_line *line, const struct option_list *list)
{
    printf("    '%s')\n        options=(\n", path);
    for (size_t i = 0; i < list->n; i++) {
        const struct command_option *option = &list->option[i];
        const struct value value = value_of(line, option);
        printf("            '--%s%s[", option->name, value.kind != VALUE_NONE ? "=" : "");
        zsh_text(option->help);
        (void)putchar(']');
        zsh_value(option, &value);
        (void)puts("'");
        if (option->letter != 0) {
            printf("            '-%c[", option->letter);
            zsh_text(option->help);
            (void)puts("]'");
        }
    }
    printf("            '*:%s:_files%s'\n        )\n        ;;\n", line->files,
           takes_directory(line) ? " -/" : "");
}

/* ---- fish ---- */

static void fish_text(const char *text)
{
    print_sentence(text, "\\", "\\'");
}

static void fish_parts(const char *path, const struct command *const *parts)
{
    for (; *parts != NULL; parts++) {
        printf("complete -c dedpul -n \"__dedpul_at '%s'\" -f -a %s -d '", path, (*parts)->name);
        fish_text((*parts)->summary != NULL ? (*parts)->summary : (*parts)->name);
        (void)puts("'");
    }
}

static void fish_value(const struct value *value)
{
    const char *required = value->is_optional ? "" : " -r";
    switch (value->kind) {
    case VALUE_NONE:
        break;
    case VALUE_FILE:
        printf("%s -F", required);
        break;
    case VALUE_ANY:
        printf("%s -f", required);
        break;
    case VALUE_DIRECTORY:
        printf("%s -f -a '(__fish_complete_directories)'", required);
        break;
    case VALUE_WORD:
        printf("%s -f -a '%s'", required, value->words);
        break;
    case VALUE_LIST:
        printf("%s -f -a '(__fish_append , %s)'", required, value->words);
        break;
    }
}

static void fish_options(const char *path, const struct command_line *line, const struct option_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct command_option *option = &list->option[i];
        const struct value value = value_of(line, option);
        printf("complete -c dedpul -n \"__dedpul_in '%s'\" -l %s", path, option->name);
        if (option->letter != 0)
            printf(" -s %c", option->letter);
        fish_value(&value);
        (void)fputs(" -d '", stdout);
        fish_text(option->help);
        (void)puts("'");
    }
    if (takes_directory(line))
        printf("complete -c dedpul -n \"__dedpul_in '%s'\" -f -a '(__fish_complete_directories)'\n", path);
}

/* ---- all of them ---- */

static bool print_commands(const struct shell *shell, const char *path, const struct command *const *commands)
{
    shell->parts(path, commands);
    for (; *commands != NULL; commands++) {
        char name[64];
        struct option_list list;
        (void)snprintf(name, sizeof name, "%s%s%s", path, path[0] != '\0' ? " " : "", (*commands)->name);
        if ((*commands)->parts != NULL) {
            if (!print_commands(shell, name, (*commands)->parts))
                return false;
            continue;
        }
        if (!option_list_make(&list, (*commands)->line))
            return false;
        shell->options(name, (*commands)->line, &list);
        option_list_free(&list);
    }
    return true;
}

int completion_print(const char *shell, const struct command *const *commands)
{
    static const struct shell shells[] = {
        {"bash", completion_bash, &completion_bash_size,
         "# Completions of dedpul for bash, by 'dedpul --completion bash'.\n_dedpul_describe() {\n"
         "    case $1 in\n",
         "    esac\n}\n", bash_parts, bash_options},
        {"zsh", completion_zsh, &completion_zsh_size,
         "#compdef dedpul\n# Completions of dedpul for zsh, by 'dedpul --completion zsh'.\n"
         "_dedpul_describe() {\n    case $1 in\n",
         "    esac\n}\n", zsh_parts, zsh_options},
        {"fish", completion_fish, &completion_fish_size,
         "# Completions of dedpul for fish, by 'dedpul --completion fish'.\n", "", fish_parts, fish_options},
    };
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        const struct shell *script = &shells[i];
        if (strcmp(script->name, shell) != 0)
            continue;
        (void)fputs(script->begin, stdout);
        if (!print_commands(script, "", commands)) {
            complain("out of memory");
            return EXIT_FAILED;
        }
        (void)fputs(script->end, stdout);
        (void)fwrite(script->rest, 1, *script->rest_size, stdout);
        return EXIT_OK;
    }
    complain("--completion needs the name of a shell: bash, zsh or fish");
    return EXIT_USAGE;
}
