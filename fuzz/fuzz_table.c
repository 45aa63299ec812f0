/* Any bytes as a table: typed columns or a clean error. */
#include "any_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream stream;
    if (size == 0)
        return 0;
    /* The first byte chooses the request, so that one corpus covers all ways of reading. */
    stream_open_memory(&stream, "fuzz", data + 1, size - 1);
    read_any_table(data[0], &stream, NULL);
    return 0;
}
