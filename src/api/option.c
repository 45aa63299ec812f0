#include "option.h"

#include "number.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

dedpul_status option_reject(const struct option *option, const char *value, const char *wanted,
                            dedpul_error *error)
{
    char quoted[QUOTE_SIZE];
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %s is not %s", option->info.name,
                     quote_text(quoted, value, strlen(value)), wanted);
}

static dedpul_status read_number(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    double number;
    if (!parse_double(value, strlen(value), &number) || !(number >= option->least && number <= option->most))
        return option_reject(option, value, option->meaning, error);
    *(double *)field = number;
    return DEDPUL_OK;
}

static void write_number(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    if (isnan(*(const double *)field))
        (void)snprintf(text, OPTION_TEXT_SIZE, "-"); /* not given */
    else
        (void)snprintf(text, OPTION_TEXT_SIZE, "%.15g", *(const double *)field);
}

const struct option_type option_number = {read_number, write_number};

static dedpul_status read_whole(const struct option *option, const char *value, void *field,
                                dedpul_error *error)
{
    uint64_t number;
    if (!parse_whole(value, &number) ||
        !((double)number >= option->least && (double)number <= option->most)) {
        char wanted[96];
        (void)snprintf(wanted, sizeof wanted, "a whole number from %.0f to %.0f", option->least,
                       option->most);
        return option_reject(option, value, wanted, error);
    }
    *(unsigned *)field = (unsigned)number;
    return DEDPUL_OK;
}

static void write_whole(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%u", *(const unsigned *)field);
}

const struct option_type option_whole = {read_whole, write_whole};

static dedpul_status read_seed(const struct option *option, const char *value, void *field,
                               dedpul_error *error)
{
    if (!parse_whole(value, field))
        return option_reject(option, value, "a whole number from 0 to 18446744073709551615", error);
    return DEDPUL_OK;
}

static void write_seed(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%llu", (unsigned long long)*(const uint64_t *)field);
}

const struct option_type option_seed = {read_seed, write_seed};

static dedpul_status read_choice(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    const size_t length = strlen(value);
    const char *at = option->info.value;
    for (unsigned choice = 0;; choice++) {
        const size_t size = strcspn(at, "|");
        if (size == length && memcmp(at, value, length) == 0) {
            memcpy(field, &choice, sizeof choice);
            return DEDPUL_OK;
        }
        if (at[size] == '\0')
            return option_reject(option, value, option->info.value, error);
        at += size + 1;
    }
}

static void write_choice(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const char *at = option->info.value;
    unsigned choice;
    memcpy(&choice, field, sizeof choice);
    for (unsigned before = choice; before > 0; before--) {
        at += strcspn(at, "|");
        if (*at == '\0') { /* no choice at all */
            (void)snprintf(text, OPTION_TEXT_SIZE, "%u", choice);
            return;
        }
        at++;
    }
    (void)snprintf(text, OPTION_TEXT_SIZE, "%.*s", (int)strcspn(at, "|"), at);
}

const struct option_type option_choice = {read_choice, write_choice};

const struct option *option_find(const struct option_table *table, const char *name)
{
    for (size_t i = 0; i < table->n; i++)
        if (strcmp(table->option[i].info.name, name) == 0)
            return &table->option[i];
    return NULL;
}

dedpul_status option_read(const struct option *option, void *options, const char *value, dedpul_error *error)
{
    return option->type->read(option, value, (char *)options + option->offset, error);
}

void option_table_defaults(const struct option_table *table, void *options)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->option[i].info.default_value != NULL)
            (void)option_read(&table->option[i], options, table->option[i].info.default_value, NULL);
}
