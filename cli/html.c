#include "html.h"

#include "message.h"

#include <string.h>

void html_text(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            (void)fputs("&lt;", stream);
            break;
        case '>':
            (void)fputs("&gt;", stream);
            break;
        case '&':
            (void)fputs("&amp;", stream);
            break;
        case '"':
            (void)fputs("&quot;", stream);
            break;
        case '\'':
            (void)fputs("&#39;", stream);
            break;
        default:
            text += put_character(stream, text) - 1;
        }
}

static int write_json(const char *buffer, size_t size, void *stream)
{
    for (size_t i = 0; i < size; i++)
        if (buffer[i] == '<' || buffer[i] == '>' || buffer[i] == '&')
            (void)fprintf(stream, "\\u%04x", (unsigned)buffer[i]);
        else
            (void)fputc(buffer[i], stream);
    return 0;
}

void html_json(FILE *stream, const json_t *value)
{
    (void)json_dump_callback(value, write_json, stream, JSON_COMPACT | JSON_REAL_PRECISION(9));
}

/* The slot that these characters name. A template is part of the program, so there is one. */
static const struct html_slot *find_slot(const struct html_slot *slots, const char *name, size_t length)
{
    while (strlen(slots->name) != length || strncmp(slots->name, name, length) != 0)
        slots++;
    return slots;
}

void html_template(FILE *stream, size_t size, const unsigned char *text, const struct html_slot *slots,
                   const void *what)
{
    const char *at = (const char *)text, *end = at + size, *open;
    while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL) {
        const char *name = open + 2, *close = memmem(name, (size_t)(end - name), "}}", 2);
        (void)fwrite(at, 1, (size_t)(open - at), stream);
        find_slot(slots, name, (size_t)(close - name))->print(stream, what);
        at = close + 2;
    }
    (void)fwrite(at, 1, (size_t)(end - at), stream);
}
