/*
 * Options are a table: one entry defines an option's name, texts, default, bounds and field, and how it is
 * read, checked and written. The defaults, the checks of every call, the command line and its help, the
 * bindings and the settings in model files all follow from it.
 */
#ifndef DEDPUL_PUBLIC_OPTION_H
#define DEDPUL_PUBLIC_OPTION_H

#include "fit_plan.h"

#include "dedpul_options.h"

struct option;

/* Size of a buffer for an option's value as text. */
#define OPTION_TEXT_SIZE 64

/* A type of values. */
struct option_type {
    size_t size; /* of the field */
    /* Reads the field from text. It is an error if the text is not of this type. Does not check bounds. */
    dedpul_status (*parse)(const struct option *option, const char *text, void *field, dedpul_error *error);
    /* Checks that the field has a value that a call can use. */
    dedpul_status (*check)(const struct option *option, const void *field, dedpul_error *error);
    /* Writes the field as text that `parse` can read; "-" if it is not set. */
    void (*write)(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE]);
    /* Finds the registered name, or returns NULL with the error set. NULL for other types. */
    const char *(*find)(const char *name, dedpul_error *error);
};

struct option {
    dedpul_option_info info;
    const struct option_type *type;
    size_t offset;       /* of the field in dedpul_options */
    const char *meaning; /* what a value must be, for messages: "a share between 0 and 1" */
};

/* Types of single values: double (NaN: not set), unsigned, uint64_t, an enumeration of info.value's words. */
extern const struct option_type option_number, option_whole, option_seed, option_choice;

/* Names of methods, densities and classifiers; bandwidths; a network's layers. */
extern const struct option_type option_method, option_density, option_classifier, option_bandwidth,
    option_layers;

/* Sets the error "name: 'text' is not MEANING". Returns the status. */
dedpul_status option_reject(const struct option *option, const char *text, const char *meaning,
                            dedpul_error *error);

/* Parses the text into the option's field and checks it. */
dedpul_status option_read(const struct option *option, void *options, const char *text, dedpul_error *error);

static inline const void *option_field(const struct option *option, const void *options)
{
    return (const char *)options + option->offset;
}

/* The table. */
size_t option_count(void);
const struct option *option_at(size_t index);

/* Fills in the defaults of all options. */
void options_default(dedpul_options *options);

/* The smallest dedpul_options that a program may have: with the options of estimates from scores. */
enum { LEAST_OPTIONS_SIZE = offsetof(dedpul_options, classifier) };

/* What options that were checked mean. The plan borrows their texts and the plugin. */
struct fit_plan options_plan(const dedpul_options *options);

#endif
