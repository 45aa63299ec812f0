#include "options.h"

#include "density.h"
#include "estimator.h"
#include "number.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static dedpul_status read_method(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    const struct estimator *estimator = estimator_find(value, error);
    (void)option;
    if (estimator == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    *(const char **)field = estimator->name;
    return DEDPUL_OK;
}

static dedpul_status read_density(const struct option *option, const char *value, void *field,
                                  dedpul_error *error)
{
    const struct density_kind *kind = density_kind_find(value, error);
    (void)option;
    if (kind == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    *(const char **)field = kind->name;
    return DEDPUL_OK;
}

static void write_name(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%s", *(const char *const *)field);
}

static dedpul_status read_bandwidth(const struct option *option, const char *value, void *field,
                                    dedpul_error *error)
{
    dedpul_bandwidth bandwidth = {DEDPUL_BANDWIDTH_AUTO, NAN};
    if (strcmp(value, "auto") != 0) {
        size_t length = strlen(value);
        bandwidth.rule = DEDPUL_BANDWIDTH_ABSOLUTE;
        if (length > 2 && strcmp(value + length - 2, "sd") == 0) {
            bandwidth.rule = DEDPUL_BANDWIDTH_FACTOR;
            length -= 2;
        }
        if (!parse_double(value, length, &bandwidth.value) || !(bandwidth.value > 0) ||
            isinf(bandwidth.value))
            return option_reject(option, value,
                                 "a positive number (in logits), one with 'sd' after it (a multiple of the "
                                 "standard deviation) or 'auto'",
                                 error);
    }
    ((dedpul_bandwidth *)field)->rule = bandwidth.rule;
    ((dedpul_bandwidth *)field)->value = bandwidth.value;
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

static const struct option_type type_method = {read_method, write_name};
static const struct option_type type_density = {read_density, write_name};
static const struct option_type type_bandwidth = {read_bandwidth, write_bandwidth};

static const struct option entries[] = {
    {{"method", "NAME", "dedpul", "How alpha is estimated; see the list of methods."},
     &type_method,
     offsetof(dedpul_options, method),
     0,
     0,
     NULL},
    {{"density", "NAME", "kde", "How the densities of scores are estimated; see the list of densities."},
     &type_density,
     offsetof(dedpul_options, density),
     0,
     0,
     NULL},
    {{"bandwidth-p", "X|Xsd|auto", "0.12sd",
      "Kernel bandwidth for labeled scores: in logits, in standard deviations, or by held-out "
      "likelihood. With gmm and hist, auto chooses the number of components or bins."},
     &type_bandwidth,
     offsetof(dedpul_options, bandwidth_p),
     0,
     0,
     NULL},
    {{"bandwidth-u", "X|Xsd|auto", "0.08sd", "The same for unlabeled scores."},
     &type_bandwidth,
     offsetof(dedpul_options, bandwidth_u),
     0,
     0,
     NULL},
    {{"smoothing", "trend|paper|none", "trend",
      "Smoothing of DEDPUL's density ratio: the paper's two steps and the trend, the two steps alone, or "
      "none."},
     &option_choice,
     offsetof(dedpul_options, smoothing),
     0,
     0,
     NULL},
    {{"solver", "exact|em", "exact", "Root of D(alpha): exact, or by the paper's EM."},
     &option_choice,
     offsetof(dedpul_options, solver),
     0,
     0,
     NULL},
    {{"alpha", "A", NULL, "The share of positives, where it is known; posteriors follow from it."},
     &option_number,
     offsetof(dedpul_options, alpha),
     0,
     1,
     "a share between 0 and 1"},
    {{"resamples", "N", "0",
      "Resamples of the rows, which give alpha an interval (about 200 are enough); 0: no interval, but 200 "
      "in compare."},
     &option_whole,
     offsetof(dedpul_options, resamples),
     0,
     1e6,
     NULL},
    {{"level", "X", "0.95", "Of the interval: the share of such intervals that should hold the true value."},
     &option_number,
     offsetof(dedpul_options, level),
     0.5,
     0.999,
     "a number from 0.5 to 0.999"},
    {{"bands", "off|on", "off", "Intervals of posteriors, too, in the file of posteriors."},
     &option_choice,
     offsetof(dedpul_options, bands),
     0,
     0,
     NULL},
    {{"seed", "N", "0", "Seed of all random numbers."},
     &option_seed,
     offsetof(dedpul_options, seed),
     0,
     0,
     NULL},
    {{"threads", "N", "0", "Number of threads, 0 for one per processor. Results do not depend on it."},
     &option_whole,
     offsetof(dedpul_options, threads),
     0,
     65535,
     NULL},
};

const struct option_table estimation_options = {sizeof entries / sizeof entries[0], entries};

size_t dedpul_option_count(void)
{
    return estimation_options.n;
}

const dedpul_option_info *dedpul_option_at(size_t index)
{
    return index < estimation_options.n ? &entries[index].info : NULL;
}

static const char *option_name(const void *list, size_t index)
{
    (void)list;
    return entries[index].info.name;
}

dedpul_status dedpul_options_set(dedpul_options *options, const char *name, const char *value,
                                 dedpul_error *error)
{
    if (options == NULL || name == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options, name and value must not be NULL");
    const struct option *option = option_find(&estimation_options, name);
    if (option == NULL) {
        char hint[NAME_HINT_SIZE];
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown option '%s'; %s", name,
                         name_hint(hint, option_name, NULL, estimation_options.n, name));
    }
    return option_read(option, options, value, error);
}

void dedpul_options_init(dedpul_options *options)
{
    memset(options, 0, sizeof *options);
    options->alpha = NAN;
    option_table_defaults(&estimation_options, options);
}

static dedpul_status check_bandwidth(const dedpul_bandwidth *bandwidth, const char *name, const char *density,
                                     dedpul_error *error)
{
    const bool is_auto = bandwidth->rule == DEDPUL_BANDWIDTH_AUTO;
    if ((unsigned)bandwidth->rule > DEDPUL_BANDWIDTH_AUTO ||
        (!is_auto && !(bandwidth->value > 0 && bandwidth->value < INFINITY)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: rule %d with value %g is no bandwidth; values are positive", name,
                         (int)bandwidth->rule, bandwidth->value);
    if (strcmp(density, density_kde.name) != 0 && bandwidth->rule == DEDPUL_BANDWIDTH_ABSOLUTE)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: density %s has no bandwidth; leave it out, or use 'auto'", name, density);
    return DEDPUL_OK;
}

dedpul_status options_check(const dedpul_options *options, dedpul_error *error)
{
    if (options->method == NULL || options->density == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "method and density must not be NULL; call dedpul_options_init first");
    if (estimator_find(options->method, error) == NULL || density_kind_find(options->density, error) == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    TRY(check_bandwidth(&options->bandwidth_p, "bandwidth-p", options->density, error));
    TRY(check_bandwidth(&options->bandwidth_u, "bandwidth-u", options->density, error));
    if ((unsigned)options->smoothing > DEDPUL_SMOOTHING_NONE)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "smoothing: there is no number %d",
                         (int)options->smoothing);
    if ((unsigned)options->solver > DEDPUL_SOLVER_EM)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "solver: there is no number %d",
                         (int)options->solver);
    if (!(options->level >= 0.5 && options->level <= 0.999))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "level: %g is not between 0.5 and 0.999",
                         options->level);
    if (!isnan(options->alpha) && !(options->alpha >= 0 && options->alpha <= 1))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha: %g is not between 0 and 1", options->alpha);
    return DEDPUL_OK;
}

void options_begin(const dedpul_options *options, dedpul_error *error, struct context *context)
{
    context_init(context, options->allocator, error);
    context->threads = threads_or_default(options->threads);
    context->seed = options->seed;
}

/* ---- the registries, as the public header shows them ---- */

size_t dedpul_method_count(void)
{
    return estimator_count();
}

const char *dedpul_method_name(size_t index)
{
    return index < estimator_count() ? estimator_at(index)->name : NULL;
}

const char *dedpul_method_summary(size_t index)
{
    return index < estimator_count() ? estimator_at(index)->summary : NULL;
}

int dedpul_method_needs_table(size_t index)
{
    return index < estimator_count() && estimator_at(index)->needs_features;
}

size_t dedpul_density_count(void)
{
    return density_kind_count();
}

const char *dedpul_density_name(size_t index)
{
    return index < density_kind_count() ? density_kind_at(index)->name : NULL;
}

const char *dedpul_density_summary(size_t index)
{
    return index < density_kind_count() ? density_kind_at(index)->summary : NULL;
}
