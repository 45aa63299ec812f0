/* What the texts of a column with very many of them are, to give advice. */
#ifndef DEDPUL_TABLE_TEXT_KIND_H
#define DEDPUL_TABLE_TEXT_KIND_H

#include "texts.h"

/* What most of a column's texts are ("it holds dates"), and what to do ("turn its dates into numbers"). */
struct text_kind {
    const char *what, *remedy;
    const char *example; /* one of the texts */
};

struct text_kind text_kind_of(const struct texts *texts);

#endif
