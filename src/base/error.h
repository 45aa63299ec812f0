/* Error messages, and functions that make text safe to appear in them. */
#ifndef DEDPUL_BASE_ERROR_H
#define DEDPUL_BASE_ERROR_H

#include "dedpul_common.h"

/* Makes the call; if it fails, returns its status from the calling function. */
#define TRY(call)                                 \
    do {                                          \
        const dedpul_status try_status_ = (call); \
        if (try_status_ != DEDPUL_OK)             \
            return try_status_;                   \
    } while (0)

/*
 * Fills error (which may be NULL) with a status and a message as printf would. Returns the status, so that a
 * caller can write `return error_set(...)`.
 */
#define error_set(error, status, ...) (error_fill((error), (status), __VA_ARGS__), (status))

void error_fill(dedpul_error *error, dedpul_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Size of a buffer for a file name that escape_text has made printable. */
#define NAME_TEXT_SIZE 512

/*
 * Copies text so that it may appear in a message or on a terminal: bytes that control a terminal, reorder
 * text or are not UTF-8 become \xNN; everything else stays as it is, "größe.csv" too. Text that does not fit
 * is cut and ends in "...". The buffer has `size` bytes, at least 4. Returns buffer.
 */
const char *escape_text(char *buffer, size_t size, const char *text, size_t length);

/* Size of a buffer for quote_text. */
#define QUOTE_SIZE 64

/*
 * Copies text of a user's file for a message: in single quotes, control and non-ASCII bytes as \xNN. Text
 * that does not fit is cut and ends in "...". Returns buffer.
 */
const char *quote_text(char buffer[QUOTE_SIZE], const char *text, size_t length);

#endif
