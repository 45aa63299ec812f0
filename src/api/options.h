/* Options: their defaults, texts and limits. */
#ifndef DEDPUL_API_OPTIONS_H
#define DEDPUL_API_OPTIONS_H

#include "context.h"
#include "option.h"

/* Those of dedpul_options. */
extern const struct option_table estimation_options;

/* Whether each field has a value that a call can work with. */
dedpul_status options_check(const dedpul_options *options, dedpul_error *error);

/* The same for fitting. */
dedpul_status fit_options_check(const dedpul_fit_options *options, dedpul_error *error);

/* The context of a call with these options: its memory, threads and seed. */
void options_begin(const dedpul_options *options, dedpul_error *error, struct context *context);

/* "name=value" lines of all options that decide about the result, in memory; NULL where it runs out. */
char *fit_options_settings(const dedpul_fit_options *options, struct context *memory);

#endif
