#include "foreign.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Tells whether a file whose first bytes are these is of the kind. */
typedef bool foreign_detector(const char *bytes, size_t n);

static bool begins_with(const char *bytes, size_t n, const char *text)
{
    return n >= strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

/* ---- zip archives: the first file in them tells what they are ---- */

/* Gives the name of the archive's first file. */
static size_t first_entry(const char *bytes, size_t n, const char **name)
{
    enum { LENGTH_AT = 26, NAME_AT = 30 };
    if (n < NAME_AT || !begins_with(bytes, n, "PK\3\4"))
        return 0;
    const size_t length = (unsigned char)bytes[LENGTH_AT] + 256 * (size_t)(unsigned char)bytes[LENGTH_AT + 1];
    *name = bytes + NAME_AT;
    return length <= n - NAME_AT ? length : n - NAME_AT;
}

static bool is_npz(const char *bytes, size_t n)
{
    const char *name;
    const size_t length = first_entry(bytes, n, &name);
    return length > 4 && memcmp(name + length - 4, ".npy", 4) == 0;
}

static bool is_sheet(const char *bytes, size_t n)
{
    static const char *const names[] = {"[Content_Types].xml", "_rels/", "docProps/", "xl/", "mimetype"};
    const char *name;
    const size_t length = first_entry(bytes, n, &name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (length > 0 && begins_with(name, length, names[i]))
            return true;
    return false;
}

/* ---- JSON ---- */

/* Steps over blanks and line ends. */
static void skip_space(const char **bytes, size_t *n)
{
    for (; *n > 0 && strchr(" \t\r\n", **bytes) != NULL && **bytes != '\0'; --*n)
        ++*bytes;
}

/* An object with a first key, or a list of objects or lists. No line of names looks like that. */
static bool is_json(const char *bytes, size_t n)
{
    if (begins_with(bytes, n, "\xef\xbb\xbf")) {
        bytes += 3;
        n -= 3;
    }
    skip_space(&bytes, &n);
    const char first = (char)(n > 0 ? *bytes : 0);
    if (first != '{' && first != '[')
        return false;
    bytes++;
    n--;
    skip_space(&bytes, &n);
    return n > 0 && (first == '{' ? *bytes == '"' : *bytes == '{' || *bytes == '[');
}

/* An object, and another one behind it on a line of its own. */
static bool is_json_lines(const char *bytes, size_t n)
{
    if (!is_json(bytes, n) || *bytes == '[')
        return false;
    for (size_t i = 0; i + 1 < n; i++)
        if (bytes[i] == '}' && (bytes[i + 1] == '\n' || bytes[i + 1] == '\r')) {
            const char *rest = bytes + i + 1;
            size_t left = n - i - 1;
            skip_space(&rest, &left);
            return left > 0 && *rest == '{';
        }
    return false;
}

/* ---- others ---- */

/* Tells whether there is a byte that no text has. */
static bool is_binary(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)bytes[i] < '\t')
            return true;
    return false;
}

/* Protocol 2 and later, which Python has written for twenty years. */
static bool is_pickle(const char *bytes, size_t n)
{
    return n > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

static bool is_bzip2(const char *bytes, size_t n)
{
    return begins_with(bytes, n, "BZh") && begins_with(bytes + 4, n > 4 ? n - 4 : 0, "1AY&SY");
}

static bool is_r_object(const char *bytes, size_t n)
{
    return begins_with(bytes, n, "X\n") && n > 2 && bytes[2] == 0;
}

static bool is_web_page(const char *bytes, size_t n)
{
    return n > 9 && (strncasecmp(bytes, "<!doctype", 9) == 0 || strncasecmp(bytes, "<html", 5) == 0);
}

/* Format 117 and later begin with a tag, those before it with their number, 105 to 115. */
static bool is_stata(const char *bytes, size_t n)
{
    return begins_with(bytes, n, "<stata_dta>") ||
           (n > 3 && bytes[0] >= 105 && bytes[0] <= 115 && (bytes[1] == 1 || bytes[1] == 2) &&
            bytes[2] == 1 && bytes[3] == 0);
}

static bool is_sas(const char *bytes, size_t n)
{
    static const char magic[] = "\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf";
    return n >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

/*
 * The first that fits is taken. What pandas reads needs its function and, perhaps, further arguments and a
 * package; all else has advice of its own.
 */
static const struct foreign_kind {
    const char *magic;            /* the first bytes of a file that is not text; NULL: see is_it */
    foreign_detector *is_it;      /* NULL: see magic */
    const char *what;             /* with its article */
    const char *reader;           /* pandas.READER reads it; NULL: see advice */
    const char *arguments;        /* of the reader, behind the file's name; NULL: none */
    const char *package, *advice; /* what pandas needs for it, or NULL; what else to do */
} kinds[] = {
    {.magic = "PAR1", .what = "a Parquet file", .reader = "read_parquet", .package = "pyarrow"},
    {.magic = "FEA1", .what = "a Feather file", .reader = "read_feather", .package = "pyarrow"},
    {.magic = "ARROW1", .what = "a Feather file", .reader = "read_feather", .package = "pyarrow"},
    {.is_it = is_json_lines, .what = "JSON lines", .reader = "read_json", .arguments = ", lines=True"},
    {.is_it = is_json, .what = "JSON", .reader = "read_json"},
    {.is_it = is_pickle, .what = "a Python pickle (open only those that you trust)", .reader = "read_pickle"},
    {.is_it = is_sheet,
     .what = "an Excel or OpenDocument sheet",
     .reader = "read_excel",
     .package = "openpyxl or odfpy"},
    {.magic = "\xd0\xcf\x11\xe0", .what = "an Excel sheet", .reader = "read_excel", .package = "xlrd"},
    {.magic = "$FL2", .what = "an SPSS file", .reader = "read_spss", .package = "pyreadstat"},
    {.magic = "$FL3", .what = "an SPSS file", .reader = "read_spss", .package = "pyreadstat"},
    {.is_it = is_stata, .what = "a Stata file", .reader = "read_stata"},
    {.is_it = is_sas, .what = "a SAS file", .reader = "read_sas"},
    {.magic = "\x89HDF\r\n", .what = "an HDF5 file", .reader = "read_hdf", .package = "tables"},
    {.is_it = is_npz,
     .what = "a zip archive of NumPy arrays (.npz)",
     .advice = "save one of them with numpy.save as .npy"},
    {.magic = "PK\3\4", .what = "a zip archive", .advice = "unpack it (unzip) and give the file in it"},
    {.magic = "RDX",
     .what = "an R workspace",
     .advice = "write its data frame in R: write.csv(x, 'table.csv', row.names = FALSE)"},
    {.is_it = is_r_object,
     .what = "an R object (.rds)",
     .advice = "write it in R: write.csv(readRDS('FILE'), 'table.csv', row.names = FALSE)"},
    {.magic = "SQLite format 3",
     .what = "an SQLite database",
     .advice = "write a table of it: sqlite3 -header -csv FILE 'select * from TABLE' > table.csv"},
    {.is_it = is_bzip2, .what = "compressed by bzip2", .advice = "unpack it: bzip2 -dc FILE | dedpul ... -"},
    {.magic = "\xfd"
              "7zXZ",
     .what = "compressed by xz",
     .advice = "unpack it: xz -dc FILE | dedpul ... -"},
    {.magic = "\x28\xb5\x2f\xfd",
     .what = "compressed by zstd",
     .advice = "unpack it: zstd -dc FILE | dedpul ... -"},
    {.magic = "\xff\xfe",
     .what = "text in UTF-16",
     .advice = "convert it: iconv -f UTF-16 -t UTF-8 FILE > table.csv"},
    {.magic = "\xfe\xff",
     .what = "text in UTF-16",
     .advice = "convert it: iconv -f UTF-16 -t UTF-8 FILE > table.csv"},
    {.is_it = is_web_page,
     .what = "a web page",
     .advice = "download the data itself: this may be a page about them, or one that asks to log in"},
    {.magic = "%PDF", .what = "a PDF document", .advice = "get the table as CSV"},
};

static dedpul_status refuse(const struct stream *stream, const struct foreign_kind *kind, dedpul_error *error)
{
    static const char place[] = "FILE"; /* of the name in an advice */
    const char *const name = strcmp(stream->name, "standard input") == 0 ? place : stream->name;
    if (kind->reader == NULL) {
        const char *const at = strstr(kind->advice, place);
        const size_t before = at != NULL ? (size_t)(at - kind->advice) : strlen(kind->advice);
        return error_set(error, DEDPUL_INVALID_DATA, "%s is %s; %.*s%s%s", stream->name, kind->what,
                         (int)before, kind->advice, at != NULL ? name : "",
                         at != NULL ? at + strlen(place) : "");
    }
    return error_set(error, DEDPUL_INVALID_DATA,
                     "%s is %s; turn it into CSV: python3 -c \"import pandas; "
                     "pandas.%s('%s'%s).to_csv('table.csv', index=False)\"%s%s%s",
                     stream->name, kind->what, kind->reader, name,
                     kind->arguments != NULL ? kind->arguments : "", kind->package != NULL ? " (needs " : "",
                     kind->package != NULL ? kind->package : "", kind->package != NULL ? ")" : "");
}

dedpul_status refuse_foreign(struct stream *stream, dedpul_error *error)
{
    const char *bytes;
    size_t n;
    TRY(stream_peek(stream, &bytes, &n, error));
    const bool may_have_magic = is_binary(bytes, n); /* a column of a table may be called PAR1 */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].is_it != NULL ? kinds[i].is_it(bytes, n)
                                   : may_have_magic && begins_with(bytes, n, kinds[i].magic))
            return refuse(stream, &kinds[i], error);
    return DEDPUL_OK;
}
