/* The public prediction: a view of what was found beside scores and posteriors. */
#ifndef DEDPUL_PUBLIC_PREDICTION_VIEW_H
#define DEDPUL_PUBLIC_PREDICTION_VIEW_H

#include "batch.h"

#include "dedpul_tables.h"

struct prediction_view {
    dedpul_prediction public; /* first: a dedpul_prediction * is a struct prediction_view * */
    struct arena memory;      /* holds all below */
    struct prediction found;
    struct predicted rows;        /* NULL if they are not kept */
    dedpul_drift *drift;          /* (n_columns) room for them */
    const dedpul_drift **drifted; /* (n_columns) */
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
};

/*
 * Makes all that is handed out at the end, since files must not be written by a call that fails. Returns NULL
 * with the error set. Free it with dedpul_prediction_free.
 */
struct prediction_view *prediction_view_create(struct context *context, const struct model *model);

/* Fills the public view. It cannot fail. */
void prediction_view_show(const struct warnings *warnings, struct prediction_view *view);

#endif
