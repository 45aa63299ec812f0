/* Models as bytes. */
#ifndef DEDPUL_MODEL_MODEL_FILE_H
#define DEDPUL_MODEL_MODEL_FILE_H

#include "model.h"

/* `name` is what messages call the bytes. */
dedpul_status model_from_bytes(const char *name, size_t size, const unsigned char *data,
                               const dedpul_classifier *plugin, const dedpul_allocator *allocator,
                               dedpul_model **result, dedpul_error *error);

#endif
