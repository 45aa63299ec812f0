/* dedpul bench report: tables and figures from the file of results. */
#ifndef DEDPUL_CLI_BENCH_REPORT_H
#define DEDPUL_CLI_BENCH_REPORT_H

#include "drawing.h"
#include "ranking.h"

#include <stdbool.h>
#include <stdio.h>

/* Reads results.csv in the directory; writes summary.csv, report.md and figures/. False after a message. */
bool bench_report(const char *directory);

/* ---- its parts ---- */

/*
 * The parts of report.md. Those of costs, of intervals, of own posteriors, of evaluations and against the
 * published results have their heading, or are nothing if there are no values.
 */
void print_overview(FILE *stream, const struct summary *summary);
void print_costs(FILE *stream, const struct summary *summary, bool has_figures);
void print_intervals(FILE *stream, const struct summary *summary);
void print_own_posteriors(FILE *stream, const struct summary *summary);
void print_evaluations(FILE *stream, const struct summary *summary);
void print_standings(FILE *stream, const struct standings *standings);
void print_ranking(FILE *stream, const struct standings *standings, enum family family);
void print_against_published(FILE *stream, const struct standings *standings);

/* What a task is judged by: "mean absolute error of alpha". */
const char *task_title(enum kind kind, enum task task);

/* Figures of a task in a setting. */
enum figure { FIGURE_LINES, FIGURE_RANKS, N_FIGURES };

enum { FIGURE_NAME_SIZE = SETTING_SIZE + 64 };

/* More lines nobody tells apart: the first of a choice are drawn. */
enum { MOST_LINES = 8 };

#define EXAMPLE_FIGURE "example-curve"
#define COST_FIGURE "datasets-cost"

/* Without its ending: "synthetic-paper-proportion-methods" */
void figure_name(char name[FIGURE_NAME_SIZE], const struct setting *setting, enum task task,
                 enum family family, enum figure figure);

/* Whether there is anything to draw. */
bool figure_exists(const struct standings *standings, enum family family, enum figure figure);

/* Draws a figure as SVG and as PNG. False after a message. */
bool figure_draw(const char *directory, const char *name, const struct drawing *drawing);

/* The figure of costs, if there are at least two. */
bool costs_draw(const char *directory, const struct summary *summary);

/* All figures, as SVG and PNG, in the directory. False after a message. */
bool figures_draw(const char *directory, const struct summary *summary);

#endif
