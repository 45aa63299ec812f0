/* What kernel densities of a pair of samples need in addition to the common interface. */
#ifndef DEDPUL_DENSITY_KDE_H
#define DEDPUL_DENSITY_KDE_H

#include "density.h"

/*
 * Returns the smallest bandwidth that may be used, a millionth of the range of both samples: with a smaller
 * one, positions in units of the bandwidth lose too many digits.
 */
double finest_bandwidth(const struct sample *a, const struct sample *b);

/*
 * If kernels are narrower than the gaps between tied scores, the density at such an atom is its mass over the
 * bandwidth, and two different bandwidths would scale the ratio by their quotient. With one common bandwidth
 * the ratio at an atom is the ratio of the masses, as it should be. So if many scores are such atoms, this
 * gives both densities the smaller bandwidth, or the one that was asked for in absolute terms, and warns. A
 * sample whose scores are all equal has no bandwidth of its own and takes the other's.
 */
dedpul_status kde_treat_ties(struct context *context, const struct sample *p, const struct sample *u,
                             const struct density_plan *plan, struct density *f_p, struct density *f_u);

#endif
