/* Files of other programs, which are not read: what they are, and how to turn them into CSV. */
#ifndef DEDPUL_TABLE_FOREIGN_H
#define DEDPUL_TABLE_FOREIGN_H

#include "stream.h"

/* It is an error, with advice, if the stream's first bytes are those of another program's file. */
dedpul_status refuse_foreign(struct stream *stream, dedpul_error *error);

#endif
