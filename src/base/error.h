/* Error messages, and text made fit to appear in them. */
#ifndef DEDPUL_BASE_ERROR_H
#define DEDPUL_BASE_ERROR_H

#include "dedpul_common.h"

/* Returns from the calling function with the status of a call that failed. */
#define TRY(call)                                 \
    do {                                          \
        const dedpul_status try_status_ = (call); \
        if (try_status_ != DEDPUL_OK)             \
            return try_status_;                   \
    } while (0)

/*
 * Fills error (which may be NULL) with a message as by printf; its value is the status, so that one can
 * `return error_set(...)`.
 */
#define error_set(error, status, ...) (error_fill((error), (status), __VA_ARGS__), (status))

void error_fill(dedpul_error *error, dedpul_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Size of a buffer for the name of a file as escape_text gives it. */
#define NAME_TEXT_SIZE 512

/*
 * Text that may appear in a message or on a terminal: bytes that control a terminal, reorder text or are not
 * UTF-8 become \xNN; all else, "größe.csv" too, stays as it is. Shortened with "..." to fit.
 * Returns buffer, of which size bytes, at least 4, can be written.
 */
const char *escape_text(char *buffer, size_t size, const char *text, size_t length);

/* Size of a buffer for quote_text. */
#define QUOTE_SIZE 64

/*
 * Text of a user's file made fit for a message: in single quotes, control and non-ASCII bytes as
 * \xNN, shortened with "..." to fit. Returns buffer.
 */
const char *quote_text(char buffer[QUOTE_SIZE], const char *text, size_t length);

#endif
