/*
 * What all calls of libdedpul share: version, status, error, memory, warnings, progress. The inner layers of
 * the library see this part of the interface, too. Include <dedpul.h>.
 */
#ifndef DEDPUL_COMMON_H
#define DEDPUL_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DEDPUL_API __attribute__((visibility("default")))
#else
#define DEDPUL_API
#endif

#define DEDPUL_VERSION_MAJOR 0
#define DEDPUL_VERSION_MINOR 12
#define DEDPUL_VERSION_PATCH 0

/* Returns "MAJOR.MINOR.PATCH" of the library that is linked, which may differ from the header's version. */
DEDPUL_API const char *dedpul_version(void);

/* ---- status and errors ----------------------------------------------------------------------- */

/* X(name, number, text). The numbers are part of the ABI. */
#define DEDPUL_STATUS_LIST(X)                                    \
    X(OK, 0, "success")                                          \
    X(INVALID_ARGUMENT, 1, "an argument or option is not valid") \
    X(INVALID_DATA, 2, "the data are not usable")                \
    X(NO_MEMORY, 3, "out of memory")                             \
    X(IO, 4, "a file could not be read or written")              \
    X(CANCELLED, 5, "stopped by the progress function")

typedef enum dedpul_status {
#define DEDPUL_ENUMERATOR_(name, number, text) DEDPUL_##name = number,
    DEDPUL_STATUS_LIST(DEDPUL_ENUMERATOR_)
#undef DEDPUL_ENUMERATOR_
} dedpul_status;

/* "OK", "INVALID_DATA", ...; "UNKNOWN" for a number that is not a status. Static strings. */
DEDPUL_API const char *dedpul_status_name(dedpul_status status);
DEDPUL_API const char *dedpul_status_text(dedpul_status status);

/* Says where and why a call failed: it names the file, row, column, value or option, and what to do. */
typedef struct dedpul_error {
    dedpul_status status;
    char message[1024]; /* NUL-terminated; shortened if it would not fit */
} dedpul_error;

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * All memory of the library itself that grows with the data comes from here (not that of XGBoost and oneDNN).
 * resize works like realloc, but size 0 means free: resize(context, NULL, size) allocates, resize(context,
 * block, size) changes the size and keeps the content, resize(context, block, 0) frees and returns NULL. If
 * it returns NULL for a size > 0, it failed and the old block stays. Blocks are aligned for any type. It must
 * be thread-safe if options.threads is not 1, and must outlive what was made with it.
 */
typedef struct dedpul_allocator {
    void *context;
    void *(*resize)(void *context, void *block, size_t size);
} dedpul_allocator;

/* ---- warnings -------------------------------------------------------------------------------- */

/* X(name, number, code): doubts about an answer. The numbers and codes are part of the ABI. */
#define DEDPUL_WARNING_LIST(X)                             \
    X(DISCRETE_SCORES, 1, "discrete_scores")               \
    X(UNINFORMATIVE_SCORES, 2, "uninformative_scores")     \
    X(TRIVIAL_ROOT, 3, "trivial_root")                     \
    X(PRIOR_NOT_SUPPORTED, 4, "prior_not_supported")       \
    X(PERFECT_SCORES, 5, "perfect_scores")                 \
    X(DROPPED_COLUMNS, 6, "dropped_columns")               \
    X(SLOW_NETWORKS, 7, "slow_networks")                   \
    X(MORE_COLUMNS_THAN_ROWS, 8, "more_columns_than_rows") \
    X(NO_NEGATIVES, 9, "no_negatives")                     \
    X(NUMBERS_AS_TEXT, 10, "numbers_as_text")              \
    X(REPEATED_ROWS, 11, "repeated_rows")                  \
    X(DENSITY_MISFIT, 12, "density_misfit")                \
    X(WEAKLY_IDENTIFIED, 13, "weakly_identified")          \
    X(FEW_LABELED_ON_TOP, 14, "few_labeled_on_top")        \
    X(ESTIMATORS_DISAGREE, 15, "estimators_disagree")      \
    X(SELECTED_LABELS, 16, "selected_labels")              \
    X(EPOCH_LIMIT, 17, "epoch_limit")                      \
    X(ABOVE_BOUND, 18, "above_bound")                      \
    X(LOW_POSTERIORS, 19, "low_posteriors")                \
    X(CLIPPED_PRECISION, 20, "clipped_precision")          \
    X(MISCALIBRATED, 21, "miscalibrated")                  \
    X(ALPHA_AS_KNOWN, 22, "alpha_as_known")                \
    X(DECIMAL_COMMAS, 23, "decimal_commas")                \
    X(ROW_NUMBERS, 24, "row_numbers")                      \
    X(OTHER_SHARE, 25, "other_share")                      \
    X(GOAL_OUT_OF_REACH, 26, "goal_out_of_reach")          \
    X(LEAKING_COLUMN, 27, "leaking_column")                \
    X(LARGE_GROUP, 28, "large_group")                      \
    X(RARE_KINDS, 29, "rare_kinds")                        \
    X(LABELS_UNCHECKED, 30, "labels_unchecked")            \
    X(PROPENSITY_MISMATCH, 31, "propensity_mismatch")      \
    X(UNREACHED_ROWS, 32, "unreached_rows")                \
    X(PICKED_LABELS, 33, "picked_labels")

typedef enum dedpul_warning_code {
#define DEDPUL_ENUMERATOR_(name, number, code) DEDPUL_WARNING_##name = number,
    DEDPUL_WARNING_LIST(DEDPUL_ENUMERATOR_)
#undef DEDPUL_ENUMERATOR_
} dedpul_warning_code;

/* ---- progress -------------------------------------------------------------------------------- */

/* What the steps of a stage are. */
typedef enum dedpul_unit {
    DEDPUL_UNIT_EPOCHS = 0, /* epochs of networks, rounds of trees, parts of a comparison */
    DEDPUL_UNIT_ROWS = 1,
    DEDPUL_UNIT_BYTES = 2, /* of a file as it is stored */
    DEDPUL_UNIT_COLUMNS = 3
} dedpul_unit;

/* What a long call is doing. */
typedef struct dedpul_progress {
    const char *stage;  /* "read", "encode", "mlp", "gbdt", "predict", ... */
    size_t step, steps; /* in the unit below; steps = 0 if the end is not known */
    double loss;        /* held out, balanced; NaN if there is none */
    size_t best_step;   /* the step with the lowest loss so far; 0: none */
    size_t part, parts; /* of a comparison: the method or classifier that it is at, from 1; 0: none */
    double left;        /* seconds that the call is likely to take still; 0: not known */
    dedpul_unit unit;   /* of step and steps */
    unsigned likely;    /* training ends when its loss no longer falls: about at this step; 0: not known */
    const char *faster; /* options of a fit that would take a third of the time or less, told once, if this */
                        /* one takes 10 seconds or more; NULL: none */
    double faster_seconds; /* that it would take with them */
} dedpul_progress;

/*
 * The library calls this from the thread that made the call. If it returns anything but 0, the call ends
 * with DEDPUL_CANCELLED.
 */
typedef int dedpul_progress_function(void *context, const dedpul_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
