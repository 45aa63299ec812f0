/* Converts models to and from bytes. */
#ifndef DEDPUL_FIT_MODEL_BYTES_H
#define DEDPUL_FIT_MODEL_BYTES_H

#include "model.h"

/* Appends the bytes of a model file. */
dedpul_status model_to_bytes(struct context *context, const struct model *model, struct bytes *bytes);

/* Tells whether these are the first bytes of a model file. */
bool model_bytes_begin(size_t n, const unsigned char *begin /* (n) */);

/*
 * Finds the size of a model file from its first n bytes. It is an error if they are not the beginning of one.
 * Messages call the bytes `name`.
 */
dedpul_status model_file_size(struct context *context, const char *name, size_t n,
                              const unsigned char *begin /* (n) */, uint64_t *size);

/* Fills an empty model, which the caller closes, also after a failure. loading->width is not read. */
dedpul_status model_from_bytes(struct context *context, const char *name, size_t size,
                               const unsigned char *data /* (size) */, const struct loading *loading,
                               struct model *model);

#endif
