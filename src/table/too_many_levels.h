/* The error about a column with too many levels, with advice on what its texts are. */
#ifndef DEDPUL_TABLE_TOO_MANY_LEVELS_H
#define DEDPUL_TABLE_TOO_MANY_LEVELS_H

#include "cell.h"
#include "texts.h"

/*
 * Its levels are codes, texts of some kind, or numbers with texts among them. `first` is the line or row of
 * the first text; 0: the column was text from the beginning. `most` levels are allowed.
 */
dedpul_status too_many_levels(const struct texts *texts, size_t first, const char *name, size_t most,
                              const struct place *place, dedpul_error *error);

#endif
