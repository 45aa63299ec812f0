/* The types of Arrow's columns. */
#ifndef DEDPUL_TABLE_ARROW_TYPE_H
#define DEDPUL_TABLE_ARROW_TYPE_H

#include <stdbool.h>
#include <stddef.h>

enum arrow_kind {
    ARROW_NULL,
    ARROW_BOOLEAN,
    ARROW_SIGNED,
    ARROW_UNSIGNED,
    ARROW_FLOAT,
    ARROW_DECIMAL,
    ARROW_TEXT,
    ARROW_TEXT_VIEW,
    ARROW_REFUSED,
};

struct arrow_type {
    enum arrow_kind kind;
    int scale;           /* of a decimal: how many digits stand behind the point; may be negative */
    size_t width;        /* bytes of a number, of a text's offset, or of a view; 0 for bits and nulls */
    const char *name;    /* of a type that is refused, "timestamp"; NULL if it is not known */
    const char *way_out; /* what to do about it */
};

/* Reads a type as ArrowSchema.format has it. */
struct arrow_type arrow_type_parse(const char *format);

/* How many buffers an array of the type has; one of views has at least as many. */
size_t arrow_type_buffers(struct arrow_type type);

#endif
