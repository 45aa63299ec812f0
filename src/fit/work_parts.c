#include "work_parts.h"

#include "clock.h"

#include <math.h>

/* Parts that are left will take as long as those of their kind took, or as the present one will. */
static double later_seconds(const struct work_parts *work, double present)
{
    double sum = 0;
    for (int kind = 0; kind < N_PART_KINDS; kind++) {
        const struct part_times *times = &work->times[kind];
        if (times->done > 0)
            sum += (double)times->left * times->seconds / (double)times->done;
        else if (kind == (int)work->kind)
            sum += (double)times->left * present;
    }
    return sum;
}

/* A dedpul_progress_function: tells the listener of the part, and adds the time of the parts to come. */
static int tell(void *context, const dedpul_progress *now)
{
    const struct work_parts *work = context;
    dedpul_progress all = *now;
    all.part = work->part;
    all.parts = work->parts;
    if (now->left > 0)
        all.left += later_seconds(work, clock_seconds() - work->part_began + now->left);
    return work->progress(work->progress_context, &all);
}

void work_parts_begin(struct context *context, const char *name, struct work_parts *work)
{
    *work = (struct work_parts){
        .progress = context->progress, .progress_context = context->progress_context, .name = name};
    if (work->progress == NULL)
        return;
    context->progress = tell;
    context->progress_context = work;
}

void work_parts_add(struct work_parts *work, enum part_kind kind)
{
    work->parts++;
    work->times[kind].left++;
}

void work_parts_prepare(struct work_parts *work, enum part_kind kind)
{
    work->kind = kind;
    work->is_timed = true;
    work->part_began = clock_seconds();
}

dedpul_status work_parts_next(struct context *context, struct work_parts *work, enum part_kind kind)
{
    if (work->is_timed) {
        work->times[work->kind].done++;
        work->times[work->kind].seconds += clock_seconds() - work->part_began;
    }
    struct context listener = *context;
    listener.progress = work->progress;
    listener.progress_context = work->progress_context;
    const dedpul_progress progress = {.stage = work->name,
                                      .step = work->part,
                                      .steps = work->parts,
                                      .loss = NAN,
                                      .left = later_seconds(work, 0)};
    TRY(context_report(&listener, &progress));
    work_parts_prepare(work, kind);
    work->part++;
    work->times[kind].left--;
    return DEDPUL_OK;
}
