#include "choice.h"

#include "error.h"
#include "number.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

/* Finds the next name of a list; commas within parentheses are part of a name. False at the end. */
static bool next_name(const char **list, char name[NAME_SIZE])
{
    size_t n = 0;
    int depth = 0;
    if (**list == '\0')
        return false;
    for (; **list != '\0' && (**list != ',' || depth > 0); ++*list) {
        depth += (**list == '(') - (**list == ')');
        if (n + 1 < NAME_SIZE)
            name[n++] = **list;
    }
    name[n] = '\0';
    *list += **list == ',';
    return true;
}

static const char *set_name(const void *list, size_t index)
{
    const enum kind *kind = list;
    const struct set *set;
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (set->kind == *kind && index-- == 0)
            return set->name;
    return NULL;
}

static const char *variant_name(const void *list, size_t index)
{
    (void)list;
    const struct variant *variant = variant_at((unsigned)index);
    return variant != NULL ? variant->name : NULL;
}

static dedpul_status reject(const char *option, const char *name, name_at *known, const void *list,
                            dedpul_error *error)
{
    char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
    size_t n = 0;
    while (known(list, n) != NULL)
        n++;
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: there is no %s; %s", option,
                     quote_text(quoted, name, strlen(name)), name_hint(hint, known, list, n, name));
}

/* "uci" are the sets of the benchmark that are not images. */
static bool set_is_meant(const struct set *set, const char *name)
{
    return strcmp(name, "all") == 0 || strcmp(name, set->name) == 0 ||
           (strcmp(name, "uci") == 0 && set_is_uci(set));
}

static dedpul_status choose_sets(const char *names, enum kind kind, struct choice *choice,
                                 dedpul_error *error)
{
    char name[NAME_SIZE];
    while (next_name(&names, name)) {
        const struct set *set;
        bool found = false;
        for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
            if (set->kind == kind && set_is_meant(set, name))
                found = choice->set[i] = true;
        if (!found)
            return reject("sets", name, set_name, &kind, error);
    }
    return DEDPUL_OK;
}

/* "scores" are the methods that need only scores. */
static dedpul_status choose_variants(const char *names, struct choice *choice, dedpul_error *error)
{
    char name[NAME_SIZE];
    while (next_name(&names, name)) {
        const struct variant *variant;
        bool found = false;
        for (unsigned i = 0; (variant = variant_at(i)) != NULL; i++)
            if (strcmp(name, "all") == 0 || strcmp(name, variant->name) == 0 ||
                (strcmp(name, "scores") == 0 && !variant->needs_table))
                found = choice->variant[i] = true;
        if (!found)
            return reject("methods", name, variant_name, NULL, error);
    }
    return DEDPUL_OK;
}

/* At least one of the chosen sets must have the share. */
static dedpul_status choose_alphas(const char *shares, struct choice *choice, dedpul_error *error)
{
    char name[NAME_SIZE], quoted[QUOTE_SIZE];
    while (next_name(&shares, name)) {
        const struct set *set;
        const bool is_all = strcmp(name, "all") == 0;
        bool found = false;
        double alpha = NAN;
        if (!is_all)
            (void)parse_double(name, strlen(name), &alpha);
        for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
            for (unsigned k = 0; choice->set[i] && k < set->n_samples; k++)
                if (is_all || set->sample[k].alpha == alpha)
                    found = choice->alpha[i][k] = true;
        if (!found)
            return error_set(
                error, DEDPUL_INVALID_ARGUMENT,
                "alphas: %s is no share of the protocol; there are 0.05, 0.25, 0.5, 0.75, 0.95, and 0.01 "
                "and 0.99 of synthetic sets",
                quote_text(quoted, name, strlen(name)));
    }
    return DEDPUL_OK;
}

dedpul_status choice_read(const struct experiment *experiment, struct choice *choice, dedpul_error *error)
{
    memset(choice, 0, sizeof *choice);
    TRY(choose_sets(experiment->sets, experiment->kind, choice, error));
    TRY(choose_variants(experiment->methods, choice, error));
    return choose_alphas(experiment->alphas, choice, error);
}
