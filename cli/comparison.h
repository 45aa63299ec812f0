/* What several methods say, or how good classifiers are, for people and for programs. */
#ifndef DEDPUL_CLI_COMPARISON_H
#define DEDPUL_CLI_COMPARISON_H

#include <dedpul.h>

#include <stdbool.h>
#include <stdio.h>

bool compares_classifiers(const dedpul_comparison *comparison);

/* The entries: methods or classifiers. */
size_t compared_count(const dedpul_comparison *comparison);
const dedpul_compared *compared_at(const dedpul_comparison *comparison, size_t index);
const char *compared_name(const dedpul_comparison *comparison, const dedpul_compared *compared);

/* A table and a verdict. False after a message. */
bool print_comparison(const char *file, double level, const dedpul_comparison *comparison);

/* The same as an array of JSON objects. */
bool print_comparison_json(const dedpul_comparison *comparison);

/* Says which methods differ from the default, or which classifier is best. If none does or is, it is silent.
 */
void print_verdict(FILE *stream, const dedpul_comparison *comparison);

#endif
