#include "npy_header.h"

#include <string.h>

enum { MOST_DIMENSIONS = 32 };

struct word {
    const char *text;
    size_t length;
};

struct parser {
    const char *at, *end;
    struct word type;
    bool has_type, has_order, has_shape;
    bool is_fortran;
    size_t n_dimensions;
    size_t dimension[MOST_DIMENSIONS];
};

static bool is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* Steps over blanks, and over the character if it is the next one. */
static bool take(struct parser *parser, char wanted)
{
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\n'))
        parser->at++;
    if (parser->at == parser->end || *parser->at != wanted)
        return false;
    parser->at++;
    return true;
}

static bool take_string(struct parser *parser, struct word *string)
{
    if (!take(parser, '\'') && !take(parser, '"'))
        return false;
    const char quote = parser->at[-1];
    const char *const begin = parser->at;
    const char *const end = memchr(begin, quote, (size_t)(parser->end - begin));
    if (end == NULL)
        return false;
    *string = (struct word){begin, (size_t)(end - begin)};
    parser->at = end + 1;
    return true;
}

static bool take_literal(struct parser *parser, const char *literal)
{
    const size_t length = strlen(literal);
    if (!take(parser, literal[0]))
        return false;
    if ((size_t)(parser->end - parser->at) < length - 1 || memcmp(parser->at, literal + 1, length - 1) != 0)
        return false;
    parser->at += length - 1;
    return true;
}

static bool take_whole(struct parser *parser, size_t *value)
{
    size_t digits = 0;
    *value = 0;
    for (; parser->at < parser->end && *parser->at >= '0' && *parser->at <= '9'; parser->at++) {
        const size_t digit = (size_t)(*parser->at - '0');
        if (*value > (SIZE_MAX - digit) / 10)
            return false;
        *value = 10 * *value + digit;
        digits++;
    }
    (void)take(parser, 'L'); /* Python 2 wrote it behind long numbers */
    return digits > 0;
}

static bool take_shape(struct parser *parser)
{
    parser->n_dimensions = 0;
    if (!take(parser, '('))
        return false;
    while (!take(parser, ')')) {
        if (parser->n_dimensions == MOST_DIMENSIONS ||
            !take_whole(parser, &parser->dimension[parser->n_dimensions++]))
            return false;
        if (!take(parser, ',')) /* the last one needs no comma */
            return take(parser, ')');
    }
    return true;
}

/*
 * Parses the dict as far as needed. An array of records has a list as its type: parsing ends there, and the
 * type is that list.
 */
static bool parse_dict(struct parser *parser)
{
    if (!take(parser, '{'))
        return false;
    while (!take(parser, '}')) {
        struct word key;
        if (!take_string(parser, &key) || !take(parser, ':'))
            return false;
        if (is(key, "descr")) {
            if (take(parser, '[')) {
                parser->type = (struct word){parser->at - 1, (size_t)(parser->end - parser->at) + 1};
                return parser->has_type = true;
            }
            parser->has_type = take_string(parser, &parser->type);
            if (!parser->has_type)
                return false;
        } else if (is(key, "fortran_order")) {
            parser->is_fortran = take_literal(parser, "True");
            parser->has_order = parser->is_fortran || take_literal(parser, "False");
            if (!parser->has_order)
                return false;
        } else if (is(key, "shape")) {
            parser->has_shape = take_shape(parser);
            if (!parser->has_shape)
                return false;
        } else {
            return false;
        }
        if (!take(parser, ','))
            return take(parser, '}');
    }
    return true;
}

/* Reads the type of values. False: it is not one that can be read, such as "<f4" or "|u1". */
static bool read_type(struct word type, struct array_layout *layout)
{
    if (type.length != 3 || type.text[0] == '\0' || strchr("<>|", type.text[0]) == NULL ||
        type.text[2] == '\0' || strchr("1248", type.text[2]) == NULL)
        return false;
    layout->is_big_endian = type.text[0] == '>';
    layout->value_size = (size_t)(type.text[2] - '0');
    if (type.text[0] == '|' && layout->value_size > 1)
        return false;
    switch (type.text[1]) {
    case 'f':
        layout->kind = VALUE_FLOAT;
        return layout->value_size >= 4;
    case 'i':
        layout->kind = VALUE_SIGNED;
        return true;
    case 'u':
        layout->kind = VALUE_UNSIGNED;
        return true;
    case 'b': /* truth values are read as 0 and 1 */
        layout->kind = VALUE_UNSIGNED;
        return layout->value_size == 1;
    default:
        return false;
    }
}

dedpul_status npy_header_parse(const char *text, size_t length, const char *file, dedpul_error *error,
                               struct array_layout *layout)
{
    struct parser parser = {.at = text, .end = text + length};
    char quoted[QUOTE_SIZE];
    if (!parse_dict(&parser) || !parser.has_type)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s: the NumPy header %s cannot be read; save the array again with numpy.save", file,
                         quote_text(quoted, text, length));
    if (!read_type(parser.type, layout))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s holds values of type %s; save it with x.astype('float32') or "
                         "x.astype('float64')",
                         file, quote_text(quoted, parser.type.text, parser.type.length));
    if (!parser.has_order || !parser.has_shape)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s: the NumPy header lacks 'fortran_order' or 'shape'; save the array again with "
                         "numpy.save",
                         file);
    if (!array_layout_set_dimensions(layout, parser.n_dimensions, parser.dimension))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s holds an array of %zu dimensions; a table has 2, as from x.reshape(len(x), -1), "
                         "and images have 3 or 4: rows, height, width and perhaps channels",
                         file, parser.n_dimensions);
    if (parser.is_fortran && parser.n_dimensions > 1)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s is stored by columns (Fortran order); save it with numpy.ascontiguousarray(x)",
                         file);
    return DEDPUL_OK;
}
