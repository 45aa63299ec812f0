#include "class_measures.h"

#include <math.h>

static const struct measure undefined = {NAN, NAN, 0};

struct classes classes_of(size_t n, const double *rows, const double *positive, const double *negative,
                          double labeled)
{
    struct classes classes = {.n = n, .rows = rows, .positive = positive, .negative = negative};
    classes.labeled = labeled;
    for (size_t g = 0; g < n; g++) {
        classes.total_rows += rows[g];
        classes.total_positive += positive[g];
        classes.total_negative += negative[g];
    }
    return classes;
}

/*
 * A classifier learns by chance which positives are labeled, the more so the more of the unlabeled rows are
 * positive, and held-out rows of the same sample show it. On 399 samples of 32 public tables that are not in
 * the benchmark, the shares of labeled rows and of unlabeled positives above a threshold differed with 1.1 to
 * 2 times the variance of chance. Part of that is in the scenarios.
 */
static const double more_than_chance = 0.4;

/*
 * Where positives lie is known from the labeled rows, and is true of the unlabeled positives up to chance:
 * the difference of two samples has the variance of one of this size.
 */
static double size_of_positives(const struct classes *classes)
{
    const double alpha = classes->total_positive / (classes->total_positive + classes->total_negative);
    return 1 / ((1 / classes->labeled + 1 / classes->total_positive) * (1 + more_than_chance * alpha));
}

static double size_of_negatives(const struct classes *classes)
{
    return fmax(classes->total_negative, 1);
}

struct measure measure_auc(const struct classes *classes)
{
    const double p = classes->total_positive, n = classes->total_negative;
    double above_p = 0, above_n = 0, sum = 0, squares_p = 0, squares_n = 0;
    if (!(p > 0 && n > 0))
        return undefined;
    for (size_t g = 0; g < classes->n; g++) {
        const double positive = classes->positive[g], negative = classes->negative[g];
        /* The share of negatives above a positive of this group, and that of positives below a negative. */
        const double worse = (above_n + negative / 2) / n, better = 1 - (above_p + positive / 2) / p;
        sum += positive * worse;
        squares_p += positive * worse * worse;
        squares_n += negative * better * better;
        above_p += positive;
        above_n += negative;
    }
    const double missed = sum / p; /* the mean of both shares */
    const double size_p = size_of_positives(classes), size_n = size_of_negatives(classes);
    const double half_a_row = 0.5 / size_p; /* which may be out of place even if none is */
    const double variance = fmax(squares_p / p - missed * missed, 0) / size_p +
                            fmax(squares_n / n - missed * missed, 0) / size_n + half_a_row * half_a_row;
    return (struct measure){1 - missed, sqrt(variance), 0};
}

/* Rows above which all are positive have this precision, too. */
static double precision_of(const struct flagged *flagged)
{
    return flagged->positive < flagged->rows ? flagged->positive / flagged->rows : 1;
}

/*
 * Let R and F be the shares of positives and negatives at or above a threshold, and a the share of positives.
 * These are derivatives of a measure by R and by F.
 */
struct slopes {
    double by_positives, by_negatives;
};

/* Precision is a R / (a R + (1 - a) F). Its slopes are multiplied by `step`. */
static struct slopes slopes_of(const struct classes *classes, const struct flagged *flagged, double step)
{
    const double precision = precision_of(flagged);
    if (!(flagged->rows > 0))
        return (struct slopes){0, 0};
    return (struct slopes){(1 - precision) * classes->total_positive / flagged->rows * step,
                           -precision * classes->total_negative / flagged->rows * step};
}

/* A walk over the thresholds, from the highest down. */
struct walk {
    struct flagged flagged;
    double negative;      /* weight of the negatives that are flagged */
    double precision;     /* at this threshold */
    double step;          /* of R: the share of positives in the group */
    struct slopes slopes; /* of precision */
};

static void walk_to(const struct classes *classes, size_t group, struct walk *walk)
{
    walk->flagged.rows += classes->rows[group];
    walk->flagged.positive += classes->positive[group];
    walk->negative += classes->negative[group];
    walk->precision = precision_of(&walk->flagged);
    walk->step = classes->positive[group] / classes->total_positive;
    walk->slopes = slopes_of(classes, &walk->flagged, walk->step);
}

/* Sums over all thresholds. */
struct precision_sums {
    double mean;                       /* of precision over the positives */
    struct slopes slopes, expectation; /* the sum of the slopes, and that of slopes times R and F */
};

static struct precision_sums sum_precision(const struct classes *classes)
{
    struct precision_sums sums = {.mean = 0};
    struct walk walk = {.step = 0};
    for (size_t g = 0; g < classes->n; g++) {
        walk_to(classes, g, &walk);
        sums.mean += walk.step * walk.precision;
        sums.slopes.by_positives += walk.slopes.by_positives;
        sums.slopes.by_negatives += walk.slopes.by_negatives;
        sums.expectation.by_positives +=
            walk.slopes.by_positives * walk.flagged.positive / classes->total_positive;
        sums.expectation.by_negatives +=
            walk.slopes.by_negatives * walk.negative / size_of_negatives(classes);
    }
    return sums;
}

/*
 * The error is by the delta method. One more positive, or negative, of a group raises R, or F, at all
 * thresholds at or below its score; `influence` is what that adds to the mean.
 */
struct measure measure_average_precision(const struct classes *classes)
{
    struct walk walk = {.step = 0};
    double variance_p = 0, variance_n = 0;
    if (!(classes->total_positive > 0))
        return undefined;
    const struct precision_sums sums = sum_precision(classes);
    struct slopes below = sums.slopes;
    for (size_t g = 0; g < classes->n; g++) {
        walk_to(classes, g, &walk);
        const double influence_p = walk.precision + below.by_positives - walk.slopes.by_positives / 2 -
                                   sums.mean - sums.expectation.by_positives;
        const double influence_n =
            below.by_negatives - walk.slopes.by_negatives / 2 - sums.expectation.by_negatives;
        variance_p += walk.step * influence_p * influence_p;
        variance_n += classes->negative[g] / size_of_negatives(classes) * influence_n * influence_n;
        below.by_positives -= walk.slopes.by_positives;
        below.by_negatives -= walk.slopes.by_negatives;
    }
    const double variance = variance_p / size_of_positives(classes) + variance_n / size_of_negatives(classes);
    return (struct measure){sums.mean, sqrt(variance), 0};
}

/* The standard error of a share in a sample; half a row more keeps it above 0. */
static double error_of_share(double share, double size)
{
    const double inside = (fmin(share, 1) * size + 0.5) / (size + 1);
    return sqrt(inside * (1 - inside) / size);
}

/* The standard error of the share of positives that are flagged. */
static double error_of_recall(const struct classes *classes, const struct flagged *flagged)
{
    return error_of_share(flagged->positive / classes->total_positive, size_of_positives(classes));
}

/* The share of negatives that are flagged. */
static double fall_out_of(const struct classes *classes, const struct flagged *flagged)
{
    return fmax(flagged->rows - flagged->positive, 0) / classes->total_negative;
}

static double error_of_fall_out(const struct classes *classes, const struct flagged *flagged)
{
    return error_of_share(fall_out_of(classes, flagged), size_of_negatives(classes));
}

struct measure measure_recall(const struct classes *classes, const struct flagged *flagged)
{
    if (!(classes->total_positive > 0))
        return undefined;
    if (flagged->rows >= classes->total_rows) /* all rows together hold all positives */
        return (struct measure){1, 0, 0};
    return (struct measure){flagged->positive / classes->total_positive, error_of_recall(classes, flagged),
                            size_of_positives(classes)};
}

struct measure measure_fall_out(const struct classes *classes, const struct flagged *flagged)
{
    if (!(classes->total_negative > 0))
        return undefined;
    if (flagged->rows >= classes->total_rows) /* and all negatives */
        return (struct measure){1, 0, 0};
    return (struct measure){fall_out_of(classes, flagged), error_of_fall_out(classes, flagged),
                            size_of_negatives(classes)};
}

struct measure measure_precision(const struct classes *classes, const struct flagged *flagged)
{
    if (!(classes->total_positive > 0 && flagged->rows > 0))
        return undefined;
    const struct slopes slopes = slopes_of(classes, flagged, 1);
    return (struct measure){precision_of(flagged),
                            hypot(slopes.by_positives * error_of_recall(classes, flagged),
                                  slopes.by_negatives * error_of_fall_out(classes, flagged)),
                            0};
}

/* F1 is 2 a R / (a + a R + (1 - a) F). */
struct measure measure_f1(const struct classes *classes, const struct flagged *flagged)
{
    const double both = classes->total_positive + flagged->rows;
    if (!(classes->total_positive > 0))
        return undefined;
    const double f1 = 2 * fmin(flagged->positive, flagged->rows) / both;
    const struct slopes slopes = {(2 - f1) * classes->total_positive / both,
                                  -f1 * classes->total_negative / both};
    return (struct measure){f1,
                            hypot(slopes.by_positives * error_of_recall(classes, flagged),
                                  slopes.by_negatives * error_of_fall_out(classes, flagged)),
                            0};
}

struct measure measure_best_f1(const struct classes *classes)
{
    struct flagged flagged = {0, 0}, best = {0, 0};
    double highest = -1;
    for (size_t g = 0; g < classes->n; g++) {
        flagged.rows += classes->rows[g];
        flagged.positive += classes->positive[g];
        const double f1 = fmin(flagged.positive, flagged.rows) / (classes->total_positive + flagged.rows);
        if (f1 > highest) {
            highest = f1;
            best = flagged;
        }
    }
    return measure_f1(classes, &best);
}
