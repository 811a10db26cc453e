#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <spawn.h>
#include <time.h>

#if defined(__linux__)
/* Functions of the C library that Swift's Glibc module omits. */
char *strptime(const char *text, const char *form, struct tm *date);
void *memmem(const void *bytes, size_t count, const void *pattern, size_t length);
#endif

/* Protects this process's memory from other processes of the same user and from core dumps (PR_SET_DUMPABLE of prctl(2)). Child programs are
 * unaffected. Does nothing on systems without the call. */
void cplatform_keep_memory_private(void);

/* Returns the words that started this process, with NULL after the last. */
char **cplatform_arguments(void);

/* Returns 1 if the process ignores the signal, else 0 (sigaction(2), whose union has other names in each of Swift's modules). */
int cplatform_ignores(int number);

/* Returns a descriptor that becomes readable when the process ends (pidfd_open(2), or kqueue(2) on macOS). Returns -1 with errno if the system has
 * none. */
int cplatform_watch_process(int process);

/* Writes as much as a pipe or socket takes without waiting (RWF_NOWAIT of pwritev2(2), for pipes since Linux 6.5). Returns -1 with EAGAIN if that is
 * nothing, and with another errno on failure or if the system has no such call. */
long cplatform_write_now(int descriptor, const void *bytes, size_t count);

/* Closes the descriptors from `first` on in the child. Wraps posix_spawn_file_actions_addclosefrom_np of glibc 2.34, which Swift's Glibc module
 * omits. On systems without that call it does nothing and returns 0. */
int cplatform_close_from(posix_spawn_file_actions_t *actions, int first);

/* The descriptors of the following functions are close-on-exec from birth where the system can do that: another thread may start a child at any time.
 * The functions return -1 with errno on failure. */

/* Makes a pipe: its ends for reading and for writing. */
int cplatform_pipe(int ends[2]);

/* Returns a socket that listens on the address `host`, or on ::1 or 127.0.0.1 if it is NULL, and replaces port 0 by the one that the system has
   chosen. */
int cplatform_listen(int is_ipv6, const char *host, unsigned short *port);

/* The same for a socket file, which gets the mode. A socket file at which no process listens is replaced. */
int cplatform_listen_file(const char *path, mode_t mode);

/* Returns the user at the other end of a connection to a socket file; -1 if that is not known. */
long long cplatform_peer_user(int connection);

/* Returns the user of the socket at the other end of a TCP connection of this machine (sock_diag(7)). -1 if that is not known, -2 if no process has that
 * end any more or this one has no free descriptor, and -3 if the system cannot tell. */
long long cplatform_peer_owner(int connection);

/* Accepts a connection. Writing to it after its end raises no SIGPIPE on macOS; Linux has MSG_NOSIGNAL for each call. */
int cplatform_accept(int listener);

#endif
