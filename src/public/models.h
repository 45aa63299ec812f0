/* The public model: a model and its description. */
#ifndef DEDPUL_PUBLIC_MODELS_H
#define DEDPUL_PUBLIC_MODELS_H

#include "model.h"

#include "dedpul_tables.h"

struct dedpul_model {
    struct model model;
    dedpul_model_info info;
    bool only_described; /* it cannot score rows */
};

/* Makes an empty model, or returns NULL with the error set. Free it with dedpul_model_free. */
dedpul_model *model_create(const dedpul_allocator *allocator, dedpul_error *error);

/* Fills the model's description. */
dedpul_status model_describe(struct context *context, dedpul_model *described);

/* It is an error if the model is only a description. */
dedpul_status model_check_complete(const dedpul_model *model, dedpul_error *error);

/* Fills what the description says of the threshold. */
void model_describe_threshold(dedpul_model *described);

/* Makes a model from the bytes of its file. Messages call them `name`. */
dedpul_status model_of_bytes(const char *name, size_t size, const unsigned char *data /* (size) */,
                             const dedpul_allocator *allocator, dedpul_model **result, dedpul_error *error);

/* Returns "mlp", "mlp + gbdt", or the name of the program's own classifier; NULL if memory runs out. */
const char *scorer_name(struct context *context, const struct scorer *scorer, struct arena *memory);

#endif
