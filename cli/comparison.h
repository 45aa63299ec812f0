/* What several methods say, for people and for programs. */
#ifndef DEDPUL_CLI_COMPARISON_H
#define DEDPUL_CLI_COMPARISON_H

#include <dedpul.h>

#include <stdbool.h>
#include <stdio.h>

/* A table and a verdict. False after a message. */
bool print_comparison(const char *file, double level, const dedpul_comparison *comparison);

/* The same as an array of JSON objects. */
bool print_comparison_json(const dedpul_comparison *comparison);

/* Says in a sentence which methods differ; nothing if dedpul is not among them. */
void print_verdict(FILE *stream, const dedpul_comparison *comparison);

#endif
