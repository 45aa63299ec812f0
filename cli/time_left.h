/* The time left as it is shown: it follows the estimates, but does not jump with each of them. */
#ifndef DEDPUL_CLI_TIME_LEFT_H
#define DEDPUL_CLI_TIME_LEFT_H

struct time_left {
    double end, told; /* moments: the end as it is shown, and when that was; 0: none was shown */
};

/* Takes an estimate in seconds, or 0 if there is none. Returns the seconds to show, or 0 for none. */
double time_left_follow(struct time_left *time, double now, double estimate);

#endif
