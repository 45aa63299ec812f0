#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Bytes of the UTF-8 character that text begins with; 0 if it is not one. */
static size_t character_size(const unsigned char *text)
{
    const unsigned lead = text[0];
    const size_t size = lead < 0x80   ? 1
                        : lead < 0xc2 ? 0
                        : lead < 0xe0 ? 2
                        : lead < 0xf0 ? 3
                        : lead < 0xf5 ? 4
                                      : 0;
    for (size_t i = 1; i < size; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool is_overlong = (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xf0 && text[1] < 0x90);
    const bool is_outside = (lead == 0xed && text[1] > 0x9f) || (lead == 0xf4 && text[1] > 0x8f);
    return is_overlong || is_outside ? 0 : size;
}

/* Whether a character controls the terminal: C0, DEL, or C1 (U+0080 to U+009F). */
static bool is_control(const unsigned char *text)
{
    return text[0] < ' ' || text[0] == 127 || (text[0] == 0xc2 && text[1] < 0xa0);
}

/* Bytes of the character that text begins with, if it can be shown as it is; else 0. */
static size_t printable_size(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t size = character_size(bytes);
    return size > 0 && is_control(bytes) ? 0 : size;
}

size_t put_character(FILE *stream, const char *text)
{
    const size_t size = printable_size(text);
    if (size > 0) {
        (void)fwrite(text, 1, size, stream);
        return size;
    }
    (void)fputc('?', stream);
    const size_t hidden = character_size((const unsigned char *)text);
    return hidden > 0 ? hidden : 1;
}

void print_text(const char *text)
{
    while (*text != '\0')
        text += put_character(stdout, text);
}

enum { MESSAGE_SIZE = 8192 };

/* The text with \xNN for each byte that cannot be shown; cut if there is not enough room. */
static void escape(const char *text, char shown[MESSAGE_SIZE])
{
    enum { LONGEST = 4 }; /* of a character, and of \xNN */
    size_t used = 0;
    while (*text != '\0' && used + LONGEST < MESSAGE_SIZE) {
        const size_t size = printable_size(text);
        if (size > 0) {
            memcpy(shown + used, text, size);
            used += size;
            text += size;
        } else {
            used += (size_t)snprintf(shown + used, LONGEST + 1, "\\x%02x", (unsigned char)*text++);
        }
    }
    shown[used] = '\0';
}

void complain(const char *format, ...)
{
    char text[MESSAGE_SIZE], shown[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    escape(text, shown);
    (void)fprintf(stderr, "dedpul: %s\n", shown);
}

const char *input_name(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

bool flush_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    complain("cannot write to standard output: %s", strerror(errno));
    return false;
}
