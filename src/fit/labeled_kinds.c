#include "labeled_kinds.h"

#include "number.h"
#include "weighted.h"

#include <string.h>

enum { UNLABELED = MOST_KINDS };

/* Kinds of rows that were read together. */
struct kind_piece {
    struct kind_piece *before;
    size_t first, n;
    unsigned char *kind; /* (n) as in the model, or UNLABELED */
};

/* A kind that was joined with others is a part of a name, between plus signs. */
static bool is_part(const char *joint, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = joint; at != NULL; at = strchr(at, '+') != NULL ? strchr(at, '+') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == '+' || at[length] == '\0'))
            return true;
    return false;
}

static size_t find_kind(const struct model_kinds *known, const char *name)
{
    for (size_t k = 0; k < known->n; k++)
        if (strcmp(known->name[k], name) == 0)
            return k;
    size_t k = 0;
    while (k < known->n && !is_part(known->name[k], name))
        k++;
    return k;
}

static dedpul_status read_kind(struct context *context, const struct model_kinds *known,
                               const struct table *piece, size_t row, size_t number, unsigned char *kind)
{
    char quoted[QUOTE_SIZE];
    const bool has_kind = piece->kind[row] != KIND_NONE;
    const char *name = has_kind ? piece->kind_name[piece->kind[row]] : "";
    *kind = UNLABELED;
    if (piece->label[row] == 0 && !has_kind)
        return DEDPUL_OK;
    if (piece->label[row] == 0)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "row %zu is unlabeled, but has the kind %s: kinds are those of labeled rows", number,
                         quote_text(quoted, name, strlen(name)));
    if (!has_kind)
        return error_set(context->error, DEDPUL_INVALID_DATA, "row %zu is labeled, but has no kind", number);
    *kind = (unsigned char)find_kind(known, name);
    return *kind < known->n
               ? DEDPUL_OK
               : error_set(context->error, DEDPUL_INVALID_DATA,
                           "row %zu has the kind %s, which the fit of the model had not: fit a model that "
                           "knows it, or leave the row out",
                           number, quote_text(quoted, name, strlen(name)));
}

dedpul_status labeled_kinds_add(struct context *context, struct labeled_kinds *kinds,
                                const struct table *piece)
{
    const size_t n = piece->n_rows, first = kinds->last != NULL ? kinds->last->first + kinds->last->n : 0;
    struct kind_piece *added = context_allocate(context, 1, sizeof *added);
    unsigned char *kind = context_allocate(context, n, 1);
    if (added == NULL || kind == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        TRY(read_kind(context, kinds->known, piece, i, first + i + 1, &kind[i]));
        if (kind[i] != UNLABELED)
            kinds->weight[kind[i]] += weight_at(piece->weight, i);
    }
    *added = (struct kind_piece){kinds->last, first, n, kind};
    kinds->last = added;
    return DEDPUL_OK;
}

dedpul_status labeled_kinds_weigh(struct context *context, const struct labeled_kinds *kinds,
                                  const char *file, double *weight)
{
    const struct model_kinds *known = kinds->known;
    double total = 0;
    for (size_t k = 0; k < known->n; k++) {
        char quoted[QUOTE_SIZE];
        total += kinds->weight[k];
        if (kinds->weight[k] == 0)
            return error_set(
                context->error, DEDPUL_INVALID_DATA,
                "%s has no labeled rows of the kind %s, so its labeled rows do not stand for all "
                "positives",
                file, quote_text(quoted, known->name[k], strlen(known->name[k])));
    }
    for (const struct kind_piece *piece = kinds->last; piece != NULL; piece = piece->before)
        for (size_t i = 0; i < piece->n; i++)
            if (piece->kind[i] != UNLABELED)
                weight[piece->first + i] *=
                    known->actual[piece->kind[i]] * total / kinds->weight[piece->kind[i]];
    return DEDPUL_OK;
}
