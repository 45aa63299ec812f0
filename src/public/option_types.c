/* Types of values that only some options have: names, bandwidths, layers. */
#include "layers.h"
#include "names.h"
#include "number.h"
#include "option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static dedpul_status reject_null(const struct option *option, dedpul_error *error)
{
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s must not be NULL; call dedpul_options_init first",
                     option->info.name);
}

static void write_text(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const char *value = *(const char *const *)field;
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%s", value != NULL ? value : "-");
}

/* ---- names: the field is the registered one, which lasts ---- */

static dedpul_status parse_name(const struct option *option, const char *text, void *field,
                                dedpul_error *error)
{
    const char *name = option->type->find(text, error);
    if (name == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    memcpy(field, &name, sizeof name);
    return DEDPUL_OK;
}

/* An option without a default may be left out. */
static dedpul_status check_name(const struct option *option, const void *field, dedpul_error *error)
{
    const char *name = *(const char *const *)field;
    if (name == NULL)
        return option->info.default_value != NULL ? reject_null(option, error) : DEDPUL_OK;
    return option->type->find(name, error) != NULL ? DEDPUL_OK : DEDPUL_INVALID_ARGUMENT;
}

static const char *find_method(const char *name, dedpul_error *error)
{
    const struct estimator *found = estimator_find(name, error);
    return found != NULL ? found->name : NULL;
}

static const char *find_density(const char *name, dedpul_error *error)
{
    const struct density_kind *found = density_kind_find(name, error);
    return found != NULL ? found->name : NULL;
}

static const char *find_classifier(const char *name, dedpul_error *error)
{
    struct named_classifier found;
    return classifier_by_name(name, &found, error) == DEDPUL_OK ? found.name : NULL;
}

const struct option_type option_method = {sizeof(char *), parse_name, check_name, write_text, find_method};
const struct option_type option_density = {sizeof(char *), parse_name, check_name, write_text, find_density};
const struct option_type option_classifier = {sizeof(char *), parse_name, check_name, write_text,
                                              find_classifier};

/* ---- bandwidths ---- */

static dedpul_status parse_bandwidth(const struct option *option, const char *text, void *field,
                                     dedpul_error *error)
{
    dedpul_bandwidth bandwidth = {DEDPUL_BANDWIDTH_AUTO, NAN};
    if (strcmp(text, "auto") != 0) {
        size_t length = strlen(text);
        bandwidth.rule = DEDPUL_BANDWIDTH_ABSOLUTE;
        if (length > 2 && strcmp(text + length - 2, "sd") == 0) {
            bandwidth.rule = DEDPUL_BANDWIDTH_FACTOR;
            length -= 2;
        }
        if (!parse_double(text, length, &bandwidth.value) || !(bandwidth.value > 0) || isinf(bandwidth.value))
            return option_reject(option, text, option->meaning, error);
    }
    memcpy(field, &bandwidth, sizeof bandwidth);
    return DEDPUL_OK;
}

static dedpul_status check_bandwidth(const struct option *option, const void *field, dedpul_error *error)
{
    const dedpul_bandwidth *bandwidth = field;
    const bool is_auto = bandwidth->rule == DEDPUL_BANDWIDTH_AUTO;
    if ((unsigned)bandwidth->rule > DEDPUL_BANDWIDTH_AUTO ||
        (!is_auto && !(bandwidth->value > 0 && bandwidth->value < INFINITY)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: rule %d with value %g is not a bandwidth; values are positive",
                         option->info.name, (int)bandwidth->rule, bandwidth->value);
    return DEDPUL_OK;
}

static void write_bandwidth(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const dedpul_bandwidth *bandwidth = field;
    char number[NUMBER_SIZE];
    (void)option;
    if (bandwidth->rule == DEDPUL_BANDWIDTH_AUTO)
        (void)snprintf(text, OPTION_TEXT_SIZE, "auto");
    else
        (void)snprintf(text, OPTION_TEXT_SIZE, "%s%s", format_double(number, bandwidth->value),
                       bandwidth->rule == DEDPUL_BANDWIDTH_FACTOR ? "sd" : "");
}

const struct option_type option_bandwidth = {sizeof(dedpul_bandwidth), parse_bandwidth, check_bandwidth,
                                             write_bandwidth, NULL};

/* ---- layers: "512,512", "none", or "auto"; the text is borrowed ---- */

bool layers_read(const char *text, struct hidden_layers *layers)
{
    *layers = (struct hidden_layers){.is_standard = strcmp(text, "auto") == 0};
    if (layers->is_standard || strcmp(text, "none") == 0)
        return true;
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        char width_text[16];
        uint64_t width;
        if (layers->n == MOST_HIDDEN_LAYERS || length >= sizeof width_text)
            return false;
        (void)snprintf(width_text, sizeof width_text, "%.*s", (int)length, at);
        if (!parse_whole(width_text, &width) || width < 1 || width > 65536)
            return false;
        layers->width[layers->n++] = (size_t)width;
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
}

static dedpul_status parse_text(const struct option *option, const char *text, void *field,
                                dedpul_error *error)
{
    (void)option, (void)error;
    memcpy(field, &text, sizeof text);
    return DEDPUL_OK;
}

static dedpul_status check_layers(const struct option *option, const void *field, dedpul_error *error)
{
    const char *text = *(const char *const *)field;
    struct hidden_layers layers;
    if (text == NULL)
        return reject_null(option, error);
    return layers_read(text, &layers) ? DEDPUL_OK : option_reject(option, text, option->meaning, error);
}

const struct option_type option_layers = {sizeof(char *), parse_text, check_layers, write_text, NULL};
