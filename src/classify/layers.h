/* Hidden layers as text. */
#ifndef DEDPUL_CLASSIFY_LAYERS_H
#define DEDPUL_CLASSIFY_LAYERS_H

#include "net.h"

/* Fills n_layers and the widths after the first from "512,512", "none", or "auto" for the first of these. */
dedpul_status layers_read(const char *text, struct net_shape *shape, dedpul_error *error);

#endif
