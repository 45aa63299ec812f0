/* Linear programs: conditions recomputed from the numbers, and the best of all corners. */
#include "linear_program.h"
#include "support.h"

#include <stdbool.h>

enum { MOST_N = 4, MOST_M = 12 };

struct problem {
    double a[MOST_M * MOST_N], b[MOST_M], c[MOST_N];
    struct linear_program program;
};

static void set(struct problem *problem, size_t n, size_t m)
{
    problem->program = (struct linear_program){n, m, problem->a, problem->b, problem->c};
}

/* Shares of samples in sets, as in the program that is solved for kinds; x is bounded by the last condition.
 */
static void randomise(struct problem *problem, struct rng *rng)
{
    const size_t n = 1 + (size_t)(rng_uniform(rng) * MOST_N), m = 1 + (size_t)(rng_uniform(rng) * MOST_M);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++)
            problem->a[i * n + j] = i == m - 1 ? 1 : fmax(0, rng_uniform(rng) - 0.3);
        problem->b[i] = i == m - 1 ? 1 : fmax(0, rng_uniform(rng) - 0.1);
    }
    for (size_t j = 0; j < n; j++)
        problem->c[j] = rng_uniform(rng) < 0.5 ? 1 : rng_uniform(rng) - 0.2;
    set(problem, n, m);
}

/* Solves n equations by elimination. Returns false if they have no single solution. */
static bool solve_equations(size_t n, double e[MOST_N][MOST_N + 1])
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            best = fabs(e[i][k]) > fabs(e[best][k]) ? i : best;
        if (fabs(e[best][k]) < 1e-10)
            return false;
        for (size_t j = 0; j <= n; j++) {
            const double swapped = e[k][j];
            e[k][j] = e[best][j];
            e[best][j] = swapped;
        }
        for (size_t i = 0; i < n; i++) {
            const double factor = e[i][k] / e[k][k];
            for (size_t j = 0; i != k && j <= n; j++)
                e[i][j] -= factor * e[k][j];
        }
    }
    for (size_t k = 0; k < n; k++)
        e[k][n] /= e[k][k];
    return true;
}

/* The value at the corner where the chosen conditions (the m of A, then x >= 0) hold exactly, or -infinity.
 */
static double value_at(const struct linear_program *program, const size_t *chosen)
{
    const size_t n = program->n, m = program->m;
    double e[MOST_N][MOST_N + 1];
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < n; j++)
            e[k][j] = chosen[k] < m ? program->a[chosen[k] * n + j] : (double)(chosen[k] - m == j);
        e[k][n] = chosen[k] < m ? program->b[chosen[k]] : 0;
    }
    if (!solve_equations(n, e))
        return -INFINITY;
    double value = 0;
    for (size_t i = 0; i < m; i++) {
        double used = 0;
        for (size_t j = 0; j < n; j++)
            used += program->a[i * n + j] * e[j][n];
        if (used > program->b[i] + 1e-9)
            return -INFINITY;
    }
    for (size_t j = 0; j < n; j++) {
        if (e[j][n] < -1e-9)
            return -INFINITY;
        value += program->c[j] * e[j][n];
    }
    return value;
}

/* Tries all ways to choose n of the m + n conditions. */
static double best_corner(const struct linear_program *program, size_t *chosen, size_t depth, size_t from)
{
    double best = -INFINITY;
    if (depth == program->n)
        return value_at(program, chosen);
    for (chosen[depth] = from; chosen[depth] < program->m + program->n; chosen[depth]++)
        best = fmax(best, best_corner(program, chosen, depth + 1, chosen[depth] + 1));
    return best;
}

/* x and the prices are allowed, and prove each other's optimality. */
static void check_conditions(const struct linear_program *program, const struct linear_maximum *maximum)
{
    double value = 0, bound = 0;
    for (size_t i = 0; i < program->m; i++) {
        double used = 0;
        for (size_t j = 0; j < program->n; j++)
            used += program->a[i * program->n + j] * maximum->x[j];
        assert_true(used <= program->b[i] + 1e-9);
        assert_true(maximum->price[i] >= 0);
        assert_true(maximum->price[i] * (program->b[i] - used) < 1e-9); /* a price only where it binds */
        bound += maximum->price[i] * program->b[i];
    }
    for (size_t j = 0; j < program->n; j++) {
        double paid = 0;
        for (size_t i = 0; i < program->m; i++)
            paid += program->a[i * program->n + j] * maximum->price[i];
        assert_true(maximum->x[j] >= 0);
        assert_true(paid >= program->c[j] - 1e-9);
        value += program->c[j] * maximum->x[j];
    }
    assert_near(maximum->value, value, 1e-12);
    assert_near(value, bound, 1e-9);
    assert_near(maximum->gap, bound - value, 1e-12);
}

static void random_programs_have_the_value_of_the_best_corner(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 0);
    for (int round = 0; round < 3000; round++) {
        struct context context;
        struct problem problem;
        struct linear_maximum maximum;
        size_t chosen[MOST_N];
        test_context_init(&context);
        randomise(&problem, &rng);
        assert_ok(linear_program_solve(&context, &problem.program, &maximum), &test_error);
        check_conditions(&problem.program, &maximum);
        assert_near(maximum.value, best_corner(&problem.program, chosen, 0, 0), 1e-8);
        test_context_close(&context);
    }
}

/* Beale's program, on which the simplex method with another rule goes round and round. */
static void a_program_that_invites_cycles_ends(void **state)
{
    struct context context;
    struct problem problem = {.a = {0.25, -60, -0.04, 9, 0.5, -90, -0.02, 3, 0, 0, 1, 0},
                              .b = {0, 0, 1},
                              .c = {0.75, -150, 0.02, -6}};
    struct linear_maximum maximum;
    (void)state;
    test_context_init(&context);
    set(&problem, 4, 3);
    assert_ok(linear_program_solve(&context, &problem.program, &maximum), &test_error);
    check_conditions(&problem.program, &maximum);
    assert_near(maximum.value, 0.05, 1e-12);
    test_context_close(&context);
}

static void a_value_without_a_bound_is_an_error(void **state)
{
    struct context context;
    struct problem problem = {.a = {1, -1}, .b = {1}, .c = {1, 1}};
    struct linear_maximum maximum;
    (void)state;
    test_context_init(&context);
    set(&problem, 2, 1);
    assert_int_equal(linear_program_solve(&context, &problem.program, &maximum), DEDPUL_INVALID_DATA);
    test_context_close(&context);
}

/* The program has an answer, but not one that can be told from rounding errors. */
static void a_coefficient_too_small_to_count_is_an_error(void **state)
{
    struct context context;
    struct problem problem = {.a = {1e-12}, .b = {1}, .c = {1}};
    struct linear_maximum maximum;
    (void)state;
    test_context_init(&context);
    set(&problem, 1, 1);
    assert_int_equal(linear_program_solve(&context, &problem.program, &maximum), DEDPUL_INVALID_DATA);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_have_the_value_of_the_best_corner),
        cmocka_unit_test(a_program_that_invites_cycles_ends),
        cmocka_unit_test(a_value_without_a_bound_is_an_error),
        cmocka_unit_test(a_coefficient_too_small_to_count_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
