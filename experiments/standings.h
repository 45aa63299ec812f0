/* How methods compare with each other and with the published results, in one task of one setting. */
#ifndef DEDPUL_EXPERIMENTS_STANDINGS_H
#define DEDPUL_EXPERIMENTS_STANDINGS_H

#include "summary.h"

#include <stdint.h>

/* A set of a setting's places, one bit per place. */
typedef uint64_t place_set;

_Static_assert(MOST_PLACES <= 64, "a bit for each place");

struct contender {
    const struct variant *variant;
    place_set run, compared; /* places with a value; places that also have a published one */
    unsigned least_repeats, most_repeats;
    /* By place; NaN if there is none. */
    double ours[MOST_PLACES], error[MOST_PLACES]; /* mean over repeats and its standard error */
    double published[MOST_PLACES], published_error[MOST_PLACES];
};

struct standings {
    const struct setting *setting;
    enum task task;
    place_set run; /* where any method has a value */
    size_t n;
    struct contender method[MOST_METHODS]; /* (n) the methods with a value, in the order of variant_at */
};

void standings_make(struct standings *standings, const struct setting *setting, enum task task);

/* Returns the method of that name, or NULL. */
const struct contender *standings_find(const struct standings *standings, const char *name);

/* Tells whether the method has values in at least half of the places where any method has one. */
int has_most_places(const struct standings *standings, const struct contender *method);

/* ---- places ---- */

place_set places_all(const struct setting *setting);
place_set places_uci(const struct setting *setting);
place_set places_of_set(const struct setting *setting, const struct set *set);

static inline int has_place(place_set places, size_t place)
{
    return (int)(places >> place & 1);
}

size_t place_count(place_set places);

/* NaN if there are no places, or if one of the values is NaN. */
double mean_over(place_set places, const double value[MOST_PLACES]);

/*
 * The mean of a measure over all runs of a method, by its index in variant_at, at these places; NaN if there
 * are none. *n_runs is the number of runs that have the measure.
 */
double mean_over_runs(const struct setting *setting, unsigned method, place_set places, enum measure measure,
                      unsigned *n_runs);

/* ---- choices ---- */

/* Methods are compared among themselves, and variants of DEDPUL with DEDPUL. */
enum family { FAMILY_METHODS, FAMILY_ABLATIONS, N_FAMILIES };

struct lineup {
    enum family family;
    place_set common; /* where all of them have values */
    size_t n;
    const struct contender *method[MOST_METHODS]; /* (n) */
    /*
     * A method is left out if it has too few places, or the same values as another method everywhere (if
     * alpha is given, this is so for methods that differ in alpha alone).
     */
    size_t n_left_out;
    const struct contender *left_out[MOST_METHODS];
    const struct contender *same_as[MOST_METHODS]; /* (n_left_out) or NULL */
};

/* Chooses the methods that have values in most places; the best known methods come first. */
void standings_choose(const struct standings *standings, enum family family, struct lineup *lineup);

/* ---- against the published results ---- */

/*
 * Tells whether our result is worse than the published one by more than twice the standard error of their
 * difference. If the standard error of a published mean is not known, we take ours for it. One repeat is not
 * enough to tell.
 */
int is_clearly_worse(const struct contender *method, size_t place);

#endif
