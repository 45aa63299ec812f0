#include "groups.h"

#include "cell.h"

bool groups_code(struct texts *names, const dedpul_allocator *allocator, const char *text, size_t length,
                 uint32_t *code)
{
    trim_blanks(&text, &length);
    *code = GROUP_NONE;
    if (is_missing_text(text, length))
        return true;
    *code = texts_find(names, text, length);
    if (*code != NO_TEXT)
        return true;
    if (names->n >= MOST_TEXTS || !texts_add(names, allocator, text, length))
        return false;
    *code = (uint32_t)names->n - 1;
    return true;
}

size_t groups_finish(const struct texts *names, size_t n, uint32_t *code)
{
    size_t n_groups = names->n;
    for (size_t row = 0; row < n; row++)
        if (code[row] == GROUP_NONE)
            code[row] = (uint32_t)n_groups++;
    return n_groups;
}
