/* Streams of Arrow's arrays, made by hand. */
#include "reading.h"

#include <errno.h>
#include <stdio.h>

enum { MOST_COLUMNS = 4, MOST_BATCHES = 3 };

/* A producer. Children of arrays and schemas are released with their parents, so nobody else may do it. */
struct producer {
    size_t n_columns, n_batches, next;
    struct ArrowSchema schema[MOST_COLUMNS], *schemas[MOST_COLUMNS], dictionary[MOST_COLUMNS];
    struct ArrowArray batch[MOST_BATCHES], array[MOST_BATCHES][MOST_COLUMNS],
        *arrays[MOST_BATCHES][MOST_COLUMNS];
    const char *format; /* of the whole */
    int schema_code, next_code;
    const char *last_error;
    size_t n_live; /* handed out and not released */
    struct ArrowArrayStream stream;
};

static void release_schema(struct ArrowSchema *schema)
{
    ((struct producer *)schema->private_data)->n_live--;
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    ((struct producer *)array->private_data)->n_live--;
    array->release = NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    ((struct producer *)stream->private_data)->n_live--;
    stream->release = NULL;
}

static void must_not_release(struct ArrowArray *array)
{
    (void)array;
    fail_msg("a child was released");
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct producer *producer = stream->private_data;
    if (producer->schema_code != 0)
        return producer->schema_code;
    *out = (struct ArrowSchema){.format = producer->format,
                                .name = "",
                                .n_children = (int64_t)producer->n_columns,
                                .children = producer->schemas,
                                .release = release_schema,
                                .private_data = producer};
    producer->n_live++;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct producer *producer = stream->private_data;
    assert_int_equal(producer->n_live, 1); /* the stream; the array before was released */
    if (producer->next == producer->n_batches && producer->next_code != 0)
        return producer->next_code;
    *out = (struct ArrowArray){.release = NULL};
    if (producer->next == producer->n_batches)
        return 0;
    *out = producer->batch[producer->next++];
    producer->n_live++;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return ((struct producer *)stream->private_data)->last_error;
}

/* A producer without columns and batches. */
static void produce(struct producer *producer)
{
    *producer = (struct producer){.format = "+s", .n_live = 1};
    producer->stream =
        (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, producer};
}

static void add_column(struct producer *producer, const char *name, const char *format,
                       const char *dictionary)
{
    const size_t c = producer->n_columns++;
    producer->dictionary[c] = (struct ArrowSchema){.format = dictionary};
    producer->schema[c] = (struct ArrowSchema){
        .format = format, .name = name, .dictionary = dictionary != NULL ? &producer->dictionary[c] : NULL};
    producer->schemas[c] = &producer->schema[c];
}

static const void *no_buffers[1];

/* Adds a batch of these columns, which follow. */
static void add_batch(struct producer *producer, int64_t length, const struct ArrowArray *column)
{
    const size_t b = producer->n_batches++;
    for (size_t c = 0; c < producer->n_columns; c++) {
        producer->array[b][c] = column[c];
        producer->array[b][c].release = must_not_release;
        producer->arrays[b][c] = &producer->array[b][c];
    }
    producer->batch[b] = (struct ArrowArray){.length = length,
                                             .n_buffers = 1,
                                             .buffers = no_buffers,
                                             .n_children = (int64_t)producer->n_columns,
                                             .children = producer->arrays[b],
                                             .release = release_array,
                                             .private_data = producer};
}

/* Reads the stream, which must be released whatever the outcome. */
static dedpul_status read_producer(struct producer *producer, struct reading *reading, char *out, size_t size)
{
    struct stream stream;
    stream_open_arrow(&stream, "stream", &producer->stream);
    const dedpul_status status = read_stream_as_text(reading, &stream, out, size);
    stream_close(&stream);
    assert_int_equal(producer->n_live, 0);
    assert_null(producer->stream.release);
    return status;
}

static const struct table_request all = {.most_levels = 8};

#define assert_arrays(producer, request, expected) \
    assert_arrays_at((producer), (request), (expected), __FILE__, __LINE__)
static void assert_arrays_at(struct producer *producer, const struct table_request *request,
                             const char *expected, const char *file, int line)
{
    char out[4000];
    struct reading reading = {.request = request};
    assert_ok_at(read_producer(producer, &reading, out, sizeof out), &test_error, file, line);
    _assert_string_equal(out, expected, file, line);
}

#define assert_refused(producer, request, message) \
    assert_refused_at((producer), (request), (message), __FILE__, __LINE__)
static void assert_refused_at(struct producer *producer, const struct table_request *request,
                              const char *message, const char *file, int line)
{
    char out[4000];
    struct reading reading = {.request = request};
    _assert_int_equal((uintmax_t)read_producer(producer, &reading, out, sizeof out), DEDPUL_INVALID_DATA,
                      file, line);
    assert_contains_at(test_error.message, "stream", file, line);
    assert_contains_at(test_error.message, message, file, line);
}

/* One column "x" of one array. */
static void produce_one(struct producer *producer, const char *format, const char *dictionary,
                        struct ArrowArray array)
{
    produce(producer);
    add_column(producer, "x", format, dictionary);
    add_batch(producer, array.length, &array);
}

/* ---- types ---- */

/* Values 1 to 3 of 5, of which the second is null. */
static void check_numbers(const char *format, const void *values, const char *expected)
{
    static const unsigned char validity[] = {0x1b}; /* 1, 1, 0, 1, 1 */
    const void *buffers[] = {validity, values};
    struct producer producer;
    struct ArrowArray array = {.length = 3, .offset = 1, .null_count = 1, .n_buffers = 2, .buffers = buffers};
    produce_one(&producer, format, NULL, array);
    assert_arrays(&producer, &all, expected);
    array.null_count = -1; /* not counted yet */
    produce_one(&producer, format, NULL, array);
    assert_arrays(&producer, &all, expected);
}

static void test_numbers(void **state)
{
    (void)state;
    check_numbers("c", (const int8_t[]){9, -128, 9, 127, 9}, "x=-128,?,127");
    check_numbers("C", (const uint8_t[]){9, 255, 9, 1, 9}, "x=255,?,1");
    check_numbers("s", (const int16_t[]){9, -32768, 9, 2, 9}, "x=-32768,?,2");
    check_numbers("S", (const uint16_t[]){9, 65535, 9, 2, 9}, "x=65535,?,2");
    check_numbers("i", (const int32_t[]){9, INT32_MIN, 9, 2, 9}, "x=-2147483648,?,2");
    check_numbers("I", (const uint32_t[]){9, UINT32_MAX, 9, 2, 9}, "x=4294967295,?,2");
    check_numbers("l", (const int64_t[]){9, -((int64_t)1 << 53), 9, 2, 9}, "x=-9007199254740992,?,2");
    check_numbers("L", (const uint64_t[]){9, (uint64_t)1 << 63, 9, 2, 9}, "x=9.223372036854776e+18,?,2");
    check_numbers("f", (const float[]){9, -0.5F, 9, 2, 9}, "x=-0.5,?,2");
    check_numbers("g", (const double[]){9, 0.1, 9, NAN, 9}, "x=0.1,?,?");
    check_numbers("b", (const uint8_t[]){0x02}, "x=1,?,0");
}

static void test_halves(void **state)
{
    static const struct {
        uint16_t bits;
        const char *expected;
    } halves[] = {{0x3c00, "x=1"},
                  {0xc000, "x=-2"},
                  {0x7bff, "x=65504"},
                  {0x0001, "x=5.9604644775390625e-08"},
                  {0x0400, "x=6.103515625e-05"},
                  {0x0000, "x=0"},
                  {0x7e00, "x=?"}};
    (void)state;
    for (size_t i = 0; i < LENGTH(halves); i++) {
        const void *buffers[] = {NULL, &halves[i].bits};
        struct producer producer;
        produce_one(&producer, "e", NULL,
                    (struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = buffers});
        assert_arrays(&producer, &all, halves[i].expected);
    }
}

/* The limbs of a decimal, the lowest first. */
static void check_decimal(const char *format, const uint32_t *limbs, const char *expected)
{
    const void *buffers[] = {NULL, limbs};
    struct producer producer;
    produce_one(&producer, format, NULL,
                (struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = buffers});
    assert_arrays(&producer, &all, expected);
}

static void test_decimals(void **state)
{
    const uint32_t minus = UINT32_MAX;
    (void)state;
    check_decimal("d:9,2,32", (const uint32_t[]){12345}, "x=123.45");
    check_decimal("d:9,2,32", (const uint32_t[]){(uint32_t)-12345}, "x=-123.45");
    check_decimal("d:18,3,64", (const uint32_t[]){(uint32_t)-1, minus}, "x=-0.001");
    check_decimal("d:38,1", (const uint32_t[]){1, 0, 0, 0}, "x=0.1");
    check_decimal("d:38,0", (const uint32_t[]){0, 0, 0, 0}, "x=0");
    check_decimal("d:38,-3,128", (const uint32_t[]){7, 0, 0, 0}, "x=7000");
    check_decimal("d:38,30", (const uint32_t[]){0, 0, 1, 0}, "x=1.8446744073709553e-11");
    check_decimal("d:38,0", (const uint32_t[]){0, 0, 0, 0x80000000}, "x=-1.7014118346046923e+38");
    check_decimal("d:76,0,256", (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 1}, "x=2.695994666715064e+67");
    check_decimal("d:76,2,256",
                  (const uint32_t[]){(uint32_t)-250, minus, minus, minus, minus, minus, minus, minus},
                  "x=-2.5");
    /* 2^53 + 1, which lies between two numbers, is rounded as text is: to even */
    check_decimal("d:38,0", (const uint32_t[]){1, 1 << 21, 0, 0}, "x=9007199254740992");
}

static void test_texts(void **state)
{
    static const int32_t offsets[] = {0, 1, 4, 4, 4, 6};
    static const int64_t wide[] = {0, 1, 4, 4, 4, 6};
    static const unsigned char validity[] = {0x17}; /* 1, 1, 1, 0, 1 */
    const void *buffers[] = {validity, offsets, "zred b"};
    const struct ArrowArray array = {
        .length = 4, .offset = 1, .null_count = 1, .n_buffers = 3, .buffers = buffers};
    struct producer producer;
    (void)state;
    produce_one(&producer, "u", NULL, array);
    assert_arrays(&producer, &all, "x=red,?,?,b"); /* "" is missing, as in a file */
    buffers[1] = wide;
    produce_one(&producer, "U", NULL, array);
    assert_arrays(&producer, &all, "x=red,?,?,b");
}

/* As in a file, a column whose texts are all numbers is one of numbers. */
static void test_texts_of_numbers(void **state)
{
    static const int32_t offsets[] = {0, 3, 6};
    const void *buffers[] = {NULL, offsets, "1.51.0"};
    const struct ArrowArray array = {.length = 2, .n_buffers = 3, .buffers = buffers};
    struct producer producer;
    (void)state;
    produce_one(&producer, "u", NULL, array);
    assert_arrays(&producer, &all, "x=1.5,1");
    produce_one(&producer, "u", NULL, array);
    assert_arrays(&producer, (&(const struct table_request){.categorical = "x", .most_levels = 8}),
                  "x=1.5,1");
}

struct view {
    int32_t length;
    char begin[4];
    int32_t part, offset;
};

static void test_views(void **state)
{
    static const char first[] = "..a text of more than twelve bytes", second[] = "another such long text";
    static const struct view views[] = {{.length = 7, .begin = "out "},
                                        {.length = 32, .begin = "a te", .part = 0, .offset = 2},
                                        {.length = 3, .begin = "red"},
                                        {.length = 22, .begin = "anot", .part = 1, .offset = 0}};
    static const int64_t sizes[] = {sizeof first - 1, sizeof second - 1};
    const void *buffers[] = {NULL, views, first, second, sizes};
    struct producer producer;
    (void)state;
    produce_one(&producer, "vu", NULL,
                (struct ArrowArray){.length = 3, .offset = 1, .n_buffers = 5, .buffers = buffers});
    assert_arrays(&producer, &all, "x=a text of more than twelve bytes,red,another such long text");
}

static void test_nulls(void **state)
{
    struct producer producer;
    (void)state;
    produce_one(&producer, "n", NULL, (struct ArrowArray){.length = 2, .null_count = 2});
    assert_arrays(&producer, &all, "x=?,?");
}

/* ---- dictionaries ---- */

static void test_dictionaries(void **state)
{
    const struct {
        const char *format;
        const void *index;
    } indices[] = {{"c", (const int8_t[]){9, 1, 0, 3, 0, 2}},   {"C", (const uint8_t[]){9, 1, 0, 3, 0, 2}},
                   {"i", (const int32_t[]){9, 1, 0, 3, 0, 2}},  {"I", (const uint32_t[]){9, 1, 0, 3, 0, 2}},
                   {"l", (const int64_t[]){-9, 1, 0, 3, 0, 2}}, {"L", (const uint64_t[]){9, 1, 0, 3, 0, 2}}};
    static const int32_t offsets[] = {0, 1, 4, 8, 8, 12};
    static const unsigned char index_validity[] = {0x2f}, value_validity[] = {0x1d};
    const void *values[] = {value_validity, offsets, "-redNonexblue"};
    struct ArrowArray dictionary = {
        .length = 4, .offset = 1, .null_count = 1, .n_buffers = 3, .buffers = values};
    (void)state;
    for (size_t i = 0; i < LENGTH(indices); i++) { /* red is null in the dictionary; one index is null, too */
        const void *buffers[] = {index_validity, indices[i].index};
        struct producer producer;
        produce_one(&producer, indices[i].format, "u",
                    (struct ArrowArray){.length = 5,
                                        .offset = 1,
                                        .null_count = 1,
                                        .n_buffers = 2,
                                        .buffers = buffers,
                                        .dictionary = &dictionary});
        assert_arrays(&producer, &all, "x=None,?,xblu,?,?"); /* "None" is a level of categories */
    }
}

/* Categories stay levels if they are numbers, and each array has a dictionary of its own. */
static void test_dictionary_of_numbers(void **state)
{
    static const int8_t index[] = {0, 1};
    static const double first[] = {1, 20}, second[] = {20, 3};
    const void *buffers[] = {NULL, index}, *values[2][2] = {{NULL, first}, {NULL, second}};
    struct ArrowArray dictionary[2], array[2];
    struct producer producer;
    (void)state;
    produce(&producer);
    add_column(&producer, "x", "c", "g");
    for (size_t i = 0; i < 2; i++) {
        dictionary[i] = (struct ArrowArray){.length = 2, .n_buffers = 2, .buffers = values[i]};
        array[i] = (struct ArrowArray){
            .length = 2, .n_buffers = 2, .buffers = buffers, .dictionary = &dictionary[i]};
        add_batch(&producer, 2, &array[i]);
    }
    static char *levels[] = {"20", "3"};
    static const struct column_schema schema = {"x", COLUMN_TEXT, 2, levels};
    const struct table_request known = {.schema = &schema, .n_schema = 1};
    struct producer again = producer;
    again.stream.private_data = &again;
    for (size_t b = 0; b < 2; b++) {
        again.batch[b].private_data = &again;
        again.batch[b].children = again.arrays[b];
    }
    assert_arrays(&producer, &all, "x=1,20,20,3");
    assert_arrays(&again, &known, "x=*,20,20,3");
}

/* Pixels are numbers, also in a dictionary. */
static void test_dictionary_of_pixels(void **state)
{
    static const int8_t index[] = {1, 0};
    static const int32_t offsets[] = {0, 1, 2};
    static const double numbers[] = {7, 9};
    const struct table_request images = {.image = {1, 1, 1}, .most_levels = 8};
    const void *buffers[] = {NULL, index}, *values[] = {NULL, numbers}, *texts[] = {NULL, offsets, "ab"};
    struct ArrowArray of_numbers = {.length = 2, .n_buffers = 2, .buffers = values};
    struct ArrowArray of_texts = {.length = 2, .n_buffers = 3, .buffers = texts};
    struct ArrowArray array = {.length = 2, .n_buffers = 2, .buffers = buffers, .dictionary = &of_numbers};
    struct producer producer;
    (void)state;
    produce_one(&producer, "c", "g", array);
    assert_arrays(&producer, &images, "x=9,7");
    array.dictionary = &of_texts;
    produce_one(&producer, "c", "u", array);
    assert_refused(&producer, &images, "'b' is not a number, as the pixels of an image are");
}

/* ---- tables ---- */

static const double some_numbers[] = {1, 2, 3, 4, 5};
static const int8_t some_labels[] = {1, 0, 0, 1, 0};
static const void *number_buffers[] = {NULL, some_numbers}, *label_buffers[] = {NULL, some_labels};

/* Two batches of columns x and label: rows 2, 3 and 4 of which the second has the last two. */
static void produce_two(struct producer *producer)
{
    const struct ArrowArray first[] = {{.length = 4, .n_buffers = 2, .buffers = number_buffers},
                                       {.length = 4, .n_buffers = 2, .buffers = label_buffers}};
    const struct ArrowArray second[] = {{.length = 2, .offset = 3, .n_buffers = 2, .buffers = number_buffers},
                                        {.length = 2, .offset = 3, .n_buffers = 2, .buffers = label_buffers}};
    produce(producer);
    add_column(producer, "x", "g", NULL);
    add_column(producer, "label", "c", NULL);
    add_batch(producer, 2, first);
    producer->batch[0].offset = 1; /* of the rows, on top of those of the columns */
    add_batch(producer, 0, first);
    add_batch(producer, 2, second);
}

static void test_slices(void **state)
{
    static const struct column_schema schema = {"x", COLUMN_NUMBER, 0, NULL};
    struct producer producer;
    char out[4000];
    (void)state;
    produce_two(&producer);
    assert_arrays(&producer, (&(const struct table_request){.label = "label", .most_levels = 8}),
                  "x=2,3,4,5|label=0010");
    for (size_t piece = 1; piece < 6; piece++) {
        const struct table_request request = {.schema = &schema, .n_schema = 1, .weight = "label"};
        struct reading reading = {.request = &request, .piece = piece};
        produce_two(&producer);
        assert_ok(read_producer(&producer, &reading, out, sizeof out), &test_error);
        assert_string_equal(out, "x=2,3,4,5|weight=0,0,1,0");
    }
}

/* Identifiers have all their digits, and groups and labels may be of any type. */
static void test_roles(void **state)
{
    static const int64_t ids[] = {9007199254740993, -1, 9223372036854775807};
    static const int8_t group_codes[] = {1, 0, 1}, labels[] = {1, 0, 0};
    static const int32_t offsets[] = {0, 1, 2};
    static const unsigned char second_is_null[] = {0x05};
    const void *id_buffers[] = {NULL, ids}, *code_buffers[] = {second_is_null, group_codes},
               *name_buffers[] = {NULL, offsets, "ab"}, *role_buffers[] = {NULL, labels};
    struct ArrowArray names = {.length = 2, .n_buffers = 3, .buffers = name_buffers};
    const struct ArrowArray columns[] = {
        {.length = 3, .n_buffers = 2, .buffers = id_buffers},
        {.length = 3, .null_count = 1, .n_buffers = 2, .buffers = code_buffers, .dictionary = &names},
        {.length = 3, .n_buffers = 2, .buffers = role_buffers},
        {.length = 3, .n_buffers = 2, .buffers = number_buffers}};
    const struct table_request request = {.label = "l", .id = "key", .group = "site", .most_levels = 8};
    struct producer producer;
    (void)state;
    produce(&producer);
    add_column(&producer, "key", "l", NULL);
    add_column(&producer, "site", "c", "u");
    add_column(&producer, "l", "c", NULL);
    add_column(&producer, "x", "g", NULL);
    add_batch(&producer, 3, columns);
    assert_arrays(&producer, &request,
                  "x=1,2,3|label=100|id=[9007199254740993][-1][9223372036854775807]|group=0,1,0");
}

/* Whenever memory runs out, all is released. */
static void test_no_memory(void **state)
{
    const struct table_request request = {.label = "label", .most_levels = 8};
    dedpul_status status = DEDPUL_NO_MEMORY;
    (void)state;
    for (size_t fails_at = 0; status != DEDPUL_OK; fails_at++) {
        struct failing failing = {.fails_at = fails_at};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct reading reading = {.request = &request, .allocator = &allocator};
        struct producer producer;
        char out[4000];
        produce_two(&producer);
        status = read_producer(&producer, &reading, out, sizeof out);
        assert_int_equal(failing.blocks, 0);
        assert_true(status == DEDPUL_OK || status == DEDPUL_NO_MEMORY);
    }
}

static void test_names(void **state)
{
    const struct ArrowArray columns[] = {{.length = 1, .n_buffers = 2, .buffers = number_buffers},
                                         {.length = 1, .n_buffers = 2, .buffers = number_buffers}};
    static const struct column_schema numbered[] = {{"1", COLUMN_NUMBER, 0, NULL},
                                                    {"2", COLUMN_NUMBER, 0, NULL}};
    static const struct {
        const char *first, *second, *expected;
    } cases[] = {{NULL, "", "1=1|2=1"}, {"a", NULL, "a=1|column 2=1"}, {" a ", "b", "a=1|b=1"}};
    struct producer producer;
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        produce(&producer);
        add_column(&producer, cases[i].first, "g", NULL);
        add_column(&producer, cases[i].second, "g", NULL);
        add_batch(&producer, 1, columns);
        assert_arrays(&producer, &all, cases[i].expected);
    }
    produce(&producer);
    add_column(&producer, "a", "g", NULL);
    add_column(&producer, "a", "g", NULL);
    assert_refused(&producer, &all, "columns 1 and 2 are both called 'a'; rename one");
    produce(&producer); /* a model of a matrix does not know names */
    add_column(&producer, "a", "g", NULL);
    add_column(&producer, "b", "g", NULL);
    add_batch(&producer, 1, columns);
    assert_arrays(&producer,
                  (&(const struct table_request){.schema = numbered, .n_schema = 2, .n_numbered = 3}),
                  "1=1|2=1");
}

/* ---- what is refused ---- */

static void test_refused_types(void **state)
{
    static const struct {
        const char *format, *dictionary, *name;
    } types[] = {{"tdD", NULL, "'date'"},
                 {"tdm", NULL, "'date'"},
                 {"ttu", NULL, "'time of day'"},
                 {"tsu:UTC", NULL, "'timestamp'"},
                 {"tDn", NULL, "'duration'"},
                 {"tiM", NULL, "'interval of time'"},
                 {"z", NULL, "'binary'"},
                 {"Z", NULL, "'large binary'"},
                 {"vz", NULL, "'binary view'"},
                 {"w:16", NULL, "'fixed-size binary'"},
                 {"+l", NULL, "'list'"},
                 {"+L", NULL, "'large list'"},
                 {"+vl", NULL, "'list view'"},
                 {"+w:2", NULL, "'fixed-size list'"},
                 {"+s", NULL, "'struct'"},
                 {"+m", NULL, "'map'"},
                 {"+ud:0,1", NULL, "'union'"},
                 {"+r", NULL, "'run-end encoded'"},
                 {"?", NULL, "'unknown'"},
                 {"d:9", NULL, "'unknown'"},
                 {"d:9,2,33", NULL, "'unknown'"},
                 {"c", "tdD", "'date'"},
                 {"g", "u", "'dictionary of dictionaries'"}};
    const struct ArrowArray columns[] = {{.length = 1},
                                         {.length = 1, .n_buffers = 2, .buffers = number_buffers}};
    struct producer producer;
    (void)state;
    for (size_t i = 0; i < LENGTH(types); i++) {
        produce(&producer);
        add_column(&producer, "when", types[i].format, types[i].dictionary);
        assert_refused(&producer, &all, "column 'when'");
        assert_contains(test_error.message, types[i].name);
        assert_contains(test_error.message, "or leave it out");
        produce(&producer);
        add_column(&producer, "when", types[i].format, types[i].dictionary);
        add_column(&producer, "x", "g", NULL);
        add_batch(&producer, 1, columns);
        assert_arrays(&producer, (&(const struct table_request){.ignore = "when", .most_levels = 8}), "x=1");
    }
}

static void test_failing_streams(void **state)
{
    struct reading reading = {.request = &all};
    struct producer producer;
    char out[100];
    (void)state;
    for (int of_schema = 0; of_schema < 2; of_schema++)
        for (int has_text = 0; has_text < 2; has_text++) {
            produce_two(&producer);
            *(of_schema ? &producer.schema_code : &producer.next_code) = EIO;
            producer.last_error = has_text ? "the disk\n is gone" : NULL;
            assert_int_equal(read_producer(&producer, &reading, out, sizeof out), DEDPUL_IO);
            assert_string_equal(test_error.message, has_text ? "cannot read stream: the disk\\x0a is gone"
                                                             : "cannot read stream: Input/output error");
        }
    produce_two(&producer);
    producer.stream.release(&producer.stream);
    assert_refused(&producer, &all, "was released");
}

static void test_hostile_schemas(void **state)
{
    struct producer producer;
    (void)state;
    produce_two(&producer);
    producer.format = "g";
    assert_refused(&producer, &all, "have no columns");
    produce_two(&producer);
    producer.format = NULL;
    assert_refused(&producer, &all, "have no columns");
    produce(&producer);
    assert_refused(&producer, &all, "has 0 columns");
    produce_two(&producer);
    producer.schema[1].format = NULL;
    assert_refused(&producer, &all, "a column has no type");
    produce_two(&producer);
    producer.schemas[1] = NULL;
    assert_refused(&producer, &all, "a column has no type");
    produce(&producer);
    add_column(&producer, "x", "g", NULL);
    assert_refused(&producer, &all, "no rows");
}

static void test_hostile_arrays(void **state)
{
    struct producer producer;
    const void *no_values[] = {NULL, NULL};
    static const unsigned char second_is_null[] = {0xfb};
    const void *record_validity[] = {second_is_null};
    (void)state;
#define CHANGED(change, message)                  \
    do {                                          \
        produce_two(&producer);                   \
        change;                                   \
        assert_refused(&producer, &all, message); \
    } while (0)
    CHANGED(producer.batch[0].length = -1, "its length or offset is out of range");
    CHANGED(producer.batch[0].offset = -1, "its length or offset is out of range");
    CHANGED(producer.batch[0].length = INT64_MAX, "its length or offset is out of range");
    CHANGED(producer.batch[0].length = 4, "column 'x': the array is shorter than that of the rows");
    CHANGED(producer.batch[0].n_children = 1, "has not as many columns");
    CHANGED(producer.batch[0].children = NULL, "has not as many columns");
    CHANGED(producer.batch[0].n_buffers = 0, "has not one buffer");
    CHANGED(producer.arrays[0][1] = NULL, "column 'label': the array is missing");
    CHANGED(producer.array[0][0].length = -1, "column 'x': its length");
    CHANGED(producer.array[0][0].null_count = 5, "column 'x': its count of nulls");
    CHANGED(producer.array[0][0].null_count = -2, "column 'x': its count of nulls");
    CHANGED(producer.array[0][0].null_count = 1, "column 'x': it has nulls, but");
    CHANGED(producer.array[0][0].n_buffers = 1, "column 'x': it has not as many buffers");
    CHANGED(producer.array[0][0].n_buffers = 3, "column 'x': it has not as many buffers");
    CHANGED(producer.array[0][0].buffers = NULL, "column 'x': its buffers are missing");
    CHANGED(producer.array[0][0].buffers = no_values, "column 'x': its buffer of values is missing");
    CHANGED((producer.batch[0].null_count = 1, producer.batch[0].buffers = record_validity),
            "a row is null as a whole");
#undef CHANGED
}

static void test_hostile_texts(void **state)
{
    static const struct {
        int32_t offsets[4];
        const char *text, *message;
    } texts[] = {{{0, 3, 2, 4}, "abcd", "row 2: its offsets"},
                 {{-1, 3, 3, 4}, "abcd", "row 1: its offsets"},
                 {{0, 9, 9, 4}, "abcd", "row 1: its offsets"},
                 {{0, 0, 1, 1}, NULL, "row 2: its buffer of texts is missing"},
                 {{0, 1, 4, 4}, "ab\0d", "row 2: a text has a byte 0 in it"}};
    static const struct {
        struct view view;
        const char *message;
    } views[] = {{{.length = -1}, "row 1: the length of a text is negative"},
                 {{.length = 20, .part = 1}, "row 1: a text is in a buffer that does not exist"},
                 {{.length = 20, .part = -1}, "row 1: a text is in a buffer that does not exist"},
                 {{.length = 20, .offset = -1}, "row 1: a text is not within its buffer"},
                 {{.length = 20, .offset = 5}, "row 1: a text is not within its buffer"}};
    static const int64_t size = 24;
    struct producer producer;
    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        const void *buffers[] = {NULL, texts[i].offsets, texts[i].text};
        produce_one(&producer, "u", NULL,
                    (struct ArrowArray){.length = 3, .n_buffers = 3, .buffers = buffers});
        assert_refused(&producer, &all, texts[i].message);
    }
    for (size_t i = 0; i < LENGTH(views); i++) {
        const void *buffers[] = {NULL, &views[i].view, "twenty-four bytes of text", &size};
        produce_one(&producer, "vu", NULL,
                    (struct ArrowArray){.length = 1, .n_buffers = 4, .buffers = buffers});
        assert_refused(&producer, &all, views[i].message);
        buffers[3] = NULL;
        produce_one(&producer, "vu", NULL,
                    (struct ArrowArray){.length = 1, .n_buffers = 4, .buffers = buffers});
        assert_refused(&producer, &all, "the sizes of its buffers are missing");
    }
}

static void test_hostile_dictionaries(void **state)
{
    static const int8_t negative[] = {0, -1}, large[] = {0, 5};
    const void *buffers[] = {NULL, negative};
    struct ArrowArray dictionary = {.length = 5, .n_buffers = 2, .buffers = number_buffers};
    const struct ArrowArray array = {
        .length = 2, .n_buffers = 2, .buffers = buffers, .dictionary = &dictionary};
    struct ArrowArray without = array;
    struct producer producer;
    (void)state;
    produce_one(&producer, "c", "g", array);
    assert_refused(&producer, &all, "row 2: an index is not in the dictionary");
    buffers[1] = large;
    produce_one(&producer, "c", "g", array);
    assert_refused(&producer, &all, "row 2: an index is not in the dictionary");
    without.dictionary = NULL;
    produce_one(&producer, "c", "g", without);
    assert_refused(&producer, &all, "the dictionary is missing");
    dictionary.length = -1;
    produce_one(&producer, "c", "g", array);
    assert_refused(&producer, &all, "its length or offset");
}

static void test_infinite(void **state)
{
    static const double values[] = {1, -INFINITY};
    const void *buffers[] = {NULL, values};
    struct producer producer;
    (void)state;
    produce_one(&producer, "g", NULL, (struct ArrowArray){.length = 2, .n_buffers = 2, .buffers = buffers});
    assert_refused(&producer, &all, "row 2, column 'x': '-inf' is not finite");
}

/* ---- the public functions ---- */

static void test_labels_apart(void **state)
{
    static const unsigned char label[] = {1, 0, 0, 1}, other[] = {1, 0, 2, 1};
    static const double weight[] = {1, 2, 3, 4};
    struct producer producer;
    dedpul_columns columns;
    dedpul_options options;
    dedpul_table *table;
    dedpul_model *model;
    dedpul_result *result;
    (void)state;
    dedpul_columns_init(&columns);
    dedpul_options_init(&options);
    columns.label = NULL;
    columns.ignore = "label";
    produce_two(&producer);
    assert_ok(dedpul_table_from_arrow(&producer.stream, &columns, NULL, &table, &test_error), &test_error);
    assert_int_equal(producer.n_live, 0);
    assert_null(dedpul_table_labels(table));
    assert_int_equal(dedpul_fit(table, &options, &model, &result, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "the table has no labels");
    assert_int_equal(dedpul_table_set_labels(table, 3, label, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "3 labels, but the table has 4 rows");
    assert_int_equal(dedpul_table_set_labels(table, 4, other, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_ok(dedpul_table_set_labels(table, 4, label, weight, &test_error), &test_error);
    assert_memory_equal(dedpul_table_labels(table), label, sizeof label);
    assert_memory_equal(dedpul_table_weights(table), weight, sizeof weight);
    dedpul_table_free(table);
}

/* The stream is released by each call that fails. */
static void test_bad_arguments(void **state)
{
    struct producer producer;
    dedpul_columns columns;
    dedpul_table *table;
    (void)state;
    assert_int_equal(dedpul_table_from_arrow(NULL, NULL, NULL, &table, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict_arrow(NULL, NULL, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    produce_two(&producer);
    assert_int_equal(dedpul_table_from_arrow(&producer.stream, NULL, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(producer.n_live, 0);
    produce_two(&producer);
    assert_int_equal(dedpul_model_predict_arrow(NULL, &producer.stream, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(producer.n_live, 0);
    dedpul_columns_init(&columns);
    columns.labels = "labels.csv";
    produce_two(&producer);
    assert_int_equal(dedpul_table_from_arrow(&producer.stream, &columns, NULL, &table, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(producer.n_live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_texts_of_numbers),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_dictionary_of_numbers),
        cmocka_unit_test(test_dictionary_of_pixels),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_refused_types),
        cmocka_unit_test(test_failing_streams),
        cmocka_unit_test(test_hostile_schemas),
        cmocka_unit_test(test_hostile_arrays),
        cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_hostile_dictionaries),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_labels_apart),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
