/* The paper's statistics on a lineup of methods, over the places that all of them have. */
#ifndef DEDPUL_EXPERIMENTS_RANKING_H
#define DEDPUL_EXPERIMENTS_RANKING_H

#include "rank_tests.h"
#include "standings.h"

/* At which all tests are made. */
#define TEST_LEVEL 0.02

struct ranking {
    struct lineup lineup;
    double friedman_p;
    int differ;                        /* Friedman's p is below the level */
    double average_rank[MOST_METHODS]; /* 1 is best */
    /* By pair_index: Wilcoxon's p by Holm; 1 where Friedman's test says that the methods do not differ. */
    double p[MOST_METHODS * (MOST_METHODS - 1) / 2];
    size_t order[MOST_METHODS]; /* by average rank */
    size_t n_groups;
    struct rank_group group[MOST_METHODS]; /* of methods that do not differ */
};

/* False where there are fewer than two methods, or fewer than two places with all of them. */
int ranking_make(struct ranking *ranking, const struct standings *standings, enum family family);

#endif
