#include "top_rows.h"

#include "message.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Many posteriors may be the same: then the score tells more, and the first row is first. */
static bool is_before(const dedpul_result *result, const struct top_row *a, const struct top_row *b)
{
    if (result->posterior[a->index] != result->posterior[b->index])
        return result->posterior[a->index] > result->posterior[b->index];
    return a->score > b->score;
}

/* Puts a row in its place among the highest so far, and gives the number of these. */
static size_t insert_row(const dedpul_result *result, size_t n, struct top_row top[MOST_TOP_ROWS],
                         struct top_row row)
{
    size_t place = n;
    while (place > 0 && is_before(result, &row, &top[place - 1])) {
        if (place < MOST_TOP_ROWS)
            top[place] = top[place - 1];
        place--;
    }
    if (place < MOST_TOP_ROWS)
        top[place] = row;
    return n < MOST_TOP_ROWS ? n + 1 : n;
}

size_t find_top_rows(const dedpul_result *result, const dedpul_sample *rows, const unsigned char *label,
                     struct top_row top[MOST_TOP_ROWS])
{
    size_t n = 0, index = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (label[i] == 0)
            n = insert_row(result, n, top, (struct top_row){i + 1, index++, rows->score[i]});
    return n;
}

char *copy_id(const dedpul_ids *ids, size_t row)
{
    return strndup(ids->bytes + ids->offset[row], ids->offset[row + 1] - ids->offset[row]);
}

json_t *json_text(const char *text)
{
    char *shown = NULL;
    size_t size;
    json_t *string = json_string(text);
    FILE *stream = string == NULL ? open_memstream(&shown, &size) : NULL;
    if (stream != NULL) {
        for (const char *at = text; *at != '\0';)
            at += put_character(stream, at);
        if (fclose(stream) == 0)
            string = json_string(shown);
    }
    free(shown);
    return string;
}

static json_t *id_string(const dedpul_ids *ids, size_t row)
{
    char *text = copy_id(ids, row);
    json_t *string = text != NULL ? json_text(text) : NULL;
    free(text);
    return string;
}

json_t *top_rows_array(const dedpul_result *result, const dedpul_sample *rows, const unsigned char *label,
                       const dedpul_ids *ids)
{
    struct top_row top[MOST_TOP_ROWS];
    const size_t n = find_top_rows(result, rows, label, top);
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(array,
                                    json_pack("{s:o, s:I, s:f, s:f}", "id", id_string(ids, top[i].number - 1),
                                              "row", (json_int_t)top[i].number, "score", top[i].score,
                                              "posterior", result->posterior[top[i].index]));
    return array;
}
