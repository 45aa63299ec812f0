#include "dialect.h"

#include "cell.h"
#include "number.h"
#include "text_buffer.h"

#include <string.h>

/* ---- cells ---- */

/* Where the next cell begins. Cells are only looked at, so that quotes are not taken out of them. */
struct scan {
    const char *at, *end;
    char delimiter;
};

/* Takes the next cell, without quotes and blanks around it. False: its row or the bytes have ended. */
static bool next_cell(struct scan *scan, const char **text, size_t *length)
{
    if (scan->at == scan->end || is_line_end(*scan->at))
        return false;
    const bool is_quoted = *scan->at == '"';
    const char *at = scan->at + is_quoted;
    *text = at;
    if (is_quoted)
        while (at < scan->end && (*at != '"' || (at + 1 < scan->end && at[1] == '"')))
            at += *at == '"' ? 2 : 1; /* a doubled quote does not close it */
    else
        while (at < scan->end && *at != scan->delimiter && !is_line_end(*at))
            at++;
    *length = (size_t)(at - *text);
    trim_blanks(text, length);
    while (at < scan->end && *at != scan->delimiter && !is_line_end(*at)) /* the closing quote */
        at++;
    scan->at = at < scan->end && *at == scan->delimiter ? at + 1 : at;
    return true;
}

/* ---- commas ---- */

static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

static void skip_sign(const char **text, size_t *length)
{
    if (*length > 0 && (**text == '-' || **text == '+')) {
        ++*text;
        --*length;
    }
}

bool may_be_thousands(const char *text, size_t length)
{
    skip_sign(&text, &length);
    size_t n = count_digits(text, length);
    if (n < 1 || n > 3 || n == length || *text == '0')
        return false;
    while (n < length) {
        if (text[n] != ',' || count_digits(text + n + 1, length - n - 1) != 3)
            return false;
        n += 4;
    }
    return true;
}

bool is_number_with_comma(const char *text, size_t length)
{
    double number;
    return memchr(text, ',', length) != NULL && parse_decimal(text, length, ',', &number);
}

enum evidence {
    NOTHING,  /* says nothing about commas */
    AGAINST,  /* a number with a decimal point, or with several commas */
    POSSIBLE, /* 1,5 has a decimal comma, unless it is a pair */
    CERTAIN,  /* 0,5 and 1,2345 have one */
};

static enum evidence judge(const char *text, size_t length)
{
    double number;
    const char *const comma = memchr(text, ',', length);
    if (comma == NULL)
        return memchr(text, '.', length) != NULL && parse_double(text, length, &number) ? AGAINST : NOTHING;
    if (!is_number_with_comma(text, length)) {
        size_t n = 0;
        while (n < length && (text[n] == ',' || (text[n] >= '0' && text[n] <= '9')))
            n++;
        return n == length ? AGAINST : NOTHING;
    }
    if (may_be_thousands(text, length))
        return NOTHING;
    const size_t fraction = length - (size_t)(comma + 1 - text);
    return *text == '0' || *text == '-' || fraction > 2 ? CERTAIN : POSSIBLE;
}

/* ---- the dialect ---- */

/* Finds the first row, and leaves out the last one if it may go on. */
static struct scan first_row(const char *bytes, size_t n, bool is_whole, char delimiter)
{
    struct scan scan = {bytes, bytes + n, delimiter};
    while (scan.at < scan.end && is_line_end(*scan.at))
        scan.at++;
    while (!is_whole && scan.end > scan.at && !is_line_end(scan.end[-1]))
        scan.end--;
    return scan;
}

/* Tells whether the first row consists of numbers, at least one of which has a decimal comma. */
static bool has_decimal_commas(struct scan scan)
{
    const char *text;
    size_t length;
    double number;
    bool has_comma = false;
    while (next_cell(&scan, &text, &length)) {
        if (!parse_decimal(text, length, ',', &number) && !is_missing_text(text, length))
            return false;
        has_comma = has_comma || is_number_with_comma(text, length);
    }
    return has_comma;
}

static char find_delimiter(const char *bytes, size_t n, bool is_whole)
{
    static const char candidates[] = {',', ';', '\t'};
    enum { N_CANDIDATES = sizeof candidates };
    size_t count[N_CANDIDATES] = {0}, best = 0;
    const struct scan row = first_row(bytes, n, true, '\0');
    bool is_quoted = false;
    for (const char *at = row.at; at < row.end && (is_quoted || !is_line_end(*at)); at++) {
        if (*at == '"')
            is_quoted = !is_quoted;
        for (size_t k = 0; k < N_CANDIDATES; k++)
            count[k] += *at == candidates[k] && !is_quoted;
    }
    for (size_t k = 1; k < N_CANDIDATES; k++)
        if (count[k] > count[best] ||
            (count[k] > 0 && best == 0 && has_decimal_commas(first_row(bytes, n, is_whole, candidates[k]))))
            best = k;
    return candidates[best];
}

static enum evidence find_commas(struct scan scan)
{
    enum evidence found = NOTHING;
    const char *text;
    size_t length;
    while (scan.at < scan.end) {
        if (!next_cell(&scan, &text, &length)) {
            scan.at++; /* the end of a line */
            continue;
        }
        const enum evidence cell = judge(text, length);
        if (cell == AGAINST)
            return AGAINST;
        if (cell > found)
            found = cell;
    }
    return found;
}

struct dialect dialect_find(const char *bytes, size_t n, bool is_whole, const struct text_format *format)
{
    struct dialect dialect = {.delimiter = find_delimiter(bytes, n, is_whole), .decimal = '.'};
    struct scan scan = first_row(bytes, n, is_whole, dialect.delimiter);
    const char *name;
    size_t length;
    if (format->decimal != 0) {
        dialect.decimal = format->decimal;
        return dialect;
    }
    if (dialect.delimiter == ',')
        return dialect;
    while (!format->no_header && next_cell(&scan, &name, &length))
        continue;
    const enum evidence found = find_commas(scan);
    dialect.decimal = found == POSSIBLE || found == CERTAIN ? ',' : '.';
    dialect.is_comma_guess = found == POSSIBLE;
    return dialect;
}
