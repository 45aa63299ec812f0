/* Rows of libsvm (svmlight) files: "label index:value index:value ... # comment". */
#include "row_source.h"
#include "text_buffer.h"

#include <math.h>
#include <string.h>

struct libsvm_rows {
    struct row_source source; /* first: a struct row_source * is a struct libsvm_rows * */
    struct text_buffer text;
    bool is_started;
    size_t most_cells;
};

/* ---- words of a line ---- */

struct word {
    const char *text;
    size_t length;
};

/* Takes the first word off the line. At its end, the word has length 0. */
static struct word take_word(const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        ++*at;
    const char *const begin = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    return (struct word){begin, (size_t)(*at - begin)};
}

static bool is_query(struct word word)
{
    return word.length > 4 && memcmp(word.text, "qid:", 4) == 0;
}

/* Counts the digits that the word begins with. */
static size_t count_digits(struct word word)
{
    size_t n = 0;
    while (n < word.length && word.text[n] >= '0' && word.text[n] <= '9')
        n++;
    return n;
}

/* Returns where the line at `at` ends. *comment is where its comment begins, or the same place. */
static const char *find_line_end(const char *at, const char *end, const char **comment)
{
    *comment = NULL;
    for (; at < end && !is_line_end(*at); at++)
        if (*at == '#' && *comment == NULL)
            *comment = at;
    if (*comment == NULL)
        *comment = at;
    return at;
}

/* ---- detection ---- */

enum verdict { UNLIKELY, UNCLEAR, LIKELY };

/* Judges one line. If the line may go on, its last word does not count. */
static enum verdict judge_line(const char *at, const char *end, bool is_complete)
{
    enum verdict verdict = UNCLEAR;
    double label;
    struct word word = take_word(&at, end);
    if (word.length == 0)
        return UNCLEAR;
    if (!parse_double(word.text, word.length, &label))
        return UNLIKELY;
    while ((word = take_word(&at, end)).length > 0) {
        if (!is_complete && word.text + word.length == end)
            break;
        const size_t digits = count_digits(word);
        if (memchr(word.text, ',', word.length) != NULL || memchr(word.text, ';', word.length) != NULL)
            return UNLIKELY;
        if (digits > 0 && digits < word.length && word.text[digits] == ':')
            verdict = LIKELY;
        else if (!is_query(word))
            return UNLIKELY;
    }
    return verdict;
}

bool libsvm_is_likely(const char *bytes, size_t n, bool is_whole)
{
    const char *at = bytes, *const end = bytes + n;
    if (n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end) {
        const char *comment;
        const char *const line_end = find_line_end(at, end, &comment);
        if (memchr(at, '\t', (size_t)(comment - at)) != NULL) /* text with tabs as delimiters */
            return false;
        const enum verdict verdict = judge_line(at, comment, is_whole || comment < end);
        if (verdict != UNCLEAR)
            return verdict == LIKELY;
        at = line_end + (line_end < end);
    }
    return false;
}

/* ---- rows ---- */

static dedpul_status add_cell(struct libsvm_rows *rows, size_t column, double number)
{
    struct row_source *source = &rows->source;
    if (source->n_cells == rows->most_cells) {
        const size_t most = rows->most_cells > 0 ? 2 * rows->most_cells : 64;
        struct cell *cell =
            source->allocator.resize(source->allocator.context, source->cell, most * sizeof *cell);
        if (cell == NULL)
            return row_source_no_memory(source);
        source->cell = cell;
        rows->most_cells = most;
    }
    source->cell[source->n_cells++] = (struct cell){.column = column, .number = number};
    return DEDPUL_OK;
}

static dedpul_status refuse(const struct row_source *source, struct word word, const char *problem)
{
    char quoted[QUOTE_SIZE];
    return error_set(source->error, DEDPUL_INVALID_DATA, "%s: line %zu: %s %s", source->stream->name,
                     source->number, quote_text(quoted, word.text, word.length), problem);
}

static dedpul_status parse_pair(struct libsvm_rows *rows, struct word word)
{
    struct row_source *source = &rows->source;
    const size_t digits = count_digits(word);
    const size_t before = source->cell[source->n_cells - 1].column; /* 0 after the label */
    size_t index = 0;
    double value;
    if (digits == 0 || digits == word.length || word.text[digits] != ':')
        return refuse(source, word, "is not index:value; a libsvm line is 'label index:value ...'");
    for (size_t i = 0; i < digits && index <= MOST_NUMBERED_COLUMNS; i++)
        index = 10 * index + (size_t)(word.text[i] - '0');
    if (index == 0)
        return refuse(source, word, "has index 0; indices begin with 1, so add 1 to all of the file");
    if (index > MOST_NUMBERED_COLUMNS)
        return refuse(source, word, "has an index above 1000000, more columns than a table may have");
    if (index <= before)
        return refuse(source, word, "does not have a larger index than the entry before it; sort the line");
    if (!parse_double(word.text + digits + 1, word.length - digits - 1, &value))
        return refuse(source, word, "has a value that is not a number");
    if (!isfinite(value))
        return refuse(source, word, "has a value that is not finite");
    return add_cell(rows, index, value);
}

static dedpul_status parse_line(struct libsvm_rows *rows, const char *at, const char *end)
{
    struct row_source *source = &rows->source;
    double label;
    struct word word = take_word(&at, end);
    if (word.length == 0) /* the line is only a comment */
        return DEDPUL_OK;
    if (!parse_double(word.text, word.length, &label) || !isfinite(label))
        return refuse(source, word, "is not a finite number; a libsvm line is 'label index:value ...'");
    TRY(add_cell(rows, 0, label));
    while ((word = take_word(&at, end)).length > 0)
        if (!is_query(word))
            TRY(parse_pair(rows, word));
    return DEDPUL_OK;
}

static dedpul_status next(struct row_source *source, bool *has_row)
{
    struct libsvm_rows *rows = (struct libsvm_rows *)source;
    struct text_buffer *text = &rows->text;
    if (!rows->is_started)
        TRY(text_buffer_start(text));
    rows->is_started = true;
    source->n_cells = 0;
    for (;;) {
        const char *comment, *line_end;
        TRY(text_buffer_skip_line_ends(text));
        if (text->begin == text->end) {
            *has_row = false;
            return DEDPUL_OK;
        }
        for (;;) {
            line_end = find_line_end(text->bytes + text->begin, text->bytes + text->end, &comment);
            if (line_end < text->bytes + text->end || text->at_end)
                break;
            TRY(text_buffer_fill(text));
        }
        source->number = text->line;
        TRY(parse_line(rows, text->bytes + text->begin, comment));
        text->begin = (size_t)(line_end - text->bytes); /* the line end is skipped with the empty lines */
        if (source->n_cells > 0) {
            *has_row = true;
            return DEDPUL_OK;
        }
    }
}

static void free_rows(struct row_source *source)
{
    text_buffer_free(&((struct libsvm_rows *)source)->text);
}

dedpul_status libsvm_rows_open(const struct row_source *common, struct row_source **source)
{
    static const struct row_format format = {.next = next, .free = free_rows};
    struct libsvm_rows *rows = row_source_allocate(common, sizeof *rows);
    if (rows == NULL)
        return row_source_no_memory(common);
    text_buffer_init(&rows->text, common->stream, &common->allocator, common->error);
    rows->source.format = &format;
    rows->source.unit = "line";
    rows->source.begins_with_label = rows->source.is_sparse = true;
    *source = &rows->source;
    return DEDPUL_OK;
}
