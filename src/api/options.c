#include "options.h"

#include "density.h"
#include "estimator.h"
#include "number.h"
#include "suggest.h"

#include <math.h>
#include <string.h>

/*
 * One table defines each option's name, texts, default, field and reading; dedpul_options_init, the
 * command line, its help and the bindings all follow from it.
 */
struct option {
    dedpul_option_info info;
    dedpul_status (*read)(const struct option *option, const char *value, void *field, dedpul_error *error);
    size_t offset; /* of the field in dedpul_options */
};

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

static dedpul_status reject(const struct option *option, const char *value, const char *wanted,
                            dedpul_error *error)
{
    char quoted[QUOTE_SIZE];
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %s is not %s", option->info.name,
                     quote_text(quoted, value, strlen(value)), wanted);
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
            return reject(option, value,
                          "a positive number (in logits), one with 'sd' after it (a multiple of the "
                          "standard deviation) or 'auto'",
                          error);
    }
    *(dedpul_bandwidth *)field = bandwidth;
    return DEDPUL_OK;
}

/* The choices of info.value, "trend|paper|none", are the enumeration's values from 0 on. */
static dedpul_status read_choice(const struct option *option, const char *value, int *choice,
                                 dedpul_error *error)
{
    const size_t length = strlen(value);
    const char *at = option->info.value;
    for (*choice = 0;; (*choice)++) {
        const size_t size = strcspn(at, "|");
        if (size == length && memcmp(at, value, length) == 0)
            return DEDPUL_OK;
        if (at[size] == '\0')
            return reject(option, value, option->info.value, error);
        at += size + 1;
    }
}

static dedpul_status read_smoothing(const struct option *option, const char *value, void *field,
                                    dedpul_error *error)
{
    int choice;
    TRY(read_choice(option, value, &choice, error));
    *(dedpul_smoothing *)field = (dedpul_smoothing)choice;
    return DEDPUL_OK;
}

static dedpul_status read_solver(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    int choice;
    TRY(read_choice(option, value, &choice, error));
    *(dedpul_solver *)field = (dedpul_solver)choice;
    return DEDPUL_OK;
}

static dedpul_status read_alpha(const struct option *option, const char *value, void *field,
                                dedpul_error *error)
{
    double alpha;
    if (!parse_double(value, strlen(value), &alpha) || !(alpha >= 0 && alpha <= 1))
        return reject(option, value, "a share between 0 and 1", error);
    *(double *)field = alpha;
    return DEDPUL_OK;
}

static dedpul_status read_seed(const struct option *option, const char *value, void *field,
                               dedpul_error *error)
{
    if (!parse_whole(value, field))
        return reject(option, value, "a whole number from 0 to 18446744073709551615", error);
    return DEDPUL_OK;
}

static dedpul_status read_threads(const struct option *option, const char *value, void *field,
                                  dedpul_error *error)
{
    uint64_t threads;
    if (!parse_whole(value, &threads) || threads > 65535)
        return reject(option, value, "a whole number from 0 to 65535", error);
    *(unsigned *)field = (unsigned)threads;
    return DEDPUL_OK;
}

static const struct option table[] = {
    {{"method", "NAME", "dedpul", "How alpha is estimated; see the list of methods."},
     read_method,
     offsetof(dedpul_options, method)},
    {{"density", "NAME", "kde", "How the densities of scores are estimated; see the list of densities."},
     read_density,
     offsetof(dedpul_options, density)},
    {{"bandwidth-p", "X|Xsd|auto", "0.1sd",
      "Kernel bandwidth for labeled scores: in logits, in standard deviations, or by held-out "
      "likelihood. With gmm and hist, auto chooses the number of components or bins."},
     read_bandwidth,
     offsetof(dedpul_options, bandwidth_p)},
    {{"bandwidth-u", "X|Xsd|auto", "0.05sd", "The same for unlabeled scores."},
     read_bandwidth,
     offsetof(dedpul_options, bandwidth_u)},
    {{"smoothing", "trend|paper|none", "trend",
      "Smoothing of the density ratio (dedpul and bbe): the paper's two steps and the trend, the two "
      "steps alone, or none."},
     read_smoothing,
     offsetof(dedpul_options, smoothing)},
    {{"solver", "exact|em", "exact", "Root of D(alpha): exact, or by the paper's EM."},
     read_solver,
     offsetof(dedpul_options, solver)},
    {{"alpha", "A", NULL, "The share of positives, where it is known; posteriors follow from it."},
     read_alpha,
     offsetof(dedpul_options, alpha)},
    {{"seed", "N", "0", "Seed of the random numbers that gmm and auto use."},
     read_seed,
     offsetof(dedpul_options, seed)},
    {{"threads", "N", "0", "Number of threads, 0 for one per processor. Results do not depend on it."},
     read_threads,
     offsetof(dedpul_options, threads)},
};

size_t dedpul_option_count(void)
{
    return sizeof table / sizeof table[0];
}

const dedpul_option_info *dedpul_option_at(size_t index)
{
    return index < dedpul_option_count() ? &table[index].info : NULL;
}

static const char *option_name(const void *list, size_t index)
{
    (void)list;
    return table[index].info.name;
}

dedpul_status dedpul_options_set(dedpul_options *options, const char *name, const char *value,
                                 dedpul_error *error)
{
    if (options == NULL || name == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options, name and value must not be NULL");
    const size_t index = name_find(option_name, NULL, dedpul_option_count(), name);
    if (index == dedpul_option_count()) {
        char hint[NAME_HINT_SIZE];
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown option '%s'; %s", name,
                         name_hint(hint, option_name, NULL, dedpul_option_count(), name));
    }
    return table[index].read(&table[index], value, (char *)options + table[index].offset, error);
}

void dedpul_options_init(dedpul_options *options)
{
    memset(options, 0, sizeof *options);
    options->alpha = NAN;
    for (size_t i = 0; i < dedpul_option_count(); i++)
        if (table[i].info.default_value != NULL)
            (void)table[i].read(&table[i], table[i].info.default_value, (char *)options + table[i].offset,
                                NULL);
}

static dedpul_status check_bandwidth(const dedpul_bandwidth *bandwidth, const dedpul_bandwidth *standard,
                                     const char *name, const char *density, dedpul_error *error)
{
    const bool is_auto = bandwidth->rule == DEDPUL_BANDWIDTH_AUTO;
    const bool is_standard = bandwidth->rule == standard->rule && bandwidth->value == standard->value;
    if ((unsigned)bandwidth->rule > DEDPUL_BANDWIDTH_AUTO ||
        (!is_auto && !(bandwidth->value > 0 && bandwidth->value < INFINITY)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: rule %d with value %g is no bandwidth; values are positive", name,
                         (int)bandwidth->rule, bandwidth->value);
    if (strcmp(density, density_kde.name) != 0 && !is_auto && !is_standard)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: density %s has no bandwidth; leave it out, or use 'auto'", name, density);
    return DEDPUL_OK;
}

dedpul_status options_check(const dedpul_options *options, dedpul_error *error)
{
    dedpul_options standard;
    dedpul_options_init(&standard);
    if (options->method == NULL || options->density == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "method and density must not be NULL; call dedpul_options_init first");
    if (estimator_find(options->method, error) == NULL || density_kind_find(options->density, error) == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    TRY(check_bandwidth(&options->bandwidth_p, &standard.bandwidth_p, "bandwidth-p", options->density,
                        error));
    TRY(check_bandwidth(&options->bandwidth_u, &standard.bandwidth_u, "bandwidth-u", options->density,
                        error));
    if ((unsigned)options->smoothing > DEDPUL_SMOOTHING_NONE)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "smoothing: there is no number %d",
                         (int)options->smoothing);
    if ((unsigned)options->solver > DEDPUL_SOLVER_EM)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "solver: there is no number %d",
                         (int)options->solver);
    if (!isnan(options->alpha) && !(options->alpha >= 0 && options->alpha <= 1))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha: %g is not between 0 and 1", options->alpha);
    return DEDPUL_OK;
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
