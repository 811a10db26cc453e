#define _GNU_SOURCE
#include "cplatform.h"
#include <signal.h>
#include <stddef.h>

static char *no_arguments[] = {NULL};
static char **arguments = no_arguments;

/* glibc and macOS pass main's parameters to functions that run before it. */
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  if (count > 0) arguments = words;
}

char **cplatform_arguments(void) { return arguments; }

int cplatform_ignores(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void cplatform_keep_memory_private(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* Calls by number, because glibc has the function only since 2.36. The number is the same on every architecture. */
int cplatform_watch_process(int process) { return (int)syscall(434L, process, 0); }

long cplatform_write_now(int descriptor, const void *bytes, size_t count) {
  struct iovec part = {(void *)bytes, count};
  return pwritev2(descriptor, &part, 1, -1, RWF_NOWAIT);
}

/* Every second, libdispatch checks whether the threads of its pool are blocked and more are needed. Ours never are, because blocking work has its own
 * threads, and the check would wake an idle process. libdispatch's source file contains only these two functions. They are weak: if another version
 * needs more of that file, its definitions win, and the process only wakes up again. */
__attribute__((weak)) void _dispatch_workq_worker_register(void *queue) { (void)queue; }
__attribute__((weak)) void _dispatch_workq_worker_unregister(void *queue) { (void)queue; }
#else
#include <errno.h>
#include <sys/event.h>
#include <unistd.h>

void cplatform_keep_memory_private(void) {}

long cplatform_write_now(int descriptor, const void *bytes, size_t count) {
  (void)descriptor;
  (void)bytes;
  (void)count;
  errno = ENOSYS;
  return -1;
}

int cplatform_watch_process(int process) {
  int queue = kqueue();
  if (queue < 0) return -1;
  struct kevent end;
  EV_SET(&end, process, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, 0);
  if (kevent(queue, &end, 1, 0, 0, 0) == 0) return queue;
  close(queue);
  return -1;
}
#endif

int cplatform_close_from(posix_spawn_file_actions_t *actions, int first) {
#if defined(__GLIBC__)
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
  (void)actions;
  (void)first;
  return 0;
#endif
}
