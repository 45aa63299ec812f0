/*
 * libdedpul: positive-unlabeled learning, from a table or from the scores of any classifier.
 *
 * There are labeled positives P and unlabeled rows U. A classifier was trained to tell P from U (a
 * non-traditional classifier, NTC) and gave each row a score in [0, 1], high if the row looks positive.
 * From these scores the library estimates
 *
 *   alpha      the share of positives among the unlabeled rows (an upper bound of it if the two
 *              classes overlap everywhere), and
 *   posterior  for each unlabeled row, the probability that it is positive.
 *
 * The method is DEDPUL (Ivanov, "DEDPUL: Difference-of-Estimated-Densities-based Positive-Unlabeled
 * Learning", 2020). Its rivals have the same interface, on scores or on a table.
 *
 * Conventions that hold everywhere in these headers:
 *  - A function that can fail returns a dedpul_status; its outputs come last and are written only on
 *    DEDPUL_OK. A trailing dedpul_error * may be NULL; otherwise it receives the message.
 *  - The status says whether the call worked; the result's warnings say whether the estimate is good.
 *  - Inputs are borrowed for the duration of the call; what the library keeps is copied.
 *  - Free functions accept NULL.
 *  - There is no global state: calls on different objects may run in different threads. Results are
 *    the same bit for bit whatever the number of threads.
 *  - Structs that later versions may extend begin with their size. A program that was compiled with an
 *    older header keeps working with a newer library of the same minor version.
 */
#ifndef DEDPUL_H
#define DEDPUL_H

#include "dedpul_common.h"
#include "dedpul_evaluation.h"
#include "dedpul_options.h"
#include "dedpul_scores.h"
#include "dedpul_tables.h"

#endif
