/* The options of an evaluation. */
#ifndef DEDPUL_PUBLIC_EVALUATE_OPTIONS_H
#define DEDPUL_PUBLIC_EVALUATE_OPTIONS_H

#include "cuts.h"

#include "dedpul_evaluation.h"

/* Copies and checks the options given, or takes the defaults if `given` is NULL. */
dedpul_status evaluate_options_read(const dedpul_evaluate_options *given, dedpul_evaluate_options *options,
                                    dedpul_error *error);

struct cut_request evaluate_options_request(const dedpul_evaluate_options *options);

#endif
