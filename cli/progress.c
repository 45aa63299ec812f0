#include "progress.h"

#include "interrupt.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LINE_SIZE = 256 };

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_init(struct progress *progress, bool quiet, bool verbose)
{
    const char *terminal = getenv("TERM");
    const bool can_draw = isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
    *progress =
        (struct progress){.quiet = quiet, .verbose = verbose, .on_terminal = can_draw, .began = seconds()};
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Adds to a line of text. */
__attribute__((format(printf, 2, 3))) static void add(char line[LINE_SIZE], const char *format, ...)
{
    const size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line + used, LINE_SIZE - used, format, arguments);
    va_end(arguments);
}

static void add_time(char line[LINE_SIZE], double time)
{
    add(line, "%.0f:%02d", floor(time / 60), (int)fmod(time, 60));
}

static void add_bar(char line[LINE_SIZE], const char *stage, size_t step, size_t steps)
{
    enum { WIDTH = 24 };
    const int done = (int)(WIDTH * ((double)step / (double)steps));
    add(line, "%s [%.*s%.*s] ", stage, done, "########################", WIDTH - done,
        "                        ");
}

/* What is done and, if it is known, of how much. */
static void add_amount(char line[LINE_SIZE], const dedpul_progress *now)
{
    static const char *const unit[] = {
        [DEDPUL_UNIT_ROWS] = " rows", [DEDPUL_UNIT_BYTES] = " MB", [DEDPUL_UNIT_COLUMNS] = " columns"};
    if (now->unit == DEDPUL_UNIT_BYTES) {
        add(line, "%.1f", 1e-6 * (double)now->step);
        if (now->steps > 0)
            add(line, "/%.1f", 1e-6 * (double)now->steps);
    } else {
        add(line, "%zu", now->step);
        if (now->steps > 0)
            add(line, "/%zu", now->steps);
    }
    if (now->unit != DEDPUL_UNIT_EPOCHS && now->unit <= DEDPUL_UNIT_COLUMNS)
        add(line, "%s", unit[now->unit]);
}

static void put_line(struct progress *progress, const char line[LINE_SIZE])
{
    (void)fprintf(stderr, "\r\033[K%.*s", terminal_columns() - 1, line);
    (void)fflush(stderr);
    progress->drawn = true;
}

/* Shows how long the whole work took so far, and how long it may still take, if that is known. */
static void add_times(char line[LINE_SIZE], double elapsed, double left)
{
    add(line, ", ");
    add_time(line, elapsed);
    if (left >= 0.5) {
        add(line, ", about ");
        add_time(line, round(left));
        add(line, " left");
    }
}

static void draw(struct progress *progress, const dedpul_progress *now, double time)
{
    const double left = time_left_follow(&progress->left, time, now->left);
    char line[LINE_SIZE] = "";
    if (now->part > 0)
        add(line, "%zu of %zu: ", now->part, now->parts);
    if (now->steps > 0)
        add_bar(line, now->stage, now->step, now->steps);
    else
        add(line, "%s ", now->stage);
    add_amount(line, now);
    add_times(line, time - progress->began, left); /* first, because a narrow terminal cuts the line off */
    if (!isnan(now->loss))
        add(line, ", loss %.4f", now->loss);
    if (now->best_step > 0)
        add(line, " (best at %zu)", now->best_step);
    put_line(progress, line);
}

/* "40 s", "5 minutes", "3 hours": a prediction has no more digits. */
static void add_rough_time(char line[LINE_SIZE], double time)
{
    if (time < 90)
        add(line, "%.0f s", time < 10 ? ceil(time) : 5 * round(time / 5));
    else if (time < 90 * 60)
        add(line, "%.0f minutes", round(time / 60));
    else
        add(line, "%.0f hours", round(time / 3600));
}

/* Tells, once, what would be faster; the library says so only if it is much. */
static void advise(struct progress *progress, const dedpul_progress *now, double time)
{
    char line[LINE_SIZE] = "about ";
    if (now->faster == NULL || now->parts > 0 || progress->quiet || !progress->on_terminal)
        return;
    add_rough_time(line, time - progress->began + now->left);
    add(line, "; with %s about ", now->faster);
    add_rough_time(line, now->faster_seconds);
    progress_end(progress);
    (void)fprintf(stderr, "%s\n", line);
}

/* Whether it is time to draw again. */
static bool is_due(struct progress *progress, double time)
{
    if (progress->quiet || !progress->on_terminal || time - progress->last < 0.1)
        return false;
    progress->last = time;
    return true;
}

int progress_show_runs(struct progress *progress, size_t done, size_t runs, double left)
{
    char line[LINE_SIZE] = "";
    const double time = seconds();
    if (is_due(progress, time)) {
        add_bar(line, "runs", done, runs);
        add(line, "%zu/%zu", done, runs);
        add_times(line, time - progress->began,
                  time_left_follow(&progress->left, time, isnan(left) ? 0 : left));
        put_line(progress, line);
    }
    return interrupt_signal();
}

int progress_show(void *context, const dedpul_progress *now)
{
    struct progress *progress = context;
    const double time = seconds();
    if (strncmp(progress->stage, now->stage, sizeof progress->stage - 1) != 0) {
        progress_end(progress);
        (void)snprintf(progress->stage, sizeof progress->stage, "%s", now->stage);
        progress->last = 0;
    }
    advise(progress, now, time);
    if (progress->verbose && now->unit == DEDPUL_UNIT_EPOCHS) {
        (void)fprintf(stderr, "%s %zu/%zu", now->stage, now->step, now->steps);
        if (!isnan(now->loss))
            (void)fprintf(stderr, " loss %.6f%s", now->loss, now->best_step == now->step ? " *" : "");
        (void)fputc('\n', stderr);
    } else if (is_due(progress, time)) {
        draw(progress, now, time);
    }
    return interrupt_signal();
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        (void)fputs("\r\033[K", stderr);
    progress->drawn = false;
}
