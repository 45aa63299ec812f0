#include "completion_value.h"

#include <stdio.h>
#include <string.h>

static void add_word(struct value *value, const char *word, size_t length)
{
    const size_t used = strlen(value->words);
    (void)snprintf(value->words + used, sizeof value->words - used, "%s%.*s", used > 0 ? " " : "",
                   (int)length, word);
}

/* Adds the parts of "X|Xsd|auto" that are to be typed as they are: those without capitals. */
static void add_choices(struct value *value, const char *choices)
{
    while (*choices != '\0') {
        const size_t length = strcspn(choices, "|");
        if (strspn(choices, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length)
            add_word(value, choices, length);
        choices += length + (choices[length] == '|');
    }
}

/* Tells whether the command reads tables: else it has no use for methods that look at features. */
static bool has_table(const struct command_line *line)
{
    const dedpul_option_info *info;
    for (size_t i = 0; line->library != NULL && (info = line->library(i)) != NULL; i++)
        if (info->needs_table)
            return true;
    return false;
}

/* The name at this index of those that the option takes; NULL after the last. */
static const char *name_at(const struct command_line *line, const char *option, size_t index)
{
    static const struct {
        const char *option;
        const char *(*name_at)(size_t index);
    } lists[] = {{"classifier", dedpul_classifier_name},
                 {"method", dedpul_method_name},
                 {"density", dedpul_density_name}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].option, option) == 0)
            return lists[i].name_at(index);
    return line->name_at != NULL ? line->name_at(option, index) : NULL;
}

static void add_names(struct value *value, const struct command_line *line, const char *option)
{
    const bool skips = strcmp(option, "method") == 0 && !has_table(line);
    const char *name;
    for (size_t i = 0; (name = name_at(line, option, i)) != NULL; i++)
        if (!skips || !dedpul_method_needs_table(i))
            add_word(value, name, strlen(name));
}

struct value value_of(const struct command_line *line, const struct command_option *option)
{
    struct value value = {.kind = VALUE_NONE};
    const char *text = option->value;
    if (text == NULL)
        return value;
    value.is_optional = has_optional_value(option);
    add_choices(&value, value.is_optional && text[0] != '[' ? optional_choices(option) : text);
    if (strstr(text, "NAME") != NULL)
        add_names(&value, line, option->name);
    if (strstr(text, "FILE") != NULL)
        value.kind = VALUE_FILE;
    else if (strcmp(text, "DIR") == 0)
        value.kind = VALUE_DIRECTORY;
    else if (value.words[0] == '\0')
        value.kind = VALUE_ANY;
    else
        value.kind = strstr(text, "NAME,NAME") != NULL ? VALUE_LIST : VALUE_WORD;
    return value;
}
