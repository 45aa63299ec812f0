#include "ranking.h"

int ranking_make(struct ranking *ranking, const struct standings *standings, enum family family)
{
    struct choice *choice = &ranking->choice;
    double error[MOST_PLACES * MOST_METHODS];
    size_t n = 0;
    standings_choose(standings, family, choice);
    const size_t n_places = place_count(choice->common);
    if (choice->n < 2 || n_places < 2)
        return 0;
    for (size_t place = 0; place < MOST_PLACES; place++)
        for (size_t m = 0; has_place(choice->common, place) && m < choice->n; m++)
            error[n++] = choice->method[m]->ours[place];
    ranking->friedman_p = friedman_test(n_places, choice->n, error, ranking->average_rank).p;
    ranking->differ = ranking->friedman_p < TEST_LEVEL;
    if (ranking->differ)
        pairwise_tests(n_places, choice->n, error, ranking->p);
    for (size_t pair = 0; pair < pair_count(choice->n) && !ranking->differ; pair++)
        ranking->p[pair] = 1;
    ranking->n_groups = critical_groups(choice->n, ranking->average_rank, ranking->p, TEST_LEVEL,
                                        ranking->order, ranking->group);
    return 1;
}
