#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_fill(dedpul_error *error, dedpul_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
}

/* ---- text of users ---- */

enum { ESCAPE_SIZE = 4 /* \xNN */ };

static void put_escape(char *to, char byte)
{
    static const char digits[] = "0123456789abcdef";
    to[0] = '\\';
    to[1] = 'x';
    to[2] = digits[(unsigned char)byte >> 4];
    to[3] = digits[(unsigned char)byte & 15];
}

/* Characters that a terminal does not show as they are: controls, and those that reorder or hide text. */
static int is_hidden(uint32_t character)
{
    static const uint32_t ranges[][2] = {{0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c},
                                         {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                         {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i][0] && character <= ranges[i][1])
            return 1;
    return 0;
}

/* Returns the number of bytes of the first character, or 0 if it is not UTF-8 or must not be shown. */
static size_t shown_size(const char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by size; longer is invalid */
    const unsigned char first = (unsigned char)text[0];
    const size_t size = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t character = size <= 1 ? first : first & (0x7fu >> size);
    if (size == 0 || size > length || first > 0xf4)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        character = character << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (character < least[size] || (character >= 0xd800 && character <= 0xdfff) || character > 0x10ffff)
        return 0;
    return is_hidden(character) ? 0 : size;
}

const char *escape_text(char *buffer, size_t size, const char *text, size_t length)
{
    static const char ellipsis[] = "...";
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        const size_t shown = shown_size(text + i, length - i);
        const size_t piece = shown > 0 ? shown : ESCAPE_SIZE, taken = shown > 0 ? shown : 1;
        if (used + piece + sizeof ellipsis > size) {
            memcpy(buffer + used, ellipsis, sizeof ellipsis);
            return buffer;
        }
        if (shown > 0)
            memcpy(buffer + used, text + i, shown);
        else
            put_escape(buffer + used, text[i]);
        used += piece;
        i += taken;
    }
    buffer[used] = '\0';
    return buffer;
}

const char *quote_text(char buffer[QUOTE_SIZE], const char *text, size_t length)
{
    static const char ellipsis[] = "...'";
    size_t used = 0;
    buffer[used++] = '\'';
    for (size_t i = 0; i < length; i++) {
        if (used + ESCAPE_SIZE + sizeof ellipsis > QUOTE_SIZE) {
            memcpy(buffer + used, ellipsis, sizeof ellipsis);
            return buffer;
        }
        if (text[i] >= 0x20 && text[i] < 0x7f) {
            buffer[used++] = text[i];
        } else {
            put_escape(buffer + used, text[i]);
            used += ESCAPE_SIZE;
        }
    }
    buffer[used++] = '\'';
    buffer[used] = '\0';
    return buffer;
}
