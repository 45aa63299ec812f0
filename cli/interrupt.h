/* Signals that ask the command to end: SIGHUP, SIGINT and SIGTERM. */
#ifndef DEDPUL_CLI_INTERRUPT_H
#define DEDPUL_CLI_INTERRUPT_H

/*
 * From now on the first of these signals is only noted, so that the work can end and leave nothing behind. A
 * second one of the same kind ends the program at once. Under nohup, SIGHUP is still ignored.
 */
void interrupt_catch(void);

/*
 * From now on these signals end the program as they did before, but after a line about what was written. One
 * that is ignored stays so.
 */
void interrupt_tell(void);

/* The signal that was noted; 0: none. */
int interrupt_signal(void);

/* While files are being written, these signals wait: a program that ends now would leave a temporary file.
 * Calls may be nested. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
