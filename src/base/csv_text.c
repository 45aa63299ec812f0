#include "csv_text.h"

#include <stdbool.h>
#include <string.h>

/* Signs that separate cells or rows, for some reader, and blanks at an end, which some take off. */
static bool needs_quotes(const char *text, size_t length)
{
    if (length > 0 && (text[0] == ' ' || text[length - 1] == ' '))
        return true;
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case ',':
        case ';':
        case '\t':
        case '"':
        case '\n':
        case '\r':
            return true;
        default:
            break;
        }
    return false;
}

void write_csv_cell(FILE *stream, const char *text, size_t length)
{
    const bool is_quoted = needs_quotes(text, length);
    if (!is_quoted)
        (void)fwrite(text, 1, length, stream);
    else
        (void)fputc('"', stream);
    for (size_t i = 0; is_quoted && i < length; i++) {
        if (text[i] == '"')
            (void)fputc('"', stream);
        (void)fputc(text[i], stream);
    }
    if (is_quoted)
        (void)fputc('"', stream);
}

void write_csv_text(FILE *stream, const char *text, size_t length)
{
    write_csv_cell(stream, text, length);
    (void)fputc(',', stream);
}

void write_id_name(FILE *stream, const char *name)
{
    static const char *const ours[] = {"row", "label", "score",  "ratio",    "posterior",
                                       "low", "high",  "weight", "positive", "kind"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(name, ours[i]) == 0)
            name = "id";
    write_csv_text(stream, name, strlen(name));
}
