#include "command.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col < 120 ? size.ws_col : 120;
    return 79;
}

static void write_script(FILE *script, const dedpul_result *result)
{
    (void)fputs("$d << EOD\n", script);
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++)
        (void)fprintf(script, "%.3f %.6g\n", result->curve_alpha[j], result->curve_d[j]);
    (void)fprintf(script, "EOD\n$alpha << EOD\n%.6g 0\nEOD\n", result->alpha);
    (void)fprintf(script,
                  "set terminal dumb mono %d 22\n"
                  "set title 'D(alpha) = alpha - mean posterior'\n"
                  "set xlabel 'alpha'\n"
                  "set key top left\n"
                  "plot $d with dots title 'D', 0 with lines title '0', "
                  "$alpha with points pointtype 1 title 'alpha = %.4f'\n",
                  terminal_width(), result->alpha);
}

/* Starts gnuplot reading from a pipe; gives the pipe's other end. */
static pid_t start_gnuplot(FILE **script)
{
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-"}, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t process = -1;
    if (pipe(ends) != 0)
        return -1;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (ends[0] != STDIN_FILENO)
        (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void)posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failure = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    *script = failure == 0 ? fdopen(ends[1], "w") : NULL;
    if (*script == NULL) {
        (void)close(ends[1]);
        errno = failure;
        return -1;
    }
    return process;
}

bool plot_curve(const dedpul_result *result)
{
    FILE *script;
    int status = 0;
    (void)fflush(stdout); /* gnuplot writes to the same place */
    (void)signal(SIGPIPE, SIG_IGN);
    const pid_t process = start_gnuplot(&script);
    if (process < 0) {
        complain("cannot plot: gnuplot does not start (%s); install it (on Debian: gnuplot-nox)",
                 strerror(errno));
        return false;
    }
    write_script(script, result);
    (void)fclose(script);
    if (waitpid(process, &status, 0) < 0 || status != 0) {
        complain("cannot plot: gnuplot failed");
        return false;
    }
    return true;
}
