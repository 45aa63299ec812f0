/*
 * Options as tables: one entry defines an option's name, texts, default, field, reading and writing; the
 * defaults, the command line, its help, the bindings and the settings in model files all follow from it.
 */
#ifndef DEDPUL_API_OPTION_H
#define DEDPUL_API_OPTION_H

#include "error.h"

struct option;

/* Size of a buffer for an option's value as text. */
#define OPTION_TEXT_SIZE 64

/* A type of values: from text, and back. */
struct option_type {
    dedpul_status (*read)(const struct option *option, const char *value, void *field, dedpul_error *error);
    void (*write)(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE]);
};

struct option {
    dedpul_option_info info;
    const struct option_type *type;
    size_t offset;       /* of the field in the options' struct */
    double least, most;  /* of numbers */
    const char *meaning; /* of what a number must be, for messages: "a share between 0 and 1" */
};

struct option_table {
    size_t n;
    const struct option *option; /* (n) */
};

extern const struct option_type option_number; /* double */
extern const struct option_type option_whole;  /* unsigned */
extern const struct option_type option_seed;   /* uint64_t */
extern const struct option_type
    option_choice; /* an enumeration whose values from 0 are info.value's "a|b|c" */

/* "name: 'value' is not a ...", with the status. */
dedpul_status option_reject(const struct option *option, const char *value, const char *wanted,
                            dedpul_error *error);

/* NULL where there is none of that name. */
const struct option *option_find(const struct option_table *table, const char *name);

dedpul_status option_read(const struct option *option, void *options, const char *value, dedpul_error *error);

/* Sets those that have a default. */
void option_table_defaults(const struct option_table *table, void *options);

#endif
