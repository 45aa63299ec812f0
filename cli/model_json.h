/* The description of a model as JSON. */
#ifndef DEDPUL_CLI_MODEL_JSON_H
#define DEDPUL_CLI_MODEL_JSON_H

#include <dedpul.h>

#include <jansson.h>

/* NULL if there is no memory. */
json_t *model_json(const dedpul_model_info *model);

#endif
