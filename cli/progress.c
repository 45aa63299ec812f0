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
    *progress = (struct progress){.quiet = quiet, .verbose = verbose, .on_terminal = can_draw};
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
    const int done = (int)(WIDTH * step / steps);
    add(line, "%s [%.*s%.*s] %zu/%zu", stage, done, "########################", WIDTH - done,
        "                        ", step, steps);
}

static void put_line(struct progress *progress, const char line[LINE_SIZE])
{
    (void)fprintf(stderr, "\r\033[K%.*s", terminal_columns() - 1, line);
    (void)fflush(stderr);
    progress->drawn = true;
}

/* Shows how long the whole call may still take if it has parts, or else this stage. */
static void add_times(char line[LINE_SIZE], const dedpul_progress *now, double elapsed)
{
    double left = now->left;
    if (now->parts == 0) {
        add(line, ", ");
        add_time(line, elapsed);
        if (left == 0 && now->steps > 0 && now->step > 0)
            left = elapsed / (double)now->step * (double)(now->steps - now->step);
    }
    if (left > 0) {
        add(line, ", at most ");
        add_time(line, left);
        add(line, " left");
    }
}

static void draw(struct progress *progress, const dedpul_progress *now, double elapsed)
{
    char line[LINE_SIZE] = "";
    if (now->part > 0)
        add(line, "%zu of %zu: ", now->part, now->parts);
    if (now->steps > 0)
        add_bar(line, now->stage, now->step, now->steps);
    else
        add(line, "%s %zu rows", now->stage, now->step);
    if (!isnan(now->loss))
        add(line, ", loss %.4f", now->loss);
    if (now->best_step > 0 && now->parts == 0) /* with parts, the line is full */
        add(line, " (best at %zu)", now->best_step);
    add_times(line, now, elapsed);
    put_line(progress, line);
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
    if (progress->began == 0)
        progress->began = time;
    if (is_due(progress, time)) {
        add_bar(line, "runs", done, runs);
        add(line, ", ");
        add_time(line, time - progress->began);
        if (!isnan(left)) {
            add(line, ", about ");
            add_time(line, left);
            add(line, " left");
        }
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
        progress->began = time;
        progress->last = 0;
    }
    if (progress->verbose && now->steps > 0) {
        (void)fprintf(stderr, "%s %zu/%zu", now->stage, now->step, now->steps);
        if (!isnan(now->loss))
            (void)fprintf(stderr, " loss %.6f%s", now->loss, now->best_step == now->step ? " *" : "");
        (void)fputc('\n', stderr);
    } else if (is_due(progress, time)) {
        draw(progress, now, time - progress->began);
    }
    return interrupt_signal();
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        (void)fputs("\r\033[K", stderr);
    progress->drawn = false;
}
