/* Options: their defaults, texts and limits. */
#ifndef DEDPUL_API_OPTIONS_H
#define DEDPUL_API_OPTIONS_H

#include "error.h"

/* Whether each field has a value that a call can work with. */
dedpul_status options_check(const dedpul_options *options, dedpul_error *error);

#endif
