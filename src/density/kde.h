/* What kernel densities of a pair of samples need beside the common interface. */
#ifndef DEDPUL_DENSITY_KDE_H
#define DEDPUL_DENSITY_KDE_H

#include "density.h"

/*
 * Where kernels are narrower than the gaps between tied scores, the density at an atom is its mass over
 * the bandwidth, and two bandwidths would scale the ratio by their quotient. With one common bandwidth
 * the ratio at an atom is the ratio of the masses, as it should be. So where many scores are such
 * atoms, this gives both densities the smaller bandwidth (but leaves absolute ones as they were asked
 * for) and warns.
 */
dedpul_status kde_treat_ties(struct context *context, const struct sample *p, const struct sample *u,
                             const dedpul_options *options, struct density *f_p, struct density *f_u);

#endif
