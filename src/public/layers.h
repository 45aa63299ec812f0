/* Hidden layers as text. */
#ifndef DEDPUL_PUBLIC_LAYERS_H
#define DEDPUL_PUBLIC_LAYERS_H

#include "settings.h"

/* From "512,512", "none" or "auto"; false if the text is anything else. */
bool layers_read(const char *text, struct hidden_layers *layers);

#endif
