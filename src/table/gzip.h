/* The content of gzip files. */
#ifndef DEDPUL_TABLE_GZIP_H
#define DEDPUL_TABLE_GZIP_H

#include "stream.h"

/*
 * Makes the stream unpack a gzip file; a file that does not begin as gzip passes as it is. Call this before
 * the first read. gzip_detach frees what this allocates.
 *
 * A gzip file may hold several members, one after the other, with zero bytes between and behind them. All
 * else that follows a member is an error, and so is a damaged member or one that is cut off. No row is lost
 * silently.
 */
dedpul_status gzip_attach(struct stream *stream, dedpul_error *error);

void gzip_detach(struct stream *stream);

#endif
