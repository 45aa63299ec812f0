#include "model_json.h"

#include "json_output.h"

#include <string.h>

/* "name=value" lines as an object; "-" stands for an option that was not given. */
static json_t *settings_object(const char *settings)
{
    json_t *object = json_object();
    for (const char *at = settings; *at != '\0';) {
        const size_t length = strcspn(at, "\n"), name = strcspn(at, "=");
        char key[64];
        if (name < length && name < sizeof key) {
            memcpy(key, at, name);
            key[name] = '\0';
            const char *value = at + name + 1;
            const size_t size = length - name - 1;
            (void)json_object_set_new(object, key,
                                      size == 1 && *value == '-' ? json_null() : json_stringn(value, size));
        }
        at += length + (at[length] == '\n');
    }
    return object;
}

static json_t *threshold_object(const dedpul_model_info *model)
{
    return model->has_threshold ? json_pack("{s:o, s:s, s:f}", "score", number_or_null(model->threshold),
                                            "goal", dedpul_goal_name(model->goal), "value", model->goal_value)
                                : json_null();
}

json_t *model_json(const dedpul_model_info *model)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < model->n_columns; c++) {
        const dedpul_column_info *column = model->columns[c];
        (void)json_array_append_new(columns, json_pack("{s:s, s:s, s:I, s:I}", "name", column->name, "use",
                                                       column->use, "n_levels", (json_int_t)column->n_levels,
                                                       "n_features", (json_int_t)column->n_features));
    }
    return json_pack("{s:s, s:s, s:b, s:s?, s:I, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I, "
                     "s:o, s:o, s:o}",
                     "version", model->version, "classifier", model->classifier, "pn", model->has_pn,
                     "trained", model->trained, "n_models", (json_int_t)model->n_members, "method",
                     model->method, "alpha", number_or_null(model->alpha), "alpha_c",
                     number_or_null(model->alpha_c), "alpha_n", number_or_null(model->alpha_n), "rule",
                     dedpul_rule_name(model->rule), "scale", number_or_null(model->scale), "mean_ratio",
                     number_or_null(model->mean_ratio), "auc", number_or_null(model->auc), "n_positive",
                     (json_int_t)model->n_positive, "n_unlabeled", (json_int_t)model->n_unlabeled,
                     "n_features", (json_int_t)model->n_features, "n_points", (json_int_t)model->n_points,
                     "columns", columns, "threshold", threshold_object(model), "settings",
                     settings_object(model->settings));
}
