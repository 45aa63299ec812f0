#include "ids.h"

#include "context.h"

#include <string.h>

dedpul_status ids_show(struct arena *memory, const char *name, const struct row_texts *texts, dedpul_ids *ids,
                       dedpul_error *error)
{
    struct context context = context_of(memory, NULL, error);
    const size_t size = strlen(name) + 1;
    char *own = context_allocate(&context, size, 1);
    if (own == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(own, name, size);
    *ids = (dedpul_ids){own, texts->bytes, texts->offset};
    return DEDPUL_OK;
}
