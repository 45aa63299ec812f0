/* A check of the labels, for people and programs. */
#ifndef DEDPUL_CLI_LABEL_CHECK_OUTPUT_H
#define DEDPUL_CLI_LABEL_CHECK_OUTPUT_H

#include <dedpul.h>

#include <jansson.h>
#include <stdio.h>

/* Does nothing if labels were not checked. */
void print_label_check(const dedpul_label_check *check);

/* Sets "label_check" in an object, if there is a check. */
void set_label_check(json_t *object, const dedpul_label_check *check);

/* Says what the p-value means. */
const char *label_check_summary(const dedpul_label_check *check);

/* Says whether a kind was labeled "too often" or "too rarely"; "" if there is no alarm, or if neither is so.
 */
const char *label_check_verdict(const dedpul_label_check *check, const dedpul_checked_kind *kind);

#endif
