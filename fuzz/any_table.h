/* What the fuzz targets of tables share: any bytes are read as typed columns or refused cleanly. */
#ifndef DEDPUL_FUZZ_ANY_TABLE_H
#define DEDPUL_FUZZ_ANY_TABLE_H

#include "table.h"

/*
 * Reads the table by one of several requests, which `choice` picks, and aborts if its values are not what
 * table.h says or memory is lost. `labels` is a file of labels, or NULL.
 */
void read_any_table(unsigned choice, struct stream *stream, struct stream *labels);

#endif
