/* Which columns of a file hold what. */
#ifndef DEDPUL_PUBLIC_COLUMNS_H
#define DEDPUL_PUBLIC_COLUMNS_H

#include "arena.h"
#include "sized.h"
#include "stream.h"

#include "dedpul_scores.h"

dedpul_columns columns_default(void);

/* Those given, or the defaults for NULL. */
dedpul_status columns_read(const dedpul_columns *given, dedpul_columns *columns, dedpul_error *error);

/* As dedpul_score_table_read, from an open stream. */
dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error);

#endif
