#include "suggest.h"

#include "error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_COMPARED = 64 };

size_t name_find(name_at *name, const void *list, size_t count, const char *wanted)
{
    size_t index = 0;
    while (index < count && strcmp(name(list, index), wanted) != 0)
        index++;
    return index;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * How many characters were typed wrongly, left out, added or swapped with the next one (optimal string
 * alignment). SIZE_MAX if a text is too long to be a typing error.
 */
static size_t edit_distance(const char *a, const char *b)
{
    enum { ROWS = 3 }; /* that of the present character of `a`, and the two before it */
    const size_t n = strlen(a), m = strlen(b);
    size_t rows[ROWS][LONGEST_COMPARED + 1];
    if (n > LONGEST_COMPARED || m > LONGEST_COMPARED)
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *const row = rows[i % ROWS];
        const size_t *const last = rows[(i - 1) % ROWS];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], rows[(i - 2) % ROWS][j - 2] + 1);
        }
    }
    return rows[n % ROWS][m];
}

size_t name_nearest(name_at *name, const void *list, size_t count, const char *wanted)
{
    size_t nearest = count, nearest_distance = strlen(wanted) / 2 + 1; /* names farther away do not help */
    for (size_t i = 0; i < count; i++) {
        const size_t distance = edit_distance(name(list, i), wanted);
        if (distance < nearest_distance) {
            nearest = i;
            nearest_distance = distance;
        }
    }
    return nearest;
}

const char *name_hint(char buffer[NAME_HINT_SIZE], name_at *name, const void *list, size_t count,
                      const char *wanted)
{
    const size_t nearest = name_nearest(name, list, count, wanted);
    char quoted[QUOTE_SIZE];
    size_t used = 0;
    buffer[0] = '\0';
    if (nearest < count)
        used = (size_t)snprintf(buffer, NAME_HINT_SIZE, "did you mean %s? ",
                                quote_text(quoted, name(list, nearest), strlen(name(list, nearest))));
    for (size_t i = 0; i < count && used < NAME_HINT_SIZE; i++) {
        (void)quote_text(quoted, name(list, i), strlen(name(list, i)));
        used += (size_t)snprintf(buffer + used, NAME_HINT_SIZE - used, "%s%s",
                                 i > 0             ? ", "
                                 : nearest < count ? "There are "
                                                   : "there are ",
                                 quoted);
    }
    if (used >= NAME_HINT_SIZE)
        (void)snprintf(buffer + NAME_HINT_SIZE - sizeof " ...", sizeof " ...", " ...");
    return buffer;
}
