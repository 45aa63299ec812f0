#include "support.h"

#include <stdio.h>

dedpul_error test_error;

void assert_near_at(double a, double b, double tolerance, const char *file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s:%d: %.17g and %.17g differ by more than %g\n", file, line, a, b, tolerance);
        fail();
    }
}

void assert_ok_at(dedpul_status status, const dedpul_error *error, const char *file, int line)
{
    if (status != DEDPUL_OK) {
        print_error("%s:%d: %s: %s\n", file, line, dedpul_status_name(status), error->message);
        fail();
    }
}

void assert_contains_at(const char *text, const char *part, const char *file, int line)
{
    if (strstr(text, part) == NULL) {
        print_error("%s:%d: \"%s\" does not contain \"%s\"\n", file, line, text, part);
        fail();
    }
}

/* What a test's context points to. */
struct test_memory {
    struct arena arena; /* first: context->arena is a struct test_memory * */
    struct warnings warnings;
};

void test_context_open(struct context *context, const dedpul_allocator *allocator, dedpul_error *error)
{
    struct test_memory *memory = calloc(1, sizeof *memory);
    assert_non_null(memory);
    arena_init(&memory->arena, allocator);
    *context = context_of(&memory->arena, &memory->warnings, error);
}

void test_context_close(struct context *context)
{
    struct test_memory *memory = (struct test_memory *)context->arena;
    arena_free(&memory->arena);
    free(memory);
}

void test_context_init(struct context *context)
{
    test_error = (dedpul_error){DEDPUL_OK, ""};
    test_context_open(context, NULL, &test_error);
}

double random_normal(struct rng *rng)
{
    return sqrt(-2 * log(1 - rng_uniform(rng))) * cos(6.283185307179586 * rng_uniform(rng));
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_doubles(size_t n, double *value)
{
    qsort(value, n, sizeof *value, compare);
}

static double ideal_score(double x, double gap, double alpha)
{
    const double f_p = exp(-(x - gap) * (x - gap) / 2), f_n = exp(-x * x / 2);
    return f_p / (f_p + alpha * f_p + (1 - alpha) * f_n);
}

struct test_problem problem_make(size_t n_p, size_t n_u, double alpha, double gap, uint64_t seed)
{
    struct test_problem problem = {n_p, n_u, malloc(n_p * sizeof(double)), malloc(n_u * sizeof(double)),
                                   alpha};
    struct rng rng;
    rng_init(&rng, seed, 77);
    for (size_t i = 0; i < n_p; i++)
        problem.p[i] = ideal_score(gap + random_normal(&rng), gap, alpha);
    for (size_t i = 0; i < n_u; i++) /* positives first: the order of rows must not matter */
        problem.u[i] =
            ideal_score(((double)i < alpha * (double)n_u ? gap : 0) + random_normal(&rng), gap, alpha);
    return problem;
}

void problem_free(struct test_problem *problem)
{
    free(problem->p);
    free(problem->u);
}

dedpul_result *problem_estimate(const struct test_problem *problem, ...)
{
    const dedpul_sample p = {problem->n_p, problem->p, NULL}, u = {problem->n_u, problem->u, NULL};
    dedpul_options options;
    dedpul_result *result = NULL;
    va_list arguments;
    const char *name;
    dedpul_options_init(&options);
    options.threads = 1;
    va_start(arguments, problem);
    while ((name = va_arg(arguments, const char *)) != NULL)
        assert_ok(dedpul_options_set(&options, name, va_arg(arguments, const char *), &test_error),
                  &test_error);
    va_end(arguments);
    assert_ok(dedpul_estimate_two(&p, &u, &options, &result, &test_error), &test_error);
    return result;
}

size_t score_method_count(void)
{
    size_t n = 0;
    while (n < dedpul_method_count() && !dedpul_method_needs_table(n))
        n++;
    return n;
}

bool has_warning(const dedpul_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i].name, name) == 0)
            return true;
    return false;
}

void assert_same_result(const dedpul_result *a, const dedpul_result *b)
{
    assert_memory_equal(&a->alpha, &b->alpha, sizeof a->alpha);
    assert_memory_equal(&a->alpha_c, &b->alpha_c, sizeof a->alpha_c);
    assert_memory_equal(&a->alpha_n, &b->alpha_n, sizeof a->alpha_n);
    assert_memory_equal(&a->scale, &b->scale, sizeof a->scale);
    assert_memory_equal(&a->auc, &b->auc, sizeof a->auc);
    assert_int_equal(a->n_unlabeled, b->n_unlabeled);
    assert_memory_equal(a->ratio, b->ratio, a->n_unlabeled * sizeof *a->ratio);
    assert_memory_equal(a->posterior, b->posterior, a->n_unlabeled * sizeof *a->posterior);
    assert_memory_equal(a->curve_d, b->curve_d, DEDPUL_CURVE_POINTS * sizeof *a->curve_d);
}
