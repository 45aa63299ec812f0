/* Small tables of known shares, and fits that take little time: for tests of models. */
#ifndef DEDPUL_TESTS_FITTING_H
#define DEDPUL_TESTS_FITTING_H

#include "support.h"

/*
 * Positives N(gap / sqrt(width), 1) in each column, negatives N(0, 1); labeled rows first, then unlabeled
 * ones. Numbers are those of floats.
 */
struct crowd {
    size_t n_positive, n, width;
    double alpha;
    double *x;            /* (n, width) */
    float *x32;           /* (n, width) the same */
    unsigned char *label; /* (n) */
    double *posterior;    /* (n - n_positive) the ideal one */
};

struct crowd crowd_make(size_t n_positive, size_t n_unlabeled, size_t width, double alpha, double gap,
                        uint64_t seed);
void crowd_free(struct crowd *crowd);

dedpul_matrix crowd_matrix(const struct crowd *crowd);
dedpul_table *crowd_table(const struct crowd *crowd, const double *weight);

/* "label,1,2,..." with all digits. */
void crowd_write(const struct crowd *crowd, const char *path);

/* The classifiers that need no images. */
size_t table_classifier_count(void);
const char *table_classifier_name(size_t index);

/* The methods that train networks of their own. */
size_t trained_method_count(void);
const char *trained_method_name(size_t index); /* NULL for an index out of range */

/* Few folds, narrow layers, few epochs and rounds. classifier may be NULL. */
dedpul_options cheap_options(const char *classifier);

struct fitted {
    dedpul_model *model;
    dedpul_result *result;
    double *score;
};

struct fitted fit_rows(const dedpul_table *table, const dedpul_options *options);
struct fitted fit_crowd(const struct crowd *crowd, const double *weight, const dedpul_options *options);
/* A model that is mostly text: one-hot, codes, two levels. */
struct fitted fit_texts(const char *encode);
void fitted_free(struct fitted *fitted);

dedpul_model *load_model(const char *path);
/* Writes out.csv. */
dedpul_prediction predict_table_file(const dedpul_model *model, const char *path, unsigned threads);

/* Root of the mean squared difference. */
double distance(size_t n, const double *a, const double *b);

/* A file of this name in the test's own directory, which is made at first use. Static, four in turn. */
const char *test_path(const char *name);
/* Removes the directory and all in it: for the group's end. */
int remove_test_files(void **state);

void write_bytes(const char *path, size_t size, const void *data);
void write_text(const char *path, const char *text);
/* The whole file, followed by a NUL; free it. size may be NULL. */
unsigned char *read_bytes(const char *path, size_t *size);

#endif
