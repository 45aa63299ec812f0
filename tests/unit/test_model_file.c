/* Files of models: damaged ones, files that are none, descriptions. */
#include "fitting.h"
#include "models.h"
#include "network_set.h"
#include "reading.h"

#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

enum { HEADER = 24 }; /* magic (8), format (4), checksum (4), size (8) */

/* ---- damaged files ---- */

static void fix_header(size_t size, unsigned char *data)
{
    const uint32_t sum = (uint32_t)crc32_z(0, data + HEADER, size - HEADER);
    for (int i = 0; i < 4; i++)
        data[12 + i] = (unsigned char)(sum >> (8 * i));
    for (int i = 0; i < 8; i++)
        data[16 + i] = (unsigned char)((uint64_t)(size - HEADER) >> (8 * i));
}

static void refuse_bytes(size_t size, const unsigned char *data, const char *message)
{
    struct failing counting = {.fails_at = SIZE_MAX};
    const dedpul_allocator allocator = {&counting, failing_resize};
    dedpul_model *model = NULL;
    assert_int_equal(model_of_bytes("file", size, data, &allocator, &model, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "file");
    assert_contains(test_error.message, message);
    assert_null(model);
    assert_int_equal(counting.blocks, 0);
}

/* A small model with all that files can hold but trees. */
static unsigned char *small_model(size_t *size)
{
    struct fitted fitted = fit_texts("onehot");
    assert_ok(dedpul_model_save(fitted.model, test_path("small"), &test_error), &test_error);
    fitted_free(&fitted);
    return read_bytes(test_path("small"), size);
}

static void test_damaged(void **state)
{
    size_t size;
    unsigned char *data = small_model(&size);
    struct rng rng;
    (void)state;
    rng_init(&rng, 9, 9);
    for (size_t cut = 0; cut < size; cut++)
        refuse_bytes(cut, data, cut < 8 ? "is not a model file" : "is cut off");
    for (int i = 0; i < 2000; i++) {
        const size_t at = i < HEADER * 8 ? (size_t)i / 8 : rng_below(&rng, (uint32_t)size);
        const unsigned char bit = (unsigned char)(1 << (i % 8));
        data[at] ^= bit;
        refuse_bytes(size, data,
                     at < 8                                  ? "is not a model file"
                     : at == 8 && data[at] < 6               ? "corrupt" /* taken for an earlier format */
                     : at < 12                               ? "use a newer dedpul"
                     : at >= 16 && at < 24 && data[at] & bit ? "is cut off"
                                                             : "is damaged (its checksum is wrong)");
        data[at] ^= bit;
    }
    unsigned char *longer = malloc(size + 1);
    memcpy(longer, data, size);
    longer[size] = 0;
    refuse_bytes(size + 1, longer, "is damaged");
    fix_header(size + 1, longer); /* bytes that belong to nothing */
    refuse_bytes(size + 1, longer, "corrupt");
    longer[8] = 0;
    refuse_bytes(size + 1, longer, "it has no model format");
    longer[8] = 7;
    refuse_bytes(size + 1, longer, "model format 7, but dedpul");
    refuse_bytes(size + 1, longer, "use a newer dedpul");
    free(longer);
    for (unsigned char format = 1; format < 6; format++) { /* taken for an earlier format */
        data[8] = format;
        refuse_bytes(size, data, "corrupt");
    }
    data[8] = 6;
    for (size_t cut = HEADER; cut < size; cut++) { /* the checksum is right, but the end is missing */
        unsigned char *part = malloc(cut);         /* of this size, so that reading past its end is noticed */
        memcpy(part, data, cut);
        fix_header(cut, part);
        refuse_bytes(cut, part, "corrupt");
        free(part);
    }
    free(data);
}

/* A method that answers by networks, without them. */
static void test_no_networks(void **state)
{
    struct fitted fitted = fit_texts("onehot");
    size_t size;
    (void)state;
    fitted.model->model.method = &estimator_nnpu;
    fitted.model->model.pn.scorer.n_parts = 0;
    assert_ok(dedpul_model_save(fitted.model, test_path("none"), &test_error), &test_error);
    unsigned char *data = read_bytes(test_path("none"), &size);
    refuse_bytes(size, data, "corrupt");
    free(data);
    fitted_free(&fitted);
}

/* Where a value is in the file. */
static size_t find_number(size_t size, const unsigned char *data, double value)
{
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    for (size_t at = HEADER; at + sizeof bytes <= size; at++)
        if (memcmp(data + at, bytes, sizeof bytes) == 0)
            return at;
    fail();
    return 0;
}

static void refuse_number(size_t size, unsigned char *data, double before, double after)
{
    const size_t at = find_number(size, data, before);
    memcpy(data + at, &after, sizeof after);
    fix_header(size, data);
    refuse_bytes(size, data, "corrupt");
    memcpy(data + at, &before, sizeof before);
}

/* Numbers that no fit writes. */
static void test_out_of_bounds(void **state)
{
    size_t size;
    unsigned char *data = small_model(&size);
    dedpul_model *model = load_model(test_path("small"));
    const dedpul_model_info *info = dedpul_model_describe(model);
    (void)state;
    refuse_number(size, data, info->alpha, 1.5);
    refuse_number(size, data, info->alpha, NAN);
    refuse_number(size, data, info->scale, -1);
    refuse_number(size, data, model->model.curve.logit[1], model->model.curve.logit[0]);
    refuse_number(size, data, model->model.curve.logit[1], INFINITY);
    refuse_number(size, data, model->model.encoding.center[0], NAN);
    refuse_number(size, data, model->model.encoding.column[0].knot_value[1], -1e9);
    refuse_number(size, data, model->model.solution.scales.weight[0], 1); /* more than 1 in all */
    refuse_number(size, data, model->model.profiles.rows, -1);
    refuse_number(size, data, model->model.profiles.column[0].mean, NAN);
    dedpul_model_free(model);
    free(data);
}

/* Reading either refuses or gives a model that answers. */
static void test_nonsense(void **state)
{
    size_t size, accepted = 0;
    unsigned char *data = small_model(&size);
    dedpul_predict_options predict;
    struct rng rng;
    (void)state;
    dedpul_predict_options_init(&predict);
    predict.threads = 1; /* the allocator is for one */
    rng_init(&rng, 10, 10);
    write_text(test_path("in.csv"), "size,colour,sex\n1,red,f\n,,\n-3,black,x\n");
    for (int i = 0; i < 3000; i++) {
        unsigned char *copy = malloc(size);
        struct failing counting = {.fails_at = SIZE_MAX};
        const dedpul_allocator allocator = {&counting, failing_resize};
        dedpul_model *model = NULL;
        memcpy(copy, data, size);
        for (unsigned k = 1 + rng_below(&rng, 3); k > 0; k--)
            copy[HEADER + rng_below(&rng, (uint32_t)size - HEADER)] =
                i % 2 == 0 ? (unsigned char)rng_next(&rng) : 0xff;
        fix_header(size, copy);
        const dedpul_status status = model_of_bytes("file", size, copy, &allocator, &model, &test_error);
        free(copy); /* the model keeps none of it */
        if (status == DEDPUL_OK) {
            if (accepted++ % 16 == 0) {
                const dedpul_status predicted = dedpul_model_predict_file(
                    model, test_path("in.csv"), &predict, test_path("out.csv"), NULL, &test_error);
                assert_true(predicted == DEDPUL_OK || predicted == DEDPUL_INVALID_DATA);
            }
            dedpul_model_free(model);
        } else {
            assert_int_equal(status, DEDPUL_INVALID_DATA);
            assert_null(model);
        }
        assert_int_equal(counting.blocks, 0);
    }
    assert_true(accepted > 100);  /* most bytes are those of numbers */
    assert_true(accepted < 2990); /* and some are not */
    free(data);
}

static void test_files_that_are_none(void **state)
{
    dedpul_model *model = NULL;
    (void)state;
    write_text(test_path("texts"), "label,x\n1,2\n");
    write_text(test_path("empty"), "");
    static const char *const names[] = {"texts", "empty"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_int_equal(dedpul_model_load(test_path(names[i]), NULL, NULL, &model, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, names[i]);
        assert_contains(test_error.message, "is not a model file");
    }
    assert_int_equal(dedpul_model_load("/nonexistent", NULL, NULL, &model, &test_error), DEDPUL_IO);
    assert_int_equal(dedpul_model_load(NULL, NULL, NULL, &model, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_load(test_path("texts"), NULL, NULL, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_save(NULL, test_path("texts"), NULL), DEDPUL_INVALID_ARGUMENT);
    assert_null(model);
}

/* ---- parameters of networks ---- */

/* What follows the last parameter if there is no classifier of positives against negatives. */
enum { AFTER_PARAMETERS = 4 + 8 + 8 };

/* Sets the last n parameters of the last network, of this many bits each; the checksum is right. */
static void set_parameters(size_t size, unsigned char *data, size_t n, size_t bits, uint32_t value)
{
    for (size_t i = 0; i < n * bits / 8; i++)
        data[size - AFTER_PARAMETERS - n * bits / 8 + i] = (unsigned char)(value >> (8 * i % bits));
    fix_header(size, data);
}

/* The small model with networks in single precision. */
static unsigned char *single_model(size_t *size)
{
    free(small_model(size));
    dedpul_model *model = load_model(test_path("small"));
    const struct ensemble *ensemble = &model->model.ntc.part[0];
    for (size_t m = 0; m < ensemble->n_members; m++)
        ((struct network *)ensemble->member[m])->is_half = false;
    assert_ok(dedpul_model_save(model, test_path("single"), &test_error), &test_error);
    dedpul_model_free(model);
    return read_bytes(test_path("single"), size);
}

static void test_parameters_not_finite(void **state)
{
    static const uint32_t halves[] = {0x7c00, 0xfc00, 0x7e00},
                          singles[] = {0x7f800000, 0xff800000, 0x7fc00000};
    size_t size[2];
    unsigned char *const data[2] = {small_model(&size[0]), single_model(&size[1])};
    (void)state;
    for (size_t i = 0; i < LENGTH(halves); i++) {
        set_parameters(size[0], data[0], 1, 16, halves[i]);
        refuse_bytes(size[0], data[0], "corrupt");
        set_parameters(size[1], data[1], 1, 32, singles[i]);
        refuse_bytes(size[1], data[1], "corrupt");
    }
    free(data[0]);
    free(data[1]);
}

/* Finite parameters whose products are not: an error, and no file of scores that are none. */
static void test_parameters_that_overflow(void **state)
{
    size_t size;
    unsigned char *data = single_model(&size);
    dedpul_model *model = NULL;
    (void)state;
    write_text(test_path("in.csv"), "size,colour,sex\n1,red,f\n2,green,m\n");
    set_parameters(size, data, 3, 32, 0x7f61b1e6); /* 3e38 */
    assert_ok(model_of_bytes("file", size, data, NULL, &model, &test_error), &test_error);
    (void)remove(test_path("scores.csv"));
    assert_int_equal(dedpul_model_predict_file(model, test_path("in.csv"), NULL, test_path("scores.csv"),
                                               NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "not finite");
    assert_null(fopen(test_path("scores.csv"), "rb"));
    dedpul_model_free(model);
    free(data);
}

/* ---- earlier formats ---- */

enum { OLD_ROWS = 5, OLD_COPIES = 5 };

/* A model of an earlier version gives the scores and posteriors that it gave; some have no columns to
 * compare. */
static void check_old_model(const char *path, bool has_profiles, const double *scores,
                            const double *posteriors)
{
    static const char rows[] = "-1,red\n0.5,blue\n2.25,green\n9,\n,black\n";
    dedpul_model *model = load_model(path);
    char table[32 + OLD_COPIES * sizeof rows] = "size,colour\n";
    for (int i = 0; i < OLD_COPIES; i++)
        strcat(table, rows);
    write_text(test_path("in.csv"), table);
    const dedpul_prediction prediction = predict_table_file(model, test_path("in.csv"), 1);
    assert_int_equal(prediction.rows, OLD_ROWS * OLD_COPIES);
    assert_int_equal(prediction.n_compared, has_profiles ? 2 : 0);
    char *const text = (char *)read_bytes(test_path("out.csv"), NULL);
    const char *line = text;
    for (size_t i = 0; i < OLD_ROWS; i++) {
        double score, posterior;
        size_t row;
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "%zu,%lf,%lf", &row, &score, &posterior), 3);
        assert_int_equal(row, i + 1);
        assert_near(score, scores[i], 1e-6);
        assert_near(posterior, posteriors[i], 1e-5);
    }
    free(text);
    assert_ok(dedpul_model_save(model, test_path("again"), &test_error), &test_error);
    dedpul_model_free(model);
    model = load_model(test_path("again")); /* in the format of this version */
    assert_true((dedpul_model_describe(model)->n_kept > 0) == has_profiles);
    dedpul_model_free(model);
}

/* Versions 0.6, 0.7 and 0.8 wrote these files. */
static void test_earlier_formats(void **state)
{
    static const double scores_3[] = {0.163620093, 0.00567726473, 0.52711065, 0.561129197, 0.485665551},
                        posteriors_3[] = {0.282674709, 0, 0.971382875, 0.971382875, 0.859062992},
                        scores_4[] = {0.11509036, 0.0084964574, 0.68854098, 0.909085059, 0.316900136},
                        posteriors_4[] = {4.30576555e-05, 1.39004841e-05, 0.896178097, 0.980846669,
                                          0.350689295},
                        scores_5[] = {0.029752185, 0.158314168, 0.633475082, 0.993134642, 0.341597741},
                        posteriors_5[] = {5.92183712e-05, 0.00910796731, 0.277428571, 0.764803399,
                                          0.169033174};
    (void)state;
    check_old_model(GOLDEN_DIRECTORY "/format_3.model", false, scores_3, posteriors_3);
    check_old_model(GOLDEN_DIRECTORY "/format_4.model", false, scores_4, posteriors_4);
    check_old_model(GOLDEN_DIRECTORY "/format_5.model", true, scores_5, posteriors_5);
}

/* ---- descriptions ---- */

static uint64_t number_at(const unsigned char *data, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)data[i] << (8 * i);
    return number;
}

/* Trees are saved as their checksum (4), their size (8) and their bytes. Breaks the first ones, not the
 * checksums. */
static void break_trees(size_t size, unsigned char *data)
{
    for (size_t at = HEADER; at + 12 < size; at++) {
        const uint64_t length = number_at(data + at + 4, 8);
        unsigned char *const trees = data + at + 12;
        if (length < 100 || length > size - at - 12 ||
            (uint32_t)crc32_z(0, trees, (size_t)length) != number_at(data + at, 4))
            continue;
        memset(trees, 'x', 50);
        const uint32_t sum = (uint32_t)crc32_z(0, trees, (size_t)length);
        for (int i = 0; i < 4; i++)
            data[at + (size_t)i] = (unsigned char)(sum >> (8 * i));
        fix_header(size, data);
        return;
    }
    fail();
}

static void refuse_to_work(const dedpul_model *model, const dedpul_matrix *rows)
{
    double posterior[200];
    assert_int_equal(dedpul_model_predict(model, rows, NULL, NULL, posterior, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "description");
    assert_int_equal(dedpul_model_predict_file(model, test_path("rows.csv"), NULL, test_path("out.csv"), NULL,
                                               &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "description");
    assert_int_equal(dedpul_model_save(model, test_path("copy"), &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "description");
    assert_null(fopen(test_path("copy"), "rb"));
}

/* It says what the model says, does not look into the trees, and does nothing else. */
static void test_description(void **state)
{
    struct crowd crowd = crowd_make(60, 140, 2, 0.4, 3, 5);
    const dedpul_matrix rows = crowd_matrix(&crowd);
    const dedpul_options options = cheap_options("gbdt");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    dedpul_model *described = NULL, *broken = NULL;
    size_t size;
    (void)state;
    crowd_write(&crowd, test_path("rows.csv"));
    assert_ok(dedpul_model_save(fitted.model, test_path("trees"), &test_error), &test_error);
    assert_ok(dedpul_model_load_description(test_path("trees"), NULL, &described, &test_error), &test_error);
    const dedpul_model_info *info = dedpul_model_describe(described);
    assert_string_equal(info->classifier, "gbdt");
    assert_near(info->alpha, fitted.result->alpha, 0);
    assert_int_equal(info->n_members, dedpul_model_describe(fitted.model)->n_members);
    assert_int_equal(info->n_columns, 2);
    refuse_to_work(described, &rows);
    unsigned char *data = read_bytes(test_path("trees"), &size);
    break_trees(size, data);
    write_bytes(test_path("broken"), size, data);
    assert_int_equal(dedpul_model_load(test_path("broken"), NULL, NULL, &broken, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_null(broken);
    assert_ok(dedpul_model_load_description(test_path("broken"), NULL, &broken, &test_error), &test_error);
    free(data);
    dedpul_model_free(broken);
    dedpul_model_free(described);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* ---- files that are long ---- */

static void *modest_resize(void *context, void *block, size_t size)
{
    (void)context;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size > (size_t)16 << 20 ? NULL : realloc(block, size);
}

/* Gigabytes behind a model are not read: memory for them is refused here. */
static void test_long_files(void **state)
{
    const dedpul_allocator modest = {NULL, modest_resize};
    dedpul_model *model = NULL;
    size_t size;
    (void)state;
    unsigned char *data = small_model(&size);
    for (int damaged = 0; damaged < 2; damaged++) {
        data[0] = (unsigned char)(data[0] + damaged);
        write_bytes(test_path("long"), size, data);
        assert_int_equal(truncate(test_path("long"), (off_t)8 << 30), 0); /* a hole, which takes no space */
        assert_int_equal(dedpul_model_load(test_path("long"), NULL, &modest, &model, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, damaged ? "is not a model file" : "is damaged");
        assert_int_equal(dedpul_model_load_description(test_path("long"), &modest, &model, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_null(model);
    }
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_no_networks),
        cmocka_unit_test(test_out_of_bounds),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_parameters_not_finite),
        cmocka_unit_test(test_parameters_that_overflow),
        cmocka_unit_test(test_earlier_formats),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_long_files),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
