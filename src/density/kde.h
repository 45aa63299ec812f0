/* What kernel densities of a pair of samples need beside the common interface. */
#ifndef DEDPUL_DENSITY_KDE_H
#define DEDPUL_DENSITY_KDE_H

#include "density.h"

/* The smallest bandwidth in use, a share of the range of both samples: below it, positions in units of the
 * bandwidth lose too many digits. */
double finest_bandwidth(const struct sample *a, const struct sample *b);

/*
 * Where kernels are narrower than the gaps between tied scores, the density at an atom is its mass over
 * the bandwidth, and two bandwidths would scale the ratio by their quotient. With one common bandwidth
 * the ratio at an atom is the ratio of the masses, as it should be. So where many scores are such
 * atoms, this gives both densities the smaller bandwidth, or the one that was asked for in absolute terms,
 * and warns. A sample that is all tied has no bandwidth of its own and takes the other's.
 */
dedpul_status kde_treat_ties(struct context *context, const struct sample *p, const struct sample *u,
                             const struct density_plan *plan, struct density *f_p, struct density *f_u);

#endif
