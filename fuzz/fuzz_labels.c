/* Any bytes as a table and a file of its labels. */
#include "any_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input begins with the request and the size of the table, little-endian. Table and labels follow. */
enum { HEADER = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream stream, labels;
    if (size < HEADER)
        return 0;
    const size_t wanted = (size_t)data[1] | (size_t)data[2] << 8, left = size - HEADER;
    const size_t table_size = wanted < left ? wanted : left;
    stream_open_memory(&stream, "table", data + HEADER, table_size);
    stream_open_memory(&labels, "labels", data + HEADER + table_size, left - table_size);
    read_any_table(data[0], &stream, &labels);
    return 0;
}
