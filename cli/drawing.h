/* Figures as files, drawn by gnuplot. */
#ifndef DEDPUL_CLI_DRAWING_H
#define DEDPUL_CLI_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#define GRID "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'\n"

struct drawing {
    const char *directory; /* of the figures */
    const char *name;
    int width, height; /* pixels of the SVG */
    void (*print)(FILE *script, const void *what);
    const void *what;
};

/* As SVG and as PNG, at twice the pixels. Files appear whole. False after a message. */
bool draw(const struct drawing *drawing);

/* A string of gnuplot's. */
void print_quoted(FILE *script, const char *text);

#endif
