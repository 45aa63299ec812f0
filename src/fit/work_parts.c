#include "work_parts.h"

#include "clock.h"

#include <math.h>
#include <string.h>

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

static double seconds_left(const struct work_parts *work, const dedpul_progress *now, double time)
{
    if (now->step == 0)
        return 0;
    const double of_step = (time - work->stage_began) / (double)now->step;
    const double left = of_step * (double)(now->steps - now->step);
    return left + later_seconds(work, time - work->part_began + left);
}

/* A dedpul_progress_function: tells the listener of the part, too. A stage begins where the last one ended.
 */
static int tell(void *context, const dedpul_progress *now)
{
    struct work_parts *work = context;
    dedpul_progress all = *now;
    const double time = clock_seconds();
    if (work->stage == NULL || strcmp(work->stage, now->stage) != 0) {
        work->stage = now->stage;
        work->stage_began = work->last_told;
    }
    work->last_told = time;
    all.part = work->part;
    all.parts = work->parts;
    all.left = seconds_left(work, now, time);
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
    work->part_began = work->last_told = clock_seconds();
    work->stage = NULL;
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
