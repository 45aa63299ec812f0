#include "standings.h"

#include <math.h>
#include <string.h>

/* ---- places ---- */

place_set places_all(const struct setting *setting)
{
    return UINT64_MAX >> (64 - setting->n_places);
}

place_set places_uci(const struct setting *setting)
{
    place_set places = 0;
    for (size_t p = 0; p < setting->n_places; p++)
        places |= (place_set)set_is_uci(setting->place[p].set) << p;
    return places;
}

place_set places_of_set(const struct setting *setting, const struct set *set)
{
    place_set places = 0;
    for (size_t p = 0; p < setting->n_places; p++)
        places |= (place_set)(setting->place[p].set == set) << p;
    return places;
}

size_t place_count(place_set places)
{
    size_t n = 0;
    for (; places != 0; places &= places - 1)
        n++;
    return n;
}

double mean_over(place_set places, const double value[MOST_PLACES])
{
    double sum = 0;
    for (size_t p = 0; p < MOST_PLACES; p++)
        if (has_place(places, p))
            sum += value[p];
    return places != 0 ? sum / (double)place_count(places) : NAN;
}

double mean_over_runs(const struct setting *setting, unsigned method, place_set places, enum measure measure,
                      unsigned *n_runs)
{
    double sum = 0;
    *n_runs = 0;
    for (size_t p = 0; p < setting->n_places; p++) {
        const struct statistic *statistic = &setting->cell[method][p].of[measure];
        if (has_place(places, p) && statistic->n > 0) {
            sum += statistic->n * statistic->mean;
            *n_runs += statistic->n;
        }
    }
    return *n_runs > 0 ? sum / *n_runs : NAN;
}

/* ---- standings ---- */

static void fill_place(struct contender *method, const struct setting *setting, enum task task,
                       const struct cell *cell, size_t place)
{
    const struct statistic *statistic = &cell->of[task_measure(setting->kind, task)];
    const struct published *published = cell->published;
    method->ours[place] = statistic->mean;
    method->error[place] = standard_error(statistic);
    if (published != NULL) {
        method->published[place] = published->mean[task];
        if (task == TASK_PROPORTION && published->repeats > 0)
            method->published_error[place] = published->deviation / sqrt(published->repeats);
    }
    if (statistic->n > 0) {
        method->run |= (place_set)1 << place;
        method->compared |= (place_set)!isnan(method->published[place]) << place;
        if (method->most_repeats == 0 || statistic->n < method->least_repeats)
            method->least_repeats = statistic->n;
        if (statistic->n > method->most_repeats)
            method->most_repeats = statistic->n;
    }
}

void standings_make(struct standings *standings, const struct setting *setting, enum task task)
{
    const struct variant *variant;
    standings->setting = setting;
    standings->task = task;
    standings->run = 0;
    standings->n = 0;
    for (unsigned m = 0; m < MOST_METHODS && (variant = variant_at(m)) != NULL; m++) {
        struct contender *method = &standings->method[standings->n];
        *method = (struct contender){.variant = variant};
        for (size_t p = 0; p < MOST_PLACES; p++)
            method->ours[p] = method->error[p] = method->published[p] = method->published_error[p] = NAN;
        for (size_t p = 0; p < setting->n_places; p++)
            fill_place(method, setting, task, &setting->cell[m][p], p);
        standings->run |= method->run;
        standings->n += method->run != 0;
    }
}

const struct contender *standings_find(const struct standings *standings, const char *name)
{
    for (size_t m = 0; m < standings->n; m++)
        if (strcmp(standings->method[m].variant->name, name) == 0)
            return &standings->method[m];
    return NULL;
}

int has_most_places(const struct standings *standings, const struct contender *method)
{
    return 2 * place_count(method->run) >= place_count(standings->run);
}

/* ---- choices ---- */

/* DEDPUL, the default method, DEDPUL + BBE, and the methods in the paper's figures; others come after them.
 */
static const char *const best_known[] = {"dedpul", "pooled", "learned",  "dedpul_bbe",   "en_e3",     "en_em",
                                         "km2",    "tice",   "ntc_tice", "nnpu_sigmoid", "nnpu_brier"};

enum { N_BEST_KNOWN = sizeof best_known / sizeof best_known[0] };

static int is_best_known(const struct contender *method)
{
    for (size_t i = 0; i < N_BEST_KNOWN; i++)
        if (strcmp(best_known[i], method->variant->name) == 0)
            return 1;
    return 0;
}

static int is_of_family(const struct contender *method, enum family family)
{
    if (method->variant == variant_at(0))
        return 1;
    return method->variant->is_ablation == (family == FAMILY_ABLATIONS);
}

/* Tells whether two methods have the same values wherever both have one, and both have one in most places. */
static int is_same(const struct contender *a, const struct contender *b)
{
    const place_set both = a->run & b->run;
    if (2 * place_count(both) < place_count(a->run) || 2 * place_count(both) < place_count(b->run))
        return 0;
    for (size_t p = 0; p < MOST_PLACES; p++)
        if (has_place(both, p) && fabs(a->ours[p] - b->ours[p]) > 1e-9)
            return 0;
    return 1;
}

static void consider(const struct standings *standings, const struct contender *method, struct lineup *lineup)
{
    const struct contender *same = NULL;
    if (!is_of_family(method, lineup->family))
        return;
    for (size_t i = 0; i < lineup->n && same == NULL; i++)
        if (is_same(lineup->method[i], method))
            same = lineup->method[i];
    if (same != NULL || !has_most_places(standings, method)) {
        lineup->left_out[lineup->n_left_out] = method;
        lineup->same_as[lineup->n_left_out++] = same;
    } else {
        lineup->method[lineup->n++] = method;
        lineup->common &= method->run;
    }
}

void standings_choose(const struct standings *standings, enum family family, struct lineup *lineup)
{
    *lineup = (struct lineup){.family = family, .common = standings->run};
    for (size_t i = 0; i < N_BEST_KNOWN; i++) {
        const struct contender *method = standings_find(standings, best_known[i]);
        if (method != NULL)
            consider(standings, method, lineup);
    }
    for (size_t m = 0; m < standings->n; m++)
        if (!is_best_known(&standings->method[m]))
            consider(standings, &standings->method[m], lineup);
}

/* ---- against the published results ---- */

int is_clearly_worse(const struct contender *method, size_t place)
{
    const double ours = method->error[place], published = method->published_error[place];
    const double error = hypot(ours, isnan(published) ? ours : published);
    return method->ours[place] - method->published[place] > 2 * error;
}
