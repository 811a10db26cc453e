#ifndef CSTART_H
#define CSTART_H

/* Keeps other processes of the same user out of this one's memory, and its memory out of core dumps (PR_SET_DUMPABLE of prctl(2)); a program that it
 * starts is not concerned. Nothing happens where the system has no such call. Everything else of start.c takes effect by being linked. */
void cstart_keep_memory_private(void);

/* A descriptor that becomes readable when the process ends (pidfd_open(2), or kqueue(2) on macOS); -1 with errno where the system gives none. */
int cstart_watch_process(int process);

#endif
