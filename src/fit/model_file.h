/* Model files. */
#ifndef DEDPUL_FIT_MODEL_FILE_H
#define DEDPUL_FIT_MODEL_FILE_H

#include "model.h"

dedpul_status model_save(struct context *context, const struct model *model, const char *path);

/* Fills an empty model, which the caller closes, also after a failure. path "-" is standard input. */
dedpul_status model_load(struct context *context, const char *path, const struct loading *loading,
                         struct model *model);

#endif
