/* The paper's statistics for a lineup of methods, over the places where all of them have values. */
#ifndef DEDPUL_EXPERIMENTS_RANKING_H
#define DEDPUL_EXPERIMENTS_RANKING_H

#include "rank_tests.h"
#include "standings.h"

/* The level of all tests. */
#define TEST_LEVEL 0.02

struct ranking {
    struct lineup lineup;
    double friedman_p;
    int differ;                        /* Friedman's p is below the level */
    double average_rank[MOST_METHODS]; /* 1 is best */
    /* By pair_index: Wilcoxon's p with Holm's correction; 1 if Friedman's test finds no difference. */
    double p[MOST_METHODS * (MOST_METHODS - 1) / 2];
    size_t order[MOST_METHODS]; /* by average rank */
    size_t n_groups;
    struct rank_group group[MOST_METHODS]; /* of methods that do not differ */
};

/* False if there are fewer than two methods, or fewer than two places with all of them. */
int ranking_make(struct ranking *ranking, const struct standings *standings, enum family family);

#endif
