#include "text_kind.h"

#include "cell.h"
#include "dialect.h"
#include "number.h"

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
    {is_date, "it holds dates", "turn its dates into numbers, such as days or months"},
    {has_comma, "its numbers have commas",
     "say that these are decimal commas (--decimal ,), or take them out if they part thousands"},
    {has_unit, "its numbers stand beside signs", "write the numbers alone"},
    {is_sentence, "it holds free text", "turn it into numbers, for example by TF-IDF in scikit-learn"},
};

struct text_kind text_kind_of(const struct texts *texts)
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
    return (struct text_kind){"it looks like an identifier", "allow more (--max-levels N)", texts->text[0]};
}
