#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t noted; /* the signal that interrupt_catch waits for */
static volatile sig_atomic_t held;  /* the one that came during interrupt_hold */
static struct sigaction before_hold[N_SIGNALS];
static volatile sig_atomic_t may_have_written; /* interrupt_hold was called */
static unsigned depth;                         /* of interrupt_hold */

static void note(int signal_number)
{
    noted = signal_number;
}

static void note_held(int signal_number)
{
    held = signal_number;
}

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void interrupt_catch(void)
{
    const struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (signals[i] != SIGHUP || !is_ignored(SIGHUP))
            (void)sigaction(signals[i], &action, NULL);
}

/* Only what a handler may call; its signal has its default action again. */
static void tell(int signal_number)
{
    static const char clear[] = "\r\033[K"; /* the progress bar */
    static const char nothing[] = "dedpul: interrupted; nothing was written\n";
    static const char something[] = "dedpul: interrupted; each file is whole, or was not written\n";
    const int before = errno;
    if (isatty(STDERR_FILENO))
        (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
    if (may_have_written)
        (void)!write(STDERR_FILENO, something, sizeof something - 1);
    else
        (void)!write(STDERR_FILENO, nothing, sizeof nothing - 1);
    (void)raise(signal_number);
    errno = before; /* which isatty changes; the program goes on for a moment before the signal ends it */
}

void interrupt_tell(void)
{
    const struct sigaction action = {.sa_handler = tell, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < N_SIGNALS; i++)
        if (!is_ignored(signals[i]))
            (void)sigaction(signals[i], &action, NULL);
}

int interrupt_signal(void)
{
    return noted;
}

/* Handlers rather than a mask: a mask would leave the signal to another thread of the process. */
void interrupt_hold(void)
{
    const struct sigaction action = {.sa_handler = note_held, .sa_flags = SA_RESTART};
    if (depth++ > 0)
        return;
    held = 0;
    may_have_written = 1;
    for (size_t i = 0; i < N_SIGNALS; i++)
        (void)sigaction(signals[i], &action, &before_hold[i]);
}

void interrupt_release(void)
{
    if (--depth > 0)
        return;
    for (size_t i = 0; i < N_SIGNALS; i++)
        (void)sigaction(signals[i], &before_hold[i], NULL);
    if (held != 0)
        (void)raise(held); /* now it does what it would have done */
}
