/* What several tests share. */
#ifndef DEDPUL_TESTS_SUPPORT_H
#define DEDPUL_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "context.h"
#include "rng.h"

#include "dedpul.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* |a - b| <= tolerance, with both values in the message where it is not. */
#define assert_near(a, b, tolerance) assert_near_at((a), (b), (tolerance), __FILE__, __LINE__)
void assert_near_at(double a, double b, double tolerance, const char *file, int line);

/* The call succeeds, or the test fails with its message. */
#define assert_ok(call, error) assert_ok_at((call), (error), __FILE__, __LINE__)
void assert_ok_at(dedpul_status status, const dedpul_error *error, const char *file, int line);

#define assert_contains(text, part) assert_contains_at((text), (part), __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, const char *file, int line);

/* A context for a test's direct calls of internal functions, with memory and warnings of its own. */
void test_context_open(struct context *context, const dedpul_allocator *allocator, dedpul_error *error);
void test_context_close(struct context *context);

/* The same with the error `test_error`. */
extern dedpul_error test_error;
void test_context_init(struct context *context);

double random_normal(struct rng *rng);

void sort_doubles(size_t n, double *value);

/*
 * Scores of the ideal balanced classifier for positives N(gap, 1) and negatives N(0, 1) with a share
 * alpha of positives in U. Free with problem_free.
 */
struct test_problem {
    size_t n_p, n_u;
    double *p, *u;
    double alpha;
};

struct test_problem problem_make(size_t n_p, size_t n_u, double alpha, double gap, uint64_t seed);
void problem_free(struct test_problem *problem);

/* Estimates from the problem's scores, with options by name and value ending in NULL. */
dedpul_result *problem_estimate(const struct test_problem *problem, ...);

/* The methods that need no table come first. */
size_t score_method_count(void);

bool has_warning(const dedpul_result *result, const char *name);

/* Bit for bit the same numbers. */
void assert_same_result(const dedpul_result *a, const dedpul_result *b);

#endif
