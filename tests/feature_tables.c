#include "feature_tables.h"

void table_init(struct test_table *table, size_t n_rows)
{
    table->table = (struct table){.n_rows = n_rows, .column = table->column};
}

void add_numbers(struct test_table *table, char *name, double *number)
{
    assert_true(table->table.n_columns < MOST_COLUMNS);
    table->column[table->table.n_columns++] =
        (struct column){.schema = {.name = name, .kind = COLUMN_NUMBER}, .number = number};
}

void add_texts(struct test_table *table, char *name, size_t n_levels, char **level, uint32_t *code)
{
    assert_true(table->table.n_columns < MOST_COLUMNS);
    table->column[table->table.n_columns++] = (struct column){
        .schema = {.name = name, .kind = COLUMN_TEXT, .n_levels = n_levels, .level = level}, .code = code};
}

char *colors[] = {"blue", "green", "red", "white"};
char *sides[] = {"left", "right"};

struct mixed *mixed_make(void)
{
    struct mixed *mixed = malloc(sizeof *mixed);
    struct rng rng;
    rng_init(&rng, 4, 1);
    for (size_t i = 0; i < MIXED_ROWS; i++) {
        mixed->rank[i] = rng_below(&rng, 20) == 0 ? NAN : exp(3 * random_normal(&rng)) - 2;
        mixed->ties[i] = floor(4 * random_normal(&rng));
        mixed->few[i] = rng_below(&rng, 10) == 0 ? NAN : -1.5 * rng_below(&rng, 9);
        mixed->offset[i] = 1.6e9 + rng_below(&rng, 1000);
        mixed->constant[i] = 7;
        mixed->absent[i] = NAN;
        mixed->present[i] = rng_below(&rng, 3) == 0 ? NAN : 5;
        mixed->weight[i] = rng_below(&rng, 4);
        mixed->color[i] = rng_below(&rng, 9) == 0 ? LEVEL_MISSING : rng_below(&rng, 4);
        mixed->side[i] = rng_below(&rng, 2);
    }
    table_init(&mixed->table, MIXED_ROWS);
    add_numbers(&mixed->table, "rank", mixed->rank);
    add_numbers(&mixed->table, "constant", mixed->constant);
    add_texts(&mixed->table, "color", LENGTH(colors), colors, mixed->color);
    add_numbers(&mixed->table, "ties", mixed->ties);
    add_numbers(&mixed->table, "few", mixed->few);
    add_numbers(&mixed->table, "absent", mixed->absent);
    add_texts(&mixed->table, "side", LENGTH(sides), sides, mixed->side);
    add_numbers(&mixed->table, "offset", mixed->offset);
    add_numbers(&mixed->table, "present", mixed->present);
    return mixed;
}

float *apply(struct context *context, const struct encoding *encoding, const struct table *table)
{
    const size_t size = table->n_rows * encoding->width;
    float *x = malloc((size + 1) * sizeof *x);
    for (size_t i = 0; i <= size; i++)
        x[i] = NAN;
    assert_ok(encoding_apply(context, encoding, table, x), &test_error);
    for (size_t i = 0; i < size; i++)
        assert_true(isfinite(x[i]));
    assert_true(isnan(x[size])); /* and nothing beyond */
    return x;
}

const struct encoding_plan ranked = {ENCODE_ONEHOT, SCALE_RANK};

void encode_by(struct encoded *encoded, const struct table *table, enum text_encoding encode,
               enum number_scale scale, unsigned threads)
{
    const struct encoding_plan plan = {encode, scale};
    test_context_init(&encoded->context);
    test_context_init(&encoded->memory);
    encoded->context.threads = threads;
    assert_ok(encoding_learn(&encoded->context, table, 0, &plan, encoded->memory.arena, &encoded->encoding),
              &test_error);
    assert_null(context_mark(&encoded->context)); /* temporaries are released */
    encoded->x = apply(&encoded->context, &encoded->encoding, table);
    assert_null(context_mark(&encoded->context));
}

void encode(struct encoded *encoded, const struct test_table *table)
{
    encode_by(encoded, &table->table, ENCODE_ONEHOT, SCALE_RANK, 1);
}

void encoded_free(struct encoded *encoded)
{
    test_context_close(&encoded->context);
    test_context_close(&encoded->memory);
    free(encoded->x);
}

void assert_use(const struct encoded *encoded, size_t column, enum feature_use use, size_t width)
{
    assert_int_equal(encoded->encoding.column[column].use, use);
    assert_int_equal(encoded->encoding.column[column].width, width);
}

void assert_feature(const struct encoded *encoded, size_t n, size_t feature, const double *expected)
{
    for (size_t i = 0; i < n; i++)
        assert_near(encoded->x[i * encoded->encoding.width + feature], expected[i],
                    1e-6 * (1 + fabs(expected[i])));
}

void standardise(size_t n, double *value)
{
    long double sum = 0, squares = 0;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i])) {
            sum += value[i];
            known++;
        }
    const long double mean = sum / (long double)known;
    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]))
            squares += (value[i] - mean) * (value[i] - mean);
    const long double deviation = sqrtl(squares / (long double)known);
    for (size_t i = 0; i < n; i++)
        value[i] = isnan(value[i]) ? 0 : (double)((value[i] - mean) / deviation);
}

void assert_same_encoding(const struct encoding *a, const struct encoding *b, double tolerance)
{
    assert_int_equal(a->n_columns, b->n_columns);
    assert_int_equal(a->n_numbered, b->n_numbered);
    assert_int_equal(a->width, b->width);
    for (size_t c = 0; c < a->n_columns; c++) {
        const struct feature *one = &a->column[c], *other = &b->column[c];
        assert_string_equal(one->schema.name, other->schema.name);
        assert_int_equal(one->schema.kind, other->schema.kind);
        assert_int_equal(one->schema.n_levels, other->schema.n_levels);
        for (size_t i = 0; i < one->schema.n_levels; i++)
            assert_string_equal(one->schema.level[i], other->schema.level[i]);
        assert_int_equal(one->use, other->use);
        assert_int_equal(one->has_indicator, other->has_indicator);
        assert_int_equal(one->first, other->first);
        assert_int_equal(one->width, other->width);
        assert_int_equal(one->n_knots, other->n_knots);
        for (size_t k = 0; k < one->n_knots; k++) {
            assert_near(one->knot_value[k], other->knot_value[k], 0);
            assert_near(one->knot_normal[k], other->knot_normal[k], tolerance);
        }
    }
    for (size_t j = 0; j < a->width; j++) {
        assert_near(a->center[j], b->center[j], tolerance);
        assert_near(a->spread[j], b->spread[j], tolerance);
    }
}
