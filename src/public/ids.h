/* Identifiers of rows, as programs see them. */
#ifndef DEDPUL_PUBLIC_IDS_H
#define DEDPUL_PUBLIC_IDS_H

#include "arena.h"
#include "row_texts.h"

#include "dedpul_scores.h"

/* Shows the texts, which stay where they are, with a copy of their column's name in `memory`. */
dedpul_status ids_show(struct arena *memory, const char *name, const struct row_texts *texts, dedpul_ids *ids,
                       dedpul_error *error);

#endif
