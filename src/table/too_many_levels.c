#include "too_many_levels.h"

#include "dialect.h"
#include "number.h"

#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_date_sign(char c)
{
    return c == '-' || c == '/' || c == '.';
}

/* Three groups of digits, two of them short, and perhaps a time behind them: 2024-01-31T12:00, 31.1.24. */
static bool is_date(const char *text)
{
    size_t n_short = 0;
    for (int group = 0; group < 3; group++) {
        size_t digits = 0;
        while (is_digit(text[digits]))
            digits++;
        if (digits == 0 || digits == 3 || digits > 4)
            return false;
        n_short += digits <= 2;
        text += digits;
        if (group < 2 && !is_date_sign(*text++))
            return false;
    }
    return n_short >= 2 && (*text == '\0' || *text == ' ' || *text == 'T');
}

/* At least three words. */
static bool is_sentence(const char *text)
{
    size_t blanks = 0;
    for (; *text != '\0'; text++)
        blanks += is_blank(text[0]) && text[1] != '\0' && !is_blank(text[1]);
    return blanks >= 2;
}

static bool has_comma(const char *text)
{
    const size_t length = strlen(text);
    return is_number_with_comma(text, length) || may_be_thousands(text, length);
}

/* A sign that stands beside a number, such as that of a currency, which may have several bytes. */
static bool is_unit_sign(char c)
{
    return c == '%' || c == '$' || c == '<' || c == '>' || is_blank(c) || (unsigned char)c >= 0x80;
}

/* A number with such signs before or behind it, and nothing else. */
static bool has_unit(const char *text)
{
    double number;
    size_t length = strlen(text);
    for (; is_unit_sign(*text); length--)
        text++;
    while (length > 0 && is_unit_sign(text[length - 1]))
        length--;
    return parse_double(text, length, &number);
}

static const struct {
    bool (*is_it)(const char *text);
    const char *what, *remedy;
} kinds[] = {
    {is_date, "it holds dates", "Turn its dates into numbers, such as days or months"},
    {has_comma, "its numbers have commas",
     "Say that these are decimal commas (--decimal ,), or take them out if they separate thousands"},
    {has_unit, "its numbers stand beside signs", "Write the numbers alone"},
    {is_sentence, "it holds free text", "Turn it into numbers, for example by TF-IDF in scikit-learn"},
};

/* What most of a column's texts are ("it holds dates"), and what to do with such a column; NULL: leave it
 * out. */
struct text_kind {
    const char *what, *remedy;
    const char *example; /* one of the texts */
};

static struct text_kind text_kind_of(const struct texts *texts)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t count = 0;
        struct text_kind kind = {kinds[k].what, kinds[k].remedy, NULL};
        for (size_t i = 0; i < texts->n; i++)
            if (kinds[k].is_it(texts->text[i])) {
                count++;
                kind.example = texts->text[i];
            }
        if (2 * count > texts->n)
            return kind;
    }
    return (struct text_kind){"it looks like an identifier", NULL, texts->text[0]};
}

/* How many of the levels are numbers. */
static size_t count_numbers(const struct texts *texts)
{
    size_t numbers = 0;
    double number;
    for (size_t i = 0; i < texts->n; i++)
        numbers += parse_double(texts->text[i], strlen(texts->text[i]), &number);
    return numbers;
}

/* The error about texts of some kind. */
static dedpul_status refuse_texts(const struct texts *texts, const char *column, size_t most,
                                  const struct place *place, dedpul_error *error)
{
    const struct text_kind kind = text_kind_of(texts);
    char text[QUOTE_SIZE], remedy[256];
    if (kind.remedy != NULL)
        (void)snprintf(remedy, sizeof remedy, "%s, or leave the column out (--ignore %s)", kind.remedy,
                       column);
    else
        (void)snprintf(remedy, sizeof remedy,
                       "Keep it beside the answer (--id %s), leave it out (--ignore %s), or allow more "
                       "(--max-levels N)",
                       column, column);
    return error_set(error, DEDPUL_INVALID_DATA,
                     "%s: %s %zu, column %s has more than %zu distinct texts; %s, such as %s. %s",
                     place->file, place->unit, place->number, column, most, kind.what,
                     quote_text(text, kind.example, strlen(kind.example)), remedy);
}

dedpul_status too_many_levels(const struct texts *texts, size_t first, const char *name, size_t most,
                              const struct place *place, dedpul_error *error)
{
    char column[QUOTE_SIZE], text[QUOTE_SIZE];
    (void)quote_text(column, name, strlen(name));
    if (first == 0)
        return error_set(
            error, DEDPUL_INVALID_DATA,
            "%s: %s %zu, column %s has more than %zu distinct codes. Allow more (--max-levels N), "
            "or take it as it is (without --categorical)",
            place->file, place->unit, place->number, column, most);
    if (2 * count_numbers(texts) <= texts->n)
        return refuse_texts(texts, column, most, place, error);
    return error_set(error, DEDPUL_INVALID_DATA,
                     "%s: %s %zu, column %s: %s is not a number, but most of the column's more than %zu "
                     "distinct values are. Leave the cell empty where the value is unknown, leave the "
                     "column out (--ignore %s), or allow more texts (--max-levels N)",
                     place->file, place->unit, first, column,
                     quote_text(text, texts->text[0], strlen(texts->text[0])), most, column);
}
