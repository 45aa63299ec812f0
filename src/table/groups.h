/* Groups of rows that belong together: the rows of a patient, a site, a document. */
#ifndef DEDPUL_TABLE_GROUPS_H
#define DEDPUL_TABLE_GROUPS_H

#include "texts.h"

/* The code of a row without a group, until groups_finish. */
#define GROUP_NONE UINT32_MAX

/* Gives the group's code, by its name. An empty name, NA, ... gives GROUP_NONE. False: no memory. */
bool groups_code(struct texts *names, const dedpul_allocator *allocator, const char *text, size_t length,
                 uint32_t *code);

/* Makes each row without a group one of its own. Returns how many groups there are. */
size_t groups_finish(const struct texts *names, size_t n, uint32_t *code /* (n) */);

#endif
