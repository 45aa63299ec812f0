/* Which columns of a file hold what. */
#ifndef DEDPUL_PUBLIC_COLUMNS_H
#define DEDPUL_PUBLIC_COLUMNS_H

#include "arena.h"
#include "dialect.h"
#include "sized.h"
#include "stream.h"

#include "dedpul_scores.h"

dedpul_columns columns_default(void);

/* Copies the columns given, or the defaults if `given` is NULL. */
dedpul_status columns_read(const dedpul_columns *given, dedpul_columns *columns, dedpul_error *error);

/* Checks the fields of that name, of columns or of the options of a prediction. */
dedpul_status text_format_read(const char *decimal, const char *header, struct text_format *format,
                               dedpul_error *error);

/* Like dedpul_score_table_read, but from an open stream. */
dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error);

#endif
