#include "option.h"

#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

dedpul_status option_reject(const struct option *option, const char *text, const char *meaning,
                            dedpul_error *error)
{
    char quoted[QUOTE_SIZE];
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %s is not %s", option->info.name,
                     quote_text(quoted, text, strlen(text)), meaning);
}

/* Like option_reject, about the value of a field. */
static dedpul_status reject_field(const struct option *option, const void *field, const char *meaning,
                                  dedpul_error *error)
{
    char text[OPTION_TEXT_SIZE];
    option->type->write(option, field, text);
    return option_reject(option, text, meaning, error);
}

dedpul_status option_read(const struct option *option, void *options, const char *text, dedpul_error *error)
{
    union {
        double number;
        uint64_t whole;
        const char *name;
        char largest[32];
    } value;
    TRY(option->type->parse(option, text, &value, error));
    TRY(option->type->check(option, &value, error));
    memcpy((char *)options + option->offset, &value, option->type->size);
    return DEDPUL_OK;
}

/* ---- numbers ---- */

static dedpul_status parse_number(const struct option *option, const char *text, void *field,
                                  dedpul_error *error)
{
    double number;
    if (!parse_double(text, strlen(text), &number) || isnan(number))
        return option_reject(option, text, option->meaning, error);
    memcpy(field, &number, sizeof number);
    return DEDPUL_OK;
}

static dedpul_status check_number(const struct option *option, const void *field, dedpul_error *error)
{
    const double number = *(const double *)field;
    const bool is_unset = isnan(number) && option->info.default_value == NULL;
    if (is_unset || (number >= option->info.least && number <= option->info.most))
        return DEDPUL_OK;
    return reject_field(option, field, option->meaning, error);
}

static void write_number(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const double number = *(const double *)field;
    if (isfinite(number))
        (void)format_double(text, number);
    else if (isnan(number) && option->info.default_value == NULL)
        (void)snprintf(text, OPTION_TEXT_SIZE, "-");
    else
        (void)snprintf(text, OPTION_TEXT_SIZE, "%g", number);
}

const struct option_type option_number = {sizeof(double), parse_number, check_number, write_number, NULL};

/* ---- whole numbers ---- */

static dedpul_status reject_whole(const struct option *option, const char *text, dedpul_error *error)
{
    char meaning[96];
    (void)snprintf(meaning, sizeof meaning, "a whole number from %.0f to %.0f", option->info.least,
                   option->info.most);
    return option_reject(option, text, meaning, error);
}

static dedpul_status parse_unsigned(const struct option *option, const char *text, void *field,
                                    dedpul_error *error)
{
    uint64_t number;
    if (!parse_whole(text, &number) || number > (uint64_t)option->info.most)
        return reject_whole(option, text, error);
    const unsigned value = (unsigned)number;
    memcpy(field, &value, sizeof value);
    return DEDPUL_OK;
}

static void write_unsigned(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%u", *(const unsigned *)field);
}

static dedpul_status check_unsigned(const struct option *option, const void *field, dedpul_error *error)
{
    const double number = *(const unsigned *)field;
    char text[OPTION_TEXT_SIZE];
    if (number >= option->info.least && number <= option->info.most)
        return DEDPUL_OK;
    write_unsigned(option, field, text);
    return reject_whole(option, text, error);
}

const struct option_type option_whole = {sizeof(unsigned), parse_unsigned, check_unsigned, write_unsigned,
                                         NULL};

static dedpul_status parse_seed(const struct option *option, const char *text, void *field,
                                dedpul_error *error)
{
    uint64_t number;
    if (!parse_whole(text, &number))
        return option_reject(option, text, "a whole number from 0 to 18446744073709551615", error);
    memcpy(field, &number, sizeof number);
    return DEDPUL_OK;
}

/* Every number is a valid seed. */
static dedpul_status check_seed(const struct option *option, const void *field, dedpul_error *error)
{
    (void)option, (void)field, (void)error;
    return DEDPUL_OK;
}

static void write_seed(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%llu", (unsigned long long)*(const uint64_t *)field);
}

const struct option_type option_seed = {sizeof(uint64_t), parse_seed, check_seed, write_seed, NULL};

/* ---- choices ---- */

/* Finds word `number` in "a|b|c", and its length. Returns NULL if there are fewer words. */
static const char *word_at(const char *words, unsigned number, size_t *length)
{
    for (unsigned i = 0; i < number && words != NULL; i++) {
        words = strchr(words, '|');
        words = words != NULL ? words + 1 : NULL;
    }
    *length = words != NULL ? strcspn(words, "|") : 0;
    return words;
}

static dedpul_status parse_choice(const struct option *option, const char *text, void *field,
                                  dedpul_error *error)
{
    const char *word;
    size_t length;
    for (unsigned choice = 0; (word = word_at(option->info.value, choice, &length)) != NULL; choice++)
        if (length == strlen(text) && memcmp(word, text, length) == 0) {
            memcpy(field, &choice, sizeof choice);
            return DEDPUL_OK;
        }
    return option_reject(option, text, option->info.value, error);
}

static void write_choice(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const unsigned choice = *(const unsigned *)field;
    size_t length;
    const char *word = word_at(option->info.value, choice, &length);
    if (word != NULL)
        (void)snprintf(text, OPTION_TEXT_SIZE, "%.*s", (int)length, word);
    else
        (void)snprintf(text, OPTION_TEXT_SIZE, "%d", (int)choice); /* the number is not a choice */
}

static dedpul_status check_choice(const struct option *option, const void *field, dedpul_error *error)
{
    size_t length;
    if (word_at(option->info.value, *(const unsigned *)field, &length) != NULL)
        return DEDPUL_OK;
    return reject_field(option, field, option->info.value, error);
}

const struct option_type option_choice = {sizeof(unsigned), parse_choice, check_choice, write_choice, NULL};
