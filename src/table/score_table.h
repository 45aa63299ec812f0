/* Score files from any stream. */
#ifndef DEDPUL_TABLE_SCORE_TABLE_H
#define DEDPUL_TABLE_SCORE_TABLE_H

#include "stream.h"

/* As dedpul_score_table_read, from an open stream; columns is not NULL. */
dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error);

#endif
