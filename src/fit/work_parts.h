/* Progress of work that has several parts: which one it is at, and how long all of it may still take. */
#ifndef DEDPUL_FIT_WORK_PARTS_H
#define DEDPUL_FIT_WORK_PARTS_H

#include "context.h"

/* A part takes about as long as others of its kind. */
enum part_kind { PART_QUICK, PART_TRAINS, N_PART_KINDS };

/* The parts of a kind. */
struct part_times {
    size_t done, left;
    double seconds; /* that those done took */
};

struct work_parts {
    dedpul_progress_function *progress; /* the listener */
    void *progress_context;
    const char *name;   /* what the parts are: "methods" */
    size_t part, parts; /* parts count from 1; 0 comes before them */
    struct part_times times[N_PART_KINDS];
    double part_began;
    enum part_kind kind;
    bool is_timed;
};

/* From now on, all that the context reports is reported with its part. */
void work_parts_begin(struct context *context, const char *name, struct work_parts *work);

/* Tells, before the first part, that there will be one of this kind. */
void work_parts_add(struct work_parts *work, enum part_kind kind);

/* Tells that work of this kind begins which the parts need. */
void work_parts_prepare(struct work_parts *work, enum part_kind kind);

/* Goes on to the next part, and reports that. */
dedpul_status work_parts_next(struct context *context, struct work_parts *work, enum part_kind kind);

#endif
