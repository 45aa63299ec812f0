#include "linear_program.h"

#include <math.h>
#include <string.h>

/*
 * The dictionary: each basic variable is its value minus a combination of the others, which are 0. At the
 * start the basic ones are the slacks of the conditions, and the others the unknowns. Variables are numbered:
 * the unknowns 0 .. n-1, then the slacks.
 */
struct dictionary {
    size_t n, m;
    double *cell;   /* (m + 1, n + 1) row m is the objective, column n has the values */
    size_t *others; /* (n) the variables that are 0 */
    size_t *basic;  /* (m) the variables of the rows */
};

/* Coefficients nearer to 0 count as rounding errors. */
static const double least_coefficient = 1e-11;

static double *row_of(const struct dictionary *dictionary, size_t row)
{
    return dictionary->cell + row * (dictionary->n + 1);
}

static dedpul_status dictionary_init(struct context *context, const struct linear_program *program,
                                     struct dictionary *dictionary)
{
    const size_t n = program->n, m = program->m;
    *dictionary = (struct dictionary){
        .n = n,
        .m = m,
        .cell = context_allocate(context, (m + 1) * (n + 1), sizeof(double)),
        .others = context_allocate(context, n + 1, sizeof(size_t)),
        .basic = context_allocate(context, m + 1, sizeof(size_t)),
    };
    if (dictionary->cell == NULL || dictionary->others == NULL || dictionary->basic == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < m; i++) {
        memcpy(row_of(dictionary, i), program->a + i * n, n * sizeof(double));
        row_of(dictionary, i)[n] = program->b[i];
        dictionary->basic[i] = n + i;
    }
    double *objective = row_of(dictionary, m);
    for (size_t j = 0; j < n; j++) {
        objective[j] = -program->c[j];
        dictionary->others[j] = j;
    }
    objective[n] = 0;
    return DEDPUL_OK;
}

/*
 * Bland's rule, which never cycles: of the variables that would raise the value, the one of lowest number.
 * Returns n if there is none.
 */
static size_t find_entering(const struct dictionary *dictionary)
{
    const double *objective = row_of(dictionary, dictionary->m);
    size_t best = dictionary->n;
    for (size_t j = 0; j < dictionary->n; j++)
        if (objective[j] < -least_coefficient &&
            (best == dictionary->n || dictionary->others[j] < dictionary->others[best]))
            best = j;
    return best;
}

/*
 * The row whose variable is the first to reach 0 as the entering one grows; of equals, that of lowest number.
 * Returns m if none does.
 */
static size_t find_leaving(const struct dictionary *dictionary, size_t column)
{
    double shortest = INFINITY;
    size_t best = dictionary->m;
    for (size_t i = 0; i < dictionary->m; i++) {
        const double *cell = row_of(dictionary, i);
        if (cell[column] <= least_coefficient)
            continue;
        const double step = cell[dictionary->n] / cell[column];
        if (best == dictionary->m || step < shortest ||
            (step == shortest && dictionary->basic[i] < dictionary->basic[best])) {
            shortest = step;
            best = i;
        }
    }
    return best;
}

static void pivot(struct dictionary *dictionary, size_t row, size_t column)
{
    const size_t n = dictionary->n;
    double *cell = row_of(dictionary, row);
    const double at = cell[column];
    cell[column] = 1;
    for (size_t j = 0; j <= n; j++)
        cell[j] /= at;
    for (size_t i = 0; i <= dictionary->m; i++) {
        double *other = row_of(dictionary, i);
        const double factor = other[column];
        if (i == row || factor == 0)
            continue;
        other[column] = 0;
        for (size_t j = 0; j <= n; j++)
            other[j] -= factor * cell[j];
        if (i < dictionary->m && other[n] < 0)
            other[n] = 0; /* by rounding */
    }
    const size_t entered = dictionary->others[column];
    dictionary->others[column] = dictionary->basic[row];
    dictionary->basic[row] = entered;
}

/* Values of the unknowns are in the last column, prices of the conditions in the last row. */
static dedpul_status read_answer(struct context *context, const struct dictionary *dictionary,
                                 struct linear_maximum *maximum)
{
    const size_t n = dictionary->n, m = dictionary->m;
    maximum->x = context_allocate(context, n, sizeof *maximum->x);
    maximum->price = context_allocate(context, m, sizeof *maximum->price);
    if (maximum->x == NULL || maximum->price == NULL)
        return DEDPUL_NO_MEMORY;
    memset(maximum->x, 0, n * sizeof *maximum->x);
    memset(maximum->price, 0, m * sizeof *maximum->price);
    for (size_t i = 0; i < m; i++)
        if (dictionary->basic[i] < n)
            maximum->x[dictionary->basic[i]] = row_of(dictionary, i)[n];
    for (size_t j = 0; j < n; j++)
        if (dictionary->others[j] >= n)
            maximum->price[dictionary->others[j] - n] = fmax(row_of(dictionary, m)[j], 0);
    return DEDPUL_OK;
}

/* Computes what the answer is worth from the program itself, not from the dictionary. */
static void measure(const struct linear_program *program, struct linear_maximum *maximum)
{
    double bound = 0;
    maximum->value = maximum->violation = 0;
    for (size_t i = 0; i < program->m; i++) {
        double used = 0;
        for (size_t j = 0; j < program->n; j++)
            used += program->a[i * program->n + j] * maximum->x[j];
        maximum->violation = fmax(maximum->violation, used - program->b[i]);
        bound += program->b[i] * maximum->price[i];
    }
    for (size_t j = 0; j < program->n; j++) {
        double paid = 0;
        for (size_t i = 0; i < program->m; i++)
            paid += program->a[i * program->n + j] * maximum->price[i];
        maximum->violation = fmax(maximum->violation, program->c[j] - paid);
        maximum->value += program->c[j] * maximum->x[j];
    }
    maximum->gap = bound - maximum->value;
}

dedpul_status linear_program_solve(struct context *context, const struct linear_program *program,
                                   struct linear_maximum *maximum)
{
    static const double tolerance = 1e-9;
    enum { MOST_PIVOTS = 100000 };
    struct dictionary dictionary;
    TRY(dictionary_init(context, program, &dictionary));
    for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
        const size_t column = find_entering(&dictionary);
        if (column == program->n)
            break;
        const size_t row = find_leaving(&dictionary, column);
        if (row == program->m)
            return error_set(context->error, DEDPUL_INVALID_DATA, "a linear program has no bound");
        pivot(&dictionary, row, column);
    }
    TRY(read_answer(context, &dictionary, maximum));
    measure(program, maximum);
    if (!(fabs(maximum->gap) <= tolerance && maximum->violation <= tolerance))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "a linear program was not solved: its gap is %g, its violation %g", maximum->gap,
                         maximum->violation);
    return DEDPUL_OK;
}
