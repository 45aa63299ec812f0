#include "gnuplot.h"

#include "message.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Starts gnuplot reading from a pipe and writing to the output; gives the pipe's other end. */
static pid_t start(FILE **script, int output)
{
    char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-"}, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t process = -1;
    if (pipe(ends) != 0)
        return -1;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (ends[0] != STDIN_FILENO)
        (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void)posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failure = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    *script = failure == 0 ? fdopen(ends[1], "w") : NULL;
    if (*script == NULL) {
        if (failure != 0)
            errno = failure;
        (void)close(ends[1]);
        return -1;
    }
    return process;
}

bool gnuplot_start(struct gnuplot *gnuplot, int output)
{
    (void)fflush(stdout); /* gnuplot may write there, too */
    (void)signal(SIGPIPE, SIG_IGN);
    gnuplot->process = start(&gnuplot->script, output);
    if (gnuplot->process < 0)
        complain("cannot plot: gnuplot does not start (%s); install it (on Debian: gnuplot-nox)",
                 strerror(errno));
    return gnuplot->process >= 0;
}

bool gnuplot_end(struct gnuplot *gnuplot)
{
    int status = 0;
    (void)fclose(gnuplot->script);
    if (waitpid(gnuplot->process, &status, 0) < 0 || status != 0) {
        complain("cannot plot: gnuplot failed");
        return false;
    }
    return true;
}
