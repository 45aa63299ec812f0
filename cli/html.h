/* Text, JSON and templates as HTML. */
#ifndef DEDPUL_CLI_HTML_H
#define DEDPUL_CLI_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Any text, so that it stays text; a ? for each control character. */
void html_text(FILE *stream, const char *text);

/* For a script element of type application/json: nothing in it can end the element. Numbers have 9 digits. */
void html_json(FILE *stream, const json_t *value);

/* What takes the place of {{name}} in a template. */
struct html_slot {
    const char *name;
    void (*print)(FILE *stream, const void *what);
};

/* Each name in the template has a slot. */
void html_template(FILE *stream, size_t size, const unsigned char *text /* (size) */,
                   const struct html_slot *slots, const void *what);

#endif
