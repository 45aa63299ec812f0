/*
 * Tests of whether two samples are from one population. Each gives the probability of a difference at least
 * as large if they are.
 */
#ifndef DEDPUL_MATH_TWO_SAMPLES_H
#define DEDPUL_MATH_TWO_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Of n0 rows, k0 are of some kind; of n1 other rows, k1. Returns the probability that the second sample has
 * so many of them or more, given how many there are in both (Fisher's exact test). All are whole numbers.
 */
double rise_chance(double k0, double n0, double k1, double n1);

/* Counts of both samples in one cell. */
struct cell_counts {
    double first, second;
};

/* Whether a cell has enough rows for homogeneity_chance: 5 are expected in either sample. */
bool has_enough_rows(const struct cell_counts *cell, const struct cell_counts *total);

/*
 * Compares the counts of two samples in n cells: the G test with the correction of Williams (1976). Returns 1
 * for a single cell. (Pearson's statistic is far off where one sample is much larger than the other.)
 */
double homogeneity_chance(size_t n, const struct cell_counts *cell /* (n) */);

#endif
