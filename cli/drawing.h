/* Figures as files, drawn by gnuplot. */
#ifndef DEDPUL_CLI_DRAWING_H
#define DEDPUL_CLI_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#define GRID "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'\n"

/* Colours that the colour-blind tell apart (Okabe and Ito). */
#define BLUE "#0072B2"
#define RED "#D55E00"
#define GREEN "#009E73"
#define PINK "#CC79A7"
#define ORANGE "#E69F00"
#define BLACK "#000000"
#define SKY "#56B4E9"
#define GREY "#777777"

/* The same as in reports, cli/report/report.css. */
#define LABELED RED
#define UNLABELED BLUE

struct drawing {
    int width, height; /* pixels of an SVG; a PNG has twice as many, a PDF 96 to an inch */
    void (*print)(FILE *script, const void *what);
    const void *what;
};

/* Whether the name ends in .svg, .png or .pdf. */
bool is_figure_name(const char *path);

/* As the name's ending says. The file appears whole or not at all. False after a message. */
bool draw(const char *path, const struct drawing *drawing);

/* 1, 2 or 5 times a power of ten, such that at most this many steps make up the length. */
double axis_step(double length, double most);

/* An axis with no more than six steps, from a step below the lowest to one above the highest. */
void print_y_axis(FILE *script, double lowest, double highest);

/* Says above a panel what is drawn. Unlike a key, this takes the same place whatever the font. */
void print_captions(FILE *script, const char *left, const char *left_colour, const char *right,
                    const char *right_colour);

/* A string of gnuplot's. */
void print_quoted(FILE *script, const char *text);

#endif
