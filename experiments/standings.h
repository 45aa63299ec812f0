/* How methods stand to each other and to the published results, in one task of one setting. */
#ifndef DEDPUL_EXPERIMENTS_STANDINGS_H
#define DEDPUL_EXPERIMENTS_STANDINGS_H

#include "summary.h"

/* Some of a setting's places. */
struct places {
    size_t n;
    unsigned char in[MOST_PLACES];
};

struct contender {
    const struct variant *variant;
    unsigned least_repeats, most_repeats;
    /* By place; NaN where there is none. */
    double ours[MOST_PLACES], error[MOST_PLACES]; /* mean over repeats and its standard error */
    double published[MOST_PLACES], published_error[MOST_PLACES];
};

struct standings {
    const struct setting *setting;
    enum task task;
    struct places run; /* where any method has a value */
    size_t n;
    struct contender method[MOST_METHODS]; /* (n) those with a value, as by variant_at */
};

void standings_make(struct standings *standings, const struct setting *setting, enum task task);

/* The method of that name, or NULL. */
const struct contender *standings_find(const struct standings *standings, const char *name);

/* ---- places ---- */

/* The eight sets of tables, not of images. */
int is_uci(const struct set *set);

struct places places_all(const struct setting *setting);
struct places places_uci(const struct setting *setting);
struct places places_of_set(const struct setting *setting, const struct set *set);
struct places places_both(const struct places *a, const struct places *b);

/* Where a method has a value, and where there is a published one too. */
struct places places_of_method(const struct contender *method);
struct places places_published(const struct contender *method);

/* NaN where there are none. */
double mean_over(const struct places *places, const double value[MOST_PLACES]);

/* ---- choices ---- */

/* Methods are compared among themselves, and variants of DEDPUL with DEDPUL. */
enum family { FAMILY_METHODS, FAMILY_ABLATIONS, N_FAMILIES };

struct choice {
    enum family family;
    struct places common; /* where all of them have values */
    size_t n;
    const struct contender *method[MOST_METHODS]; /* (n) */
    /* Left out: too few places, or the same values as another everywhere (as methods that differ in alpha
       alone have where alpha is given). */
    size_t n_left_out;
    const struct contender *left_out[MOST_METHODS];
    const struct contender *same_as[MOST_METHODS]; /* (n_left_out) or NULL */
};

/* At most `most` methods that have at least half of the places, the best known ones first. */
void standings_choose(const struct standings *standings, enum family family, size_t most,
                      struct choice *choice);

/* ---- against the published results ---- */

/* Whether ours is worse than published by more than twice the standard error of their difference. */
int is_clearly_worse(const struct contender *method, size_t place);

#endif
