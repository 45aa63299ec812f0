#include "labels.h"

#include "number.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static size_t find(const struct labels *labels, const char *text, size_t length)
{
    size_t code = 0;
    while (code < labels->n &&
           !(labels->value[code].length == length && memcmp(labels->value[code].text, text, length) == 0))
        code++;
    return code;
}

static void append(struct labels *labels, const char *text, size_t length, size_t first)
{
    struct label *label = &labels->value[labels->n++];
    memcpy(label->text, text, length);
    label->text[length] = '\0';
    label->length = length;
    label->first = first;
}

/* Adds the whole text, since a label may have a comma, and then the parts that commas separate. */
static void append_positive(struct labels *labels)
{
    const char *at = labels->positive;
    append(labels, at, strlen(at), 0);
    while (strchr(labels->positive, ',') != NULL && labels->n < MOST_LABELS) {
        const char *part = at;
        size_t length = strcspn(at, ",");
        at += length;
        trim_blanks(&part, &length);
        if (find(labels, part, length) == labels->n)
            append(labels, part, length, 0);
        if (*at++ == '\0')
            break;
    }
}

static const char *quote_column(char buffer[QUOTE_SIZE], const struct labels *labels)
{
    return quote_text(buffer, labels->column, strlen(labels->column));
}

dedpul_status labels_init(struct labels *labels, struct place place, const char *column, const char *positive,
                          dedpul_error *error)
{
    labels->place = place;
    labels->column = column;
    labels->positive = positive;
    labels->n = 0;
    labels->has_others = false;
    if (positive != NULL && strlen(positive) > LONGEST_LABEL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "the positive label is longer than %d bytes",
                         LONGEST_LABEL);
    if (positive != NULL)
        append_positive(labels);
    if (labels->n == MOST_LABELS)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "there are more than %d positive labels",
                         MOST_LABELS - 2);
    labels->n_positive = labels->n;
    return DEDPUL_OK;
}

dedpul_status labels_code(struct labels *labels, const char *text, size_t length, size_t number,
                          dedpul_error *error, unsigned char *code)
{
    trim_blanks(&text, &length);
    if (length > LONGEST_LABEL) {
        char column[QUOTE_SIZE], quoted[QUOTE_SIZE];
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s: %s %zu, column %s: %s is longer than %d bytes, so it is not a label",
                         labels->place.file, labels->place.unit, number, quote_column(column, labels),
                         quote_text(quoted, text, length), LONGEST_LABEL);
    }
    const size_t index = find(labels, text, length);
    if (index == MOST_LABELS)
        labels->has_others = true;
    else if (index == labels->n)
        append(labels, text, length, number);
    else if (labels->value[index].first == 0)
        labels->value[index].first = number;
    *code = (unsigned char)index;
    return DEDPUL_OK;
}

/* ---- the vocabularies ---- */

enum word { WORD_1, WORD_0, WORD_MINUS_1, WORD_TRUE, WORD_FALSE, WORD_P, WORD_U, NO_WORD };

static enum word word_of(const struct labels *labels, size_t code)
{
    const char *const text = labels->value[code].text;
    double number;
    if (parse_decimal(text, labels->value[code].length, labels->place.decimal, &number))
        return number == 1 ? WORD_1 : number == 0 ? WORD_0 : number == -1 ? WORD_MINUS_1 : NO_WORD;
    if (strcasecmp(text, "true") == 0)
        return WORD_TRUE;
    if (strcasecmp(text, "false") == 0)
        return WORD_FALSE;
    if (strcasecmp(text, "p") == 0)
        return WORD_P;
    if (strcasecmp(text, "u") == 0)
        return WORD_U;
    return NO_WORD;
}

/* Whether all values belong to one pair of words. */
static bool fits_a_vocabulary(const struct labels *labels)
{
    static const enum word pairs[][2] = {
        {WORD_1, WORD_0}, {WORD_1, WORD_MINUS_1}, {WORD_TRUE, WORD_FALSE}, {WORD_P, WORD_U}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t fitting = 0;
        for (size_t code = 0; code < labels->n; code++) {
            const enum word word = word_of(labels, code);
            fitting += word == pairs[i][0] || word == pairs[i][1];
        }
        if (fitting == labels->n && !labels->has_others)
            return true;
    }
    return false;
}

/* Lists the values seen: "'yes' (line 2), 'no' (line 3)". Those outside all vocabularies come first. */
static void list_values(const struct labels *labels, char *buffer, size_t size)
{
    const size_t shown = 6;
    size_t used = 0, listed = 0;
    buffer[0] = '\0';
    for (int words = 0; words < 2; words++)
        for (size_t code = 0; code < labels->n && used < size; code++) {
            const struct label *label = &labels->value[code];
            char quoted[QUOTE_SIZE];
            if (label->first == 0 || (word_of(labels, code) != NO_WORD) != words)
                continue;
            if (listed == shown) {
                (void)snprintf(buffer + used, size - used, ", ...");
                return;
            }
            used += (size_t)snprintf(buffer + used, size - used, "%s%s (%s %zu)", listed++ > 0 ? ", " : "",
                                     quote_text(quoted, label->text, label->length), labels->place.unit,
                                     label->first);
        }
}

dedpul_status labels_decide(const struct labels *labels, bool is_whole, dedpul_error *error,
                            bool is_positive[MOST_LABELS + 1])
{
    char values[512], quoted[QUOTE_SIZE], column[QUOTE_SIZE];
    bool decided[MOST_LABELS + 1] = {false};
    list_values(labels, values, sizeof values);
    for (size_t code = 0; code < labels->n_positive; code++) {
        const struct label *label = &labels->value[code];
        const bool may_be_absent = code == 0 ? labels->n_positive > 1 : labels->value[0].first != 0;
        if (is_whole && label->first == 0 && !may_be_absent)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "%s: no row has %s in column %s; found %s. Name one of these (--positive VALUE)",
                             labels->place.file, quote_text(quoted, label->text, label->length),
                             quote_column(column, labels), values);
        decided[code] = code == 0 || labels->value[0].first == 0; /* the whole text goes before its parts */
    }
    if (labels->positive == NULL && !fits_a_vocabulary(labels))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s: column %s holds %s; labels are 1/0, 1/-1, true/false or p/u. Name the "
                         "value that means labeled positive (--positive VALUE); every other value "
                         "then means unlabeled",
                         labels->place.file, quote_column(column, labels), values);
    for (size_t code = 0; labels->positive == NULL && code < labels->n; code++) {
        const enum word word = word_of(labels, code);
        decided[code] = word == WORD_1 || word == WORD_TRUE || word == WORD_P;
    }
    memcpy(is_positive, decided, sizeof decided);
    return DEDPUL_OK;
}

/* In a column of true classes n means negative, and u would mean that nobody has looked. */
static enum word word_of_class(const struct labels *labels, size_t code)
{
    const enum word word = strcasecmp(labels->value[code].text, "n") == 0 ? WORD_0 : word_of(labels, code);
    return word != WORD_U ? word : NO_WORD;
}

static dedpul_status decide_classes(const struct labels *labels, bool is_whole, dedpul_error *error,
                                    bool is_positive[MOST_LABELS + 1])
{
    char values[512], column[QUOTE_SIZE];
    bool decided[MOST_LABELS + 1] = {false}, is_known = !labels->has_others;
    if (labels->positive != NULL)
        return labels_decide(labels, is_whole, error, is_positive);
    for (size_t code = 0; code < labels->n; code++) {
        const enum word word = word_of_class(labels, code);
        decided[code] = word == WORD_1 || word == WORD_TRUE || word == WORD_P;
        is_known = is_known && word != NO_WORD;
    }
    if (is_known) {
        memcpy(is_positive, decided, sizeof decided);
        return DEDPUL_OK;
    }
    list_values(labels, values, sizeof values);
    return error_set(
        error, DEDPUL_INVALID_DATA,
        "%s: column %s holds %s; true classes are 1/0, 1/-1, true/false or p/n, and empty if nobody "
        "knows. Write 1 for positive and 0 for negative, or use the words of the labels (--positive VALUE)",
        labels->place.file, quote_column(column, labels), values);
}

enum { CODE_OF_UNKNOWN = UCHAR_MAX };

dedpul_status labels_code_truth(struct labels *labels, const char *text, size_t length, size_t number,
                                dedpul_error *error, unsigned char *code)
{
    trim_blanks(&text, &length);
    *code = CODE_OF_UNKNOWN;
    return is_missing_text(text, length) ? DEDPUL_OK : labels_code(labels, text, length, number, error, code);
}

dedpul_status labels_decide_truth(const struct labels *labels, bool is_whole, size_t n, unsigned char *truth,
                                  dedpul_error *error)
{
    bool is_positive[MOST_LABELS + 1];
    TRY(decide_classes(labels, is_whole, error, is_positive));
    for (size_t i = 0; i < n; i++)
        truth[i] = truth[i] == CODE_OF_UNKNOWN ? TRUTH_NOT_KNOWN : is_positive[truth[i]];
    return DEDPUL_OK;
}
