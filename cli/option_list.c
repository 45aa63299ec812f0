#include "option_list.h"

#include <stdlib.h>
#include <string.h>

static const struct command_option help_option = {"help", 0, NULL, NULL, "Show this help.", 0};

const char *optional_choices(const struct command_option *option)
{
    static const char before[] = "off|on|";
    const size_t length = strlen(before);
    return option->value != NULL && strncmp(option->value, before, length) == 0 ? option->value + length
                                                                                : NULL;
}

bool has_optional_value(const struct command_option *option)
{
    return optional_choices(option) != NULL || (option->value != NULL && option->value[0] == '[');
}

/* An option that is off unless it is named needs no value on the command line. */
static bool is_flag(const dedpul_option_info *info)
{
    return info->default_value != NULL && strcmp(info->value, "off|on") == 0 &&
           strcmp(info->default_value, "off") == 0;
}

static struct command_option option_of(const dedpul_option_info *info)
{
    if (is_flag(info))
        return (struct command_option){info->name, 0, NULL, NULL, info->help, 0};
    return (struct command_option){info->name, 0, info->value, info->default_value, info->help, 0};
}

/* Counts the options; and puts them into the list, if there is room for any. */
static void collect(struct option_list *list, const struct command_line *line)
{
    const dedpul_option_info *info;
    size_t n = 0;
    if (list->option != NULL)
        list->option[HELP_OPTION] = help_option;
    n++;
    for (const struct option_group *group = line->groups; group->options != NULL; group++)
        for (const struct command_option *option = group->options; option->name != NULL; option++, n++)
            if (list->option != NULL) {
                list->option[n] = *option;
                list->option[n].offset += group->offset;
            }
    list->n_fields = n;
    for (size_t i = 0; line->library != NULL && (info = line->library(i)) != NULL; i++, n++)
        if (list->option != NULL)
            list->option[n] = option_of(info);
    list->n = n;
}

bool option_list_make(struct option_list *list, const struct command_line *line)
{
    *list = (struct option_list){.n = 0};
    collect(list, line);
    list->option = calloc(list->n, sizeof *list->option);
    if (list->option == NULL)
        return false;
    collect(list, line);
    return true;
}

void option_list_free(struct option_list *list)
{
    free(list->option);
}

const dedpul_option_info *library_option_except(size_t index, size_t n, const char *const *left_out)
{
    const dedpul_option_info *info;
    size_t kept = 0;
    for (size_t i = 0; (info = dedpul_option_at(i)) != NULL; i++) {
        size_t k = 0;
        while (k < n && strcmp(info->name, left_out[k]) != 0)
            k++;
        if (k == n && kept++ == index)
            break;
    }
    return info;
}
