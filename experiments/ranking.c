#include "ranking.h"

int ranking_make(struct ranking *ranking, const struct standings *standings, enum family family)
{
    struct lineup *lineup = &ranking->lineup;
    double error[MOST_PLACES * MOST_METHODS];
    size_t n = 0;
    standings_choose(standings, family, lineup);
    const size_t n_places = place_count(lineup->common);
    if (lineup->n < 2 || n_places < 2)
        return 0;
    for (size_t place = 0; place < MOST_PLACES; place++)
        for (size_t m = 0; has_place(lineup->common, place) && m < lineup->n; m++)
            error[n++] = lineup->method[m]->ours[place];
    ranking->friedman_p = friedman_test(n_places, lineup->n, error, ranking->average_rank).p;
    ranking->differ = ranking->friedman_p < TEST_LEVEL;
    if (ranking->differ)
        pairwise_tests(n_places, lineup->n, error, ranking->p);
    for (size_t pair = 0; pair < pair_count(lineup->n) && !ranking->differ; pair++)
        ranking->p[pair] = 1;
    ranking->n_groups = critical_groups(lineup->n, ranking->average_rank, ranking->p, TEST_LEVEL,
                                        ranking->order, ranking->group);
    return 1;
}
