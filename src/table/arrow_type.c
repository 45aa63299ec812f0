#include "arrow_type.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *format;
    enum arrow_kind kind;
    size_t width;
} plain[] = {
    {"n", ARROW_NULL, 0},   {"b", ARROW_BOOLEAN, 0},  {"c", ARROW_SIGNED, 1}, {"C", ARROW_UNSIGNED, 1},
    {"s", ARROW_SIGNED, 2}, {"S", ARROW_UNSIGNED, 2}, {"i", ARROW_SIGNED, 4}, {"I", ARROW_UNSIGNED, 4},
    {"l", ARROW_SIGNED, 8}, {"L", ARROW_UNSIGNED, 8}, {"e", ARROW_FLOAT, 2},  {"f", ARROW_FLOAT, 4},
    {"g", ARROW_FLOAT, 8},  {"u", ARROW_TEXT, 4},     {"U", ARROW_TEXT, 8},   {"vu", ARROW_TEXT_VIEW, 16},
};

#define TEMPORAL "turn it into a number, such as the days since some date"
#define NESTED "make a column of each part that matters"
#define BINARY "turn it into text or numbers"

/* Beginnings of the formats of the types that are refused. */
static const struct {
    const char *begin, *name, *way_out;
} refused[] = {
    {"td", "date", TEMPORAL},
    {"tt", "time of day", TEMPORAL},
    {"ts", "timestamp", TEMPORAL},
    {"tD", "duration", TEMPORAL},
    {"ti", "interval of time", TEMPORAL},
    {"z", "binary", BINARY},
    {"Z", "large binary", BINARY},
    {"vz", "binary view", BINARY},
    {"w:", "fixed-size binary", BINARY},
    {"+l", "list", NESTED},
    {"+L", "large list", NESTED},
    {"+vl", "list view", NESTED},
    {"+vL", "large list view", NESTED},
    {"+w:", "fixed-size list", NESTED},
    {"+s", "struct", NESTED},
    {"+m", "map", NESTED},
    {"+u", "union", NESTED},
    {"+r", "run-end encoded", "decode it"},
};

/* Reads "d:PRECISION,SCALE" or "d:PRECISION,SCALE,BITS". */
static bool parse_decimal_type(const char *format, struct arrow_type *type)
{
    int precision = 0, scale = 0, bits = 128, used = 0;
    const int n = sscanf(format, "d:%9d,%9d%n,%9d%n", &precision, &scale, &used, &bits, &used);
    const bool is_valid = n >= 2 && format[used] == '\0' && scale >= -1000 && scale <= 1000 &&
                          (bits == 32 || bits == 64 || bits == 128 || bits == 256);
    if (is_valid)
        *type = (struct arrow_type){.kind = ARROW_DECIMAL, .scale = scale, .width = (size_t)bits / 8};
    return is_valid;
}

struct arrow_type arrow_type_parse(const char *format)
{
    struct arrow_type type = {.kind = ARROW_REFUSED, .way_out = "turn it into numbers or text"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(format, plain[i].format) == 0)
            return (struct arrow_type){.kind = plain[i].kind, .width = plain[i].width};
    if (parse_decimal_type(format, &type))
        return type;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strncmp(format, refused[i].begin, strlen(refused[i].begin)) == 0)
            return (struct arrow_type){
                .kind = ARROW_REFUSED, .name = refused[i].name, .way_out = refused[i].way_out};
    return type;
}

size_t arrow_type_buffers(struct arrow_type type)
{
    return type.kind == ARROW_NULL ? 0 : type.kind == ARROW_TEXT || type.kind == ARROW_TEXT_VIEW ? 3 : 2;
}
