/* Text for people: messages on standard error, and names that users chose on any stream. */
#ifndef DEDPUL_CLI_MESSAGE_H
#define DEDPUL_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * "dedpul: ..." and a newline on standard error. Bytes that control the terminal, and bytes that are not
 * UTF-8, are written as \xNN, so a file name or an option may be printed as it was given.
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the UTF-8 character that text begins with, or a ? if it is not one, or if it controls a terminal.
 * Returns how many bytes of text it took. */
size_t put_character(FILE *stream, const char *text);

/* Prints text by put_character. */
void print_text(const char *text);

/* What messages call an input file. */
const char *input_name(const char *file);

/* Flushes standard output. False, after a message with the reason, if anything could not be written to it. */
bool flush_output(void);

#endif
