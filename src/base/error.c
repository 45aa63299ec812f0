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

const char *quote_text(char buffer[QUOTE_SIZE], const char *text, size_t length)
{
    static const char ellipsis[] = "...'";
    const size_t longest_piece = 4; /* \xNN */
    size_t used = 0;
    buffer[used++] = '\'';
    for (size_t i = 0; i < length; i++) {
        if (used + longest_piece + sizeof ellipsis > QUOTE_SIZE) {
            memcpy(buffer + used, ellipsis, sizeof ellipsis);
            return buffer;
        }
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x20 && byte < 0x7f)
            buffer[used++] = (char)byte;
        else
            used += (size_t)snprintf(buffer + used, longest_piece + 1, "\\x%02x", byte);
    }
    buffer[used++] = '\'';
    buffer[used] = '\0';
    return buffer;
}
