/* The content of gzip files. */
#ifndef DEDPUL_TABLE_GZIP_H
#define DEDPUL_TABLE_GZIP_H

#include "stream.h"

/*
 * From now on the stream gives the content of a gzip file; a file without gzip's first bytes passes as it is.
 * A gzip file may hold several members, one after the other, with zero bytes between and behind them. All
 * else that follows a member is an error, as is a member that is damaged or cut off: no row is lost silently.
 *
 * To be called before the first read. gzip_detach frees what this allocated.
 */
dedpul_status gzip_attach(struct stream *stream, dedpul_error *error);

void gzip_detach(struct stream *stream);

#endif
