/*
 * What is simulated. Each line is a choice that one may argue with; 'make learned' makes the weights anew.
 * Nothing real is among them, and none of the paper's synthetic sets, so that these stay tests. What real
 * classifiers do was measured on public tables that are not in the benchmark.
 */
#ifndef DEDPUL_LEARNED_CHOICES_H
#define DEDPUL_LEARNED_CHOICES_H

/* A range of values; "log-uniform" means uniform by their logarithms. */
struct range {
    double from, to;
};

/* ---- populations ---- */
enum { ATOMS = 4096 };                               /* of a population; half are drawn from P, half from N */
static const double on_a_line = 0.5;                 /* share of populations with 1 dimension */
enum { FEWEST_DIMENSIONS = 2, MOST_DIMENSIONS = 6 }; /* of the others */
enum { MOST_PARTS_ON_A_LINE = 3, MOST_CLUSTERS = 4 }; /* each class is a mixture of 1 to this many */
static const double one_family = 0.5;            /* share of lines on which all parts are of one family */
static const double same_place = 0.15;           /* share of lines on which N is only wider or narrower */
static const struct range distance = {0.5, 12};  /* of N on other lines, in widths of P; log-uniform */
static const struct range width_of_n = {0.4, 6}; /* on lines, in widths of P; log-uniform */
static const struct range cluster_distance = {0.3, 4}; /* spread of centers, in widths; log-uniform */
static const double alike = 0.25;                      /* share of populations whose N has a part like P */
static const double flattened = 0.2; /* share on which f_n / f_p is constant on a part of P */
static const double tail = 0.001;    /* share of P that inf f_n / f_p leaves out */

/* ---- problems ---- */
enum { SHARES_PER_POPULATION = 4, SIZES_PER_SHARE = 4 };
static const double low_shares = 0.15;                /* share of problems with alpha below 0.1, */
static const double high_shares = 0.15;               /* and above 0.9; otherwise alpha is uniform */
static const struct range labeled_rows = {10, 3e5};   /* log-uniform; the problems with one share have */
static const struct range rows_of_one = {0.5, 2};     /* this many times their common size; log-uniform */
static const struct range unlabeled_rows = {50, 1e7}; /* log-uniform */

/*
 * ---- errors of the classifier ----
 * The score is log f_p / f_u plus these. Their sizes are times u^2, u uniform, and shrink with more labeled
 * rows: times (rows / 1000)^shrinking.
 */
static const double shrinking = -0.2;
static const double largest_shrinking = 1.5;     /* the factor of small samples is at most this */
static const double bent = 0.2, bent_size = 0.4; /* share with a smooth error, and its largest size */
static const double noisy_line = 0.1, noisy_line_size = 0.4; /* the same of an error of each row by itself, */
static const double noisy_space = 0.25, noisy_space_size = 0.8; /* on lines and in more dimensions */
/*
 * Some classifiers err in both ways, by sizes times u, and as much with many labeled rows. Their claims do
 * not drift, unless they are warped (below): errors make scores claim too much, as a drift does, and the
 * networks have to see what errors do alone.
 */
static const double mistaken = 0.12, mistaken_size = 0.6;
static const double stepped = 0.15;          /* share of scores with few levels, as of trees */
static const struct range levels = {5, 300}; /* log-uniform */
/*
 * Cross-fitted scores of labeled rows and of unlabeled positives differ by more than chance, in either
 * direction. Measured on 432 problems: the AUC of one against the other is off by 1.0 (alpha near 0.1) to 1.5
 * (from 0.6 on) times its standard error. So the deviation beyond chance is about this many standard errors,
 * times alpha.
 */
static const double beyond_chance = 1.2;

/*
 * ---- what scores claim ----
 * A score claims to be log f_p / f_u. Real scores claim that plus a drift and a random walk along the logit
 * of the share of labeled rows above them. On 140 samples of 19 public tables with more than 250 labeled
 * rows, the drift is -0.2 to 0.4 per unit above the middle of the labeled rows, and -0.2 to 0.2 below it (in
 * 90% of the samples). If networks of 256,256 without dropout make the scores, it is 0.1 to 1.3 and 0 to 1.2
 * (54 samples). Simulated drifts cover most of both. Walks shrink with more labeled rows, as errors do.
 */
static const double bent_claims = 0.85; /* share of such claims among those that are not warped (below) */
static const struct range drift_above = {0, 0.8}, drift_below = {-0.3, 0.5}, walk = {0, 0.7};
static const double stretched = 0.15;         /* share of scores that are no log ratio, but are times */
static const struct range stretch = {0.2, 5}; /* a factor; log-uniform */
/* Some scores mean something else. Each has its share, whatever the others: */
static const double of_negatives = 0.1; /* log f_p / f_n, as of a classifier that knows negatives; */
static const double ranked = 0.1;       /* ranks among all rows; */
static const double warped = 0.1;       /* any others: claims drift and walk by these rates */
static const struct range wild_drift = {-0.6, 0.6}, wild_walk = {0, 3};

/* ---- training ---- */
enum { POPULATIONS = 100000, STEPS = 20000 };
static const double learning_rate = 3e-3; /* falls to 0 along a cosine */
static const double logit_part = 0.05; /* weight of the loss of logit(alpha*), beside that of alpha* itself */

#endif
