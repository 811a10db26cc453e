/* Takes the place of three parts of the statically linked Swift runtime that this program has no use for: two cost a tenth of the start, and one wakes
 * an idle process every second.
 *
 * Every definition is weak: the linker takes them instead of the runtime's archive members, and should another version of Swift need more of
 * these members than is here, theirs win and nothing is lost but the time. */
#include "cstart.h"

#if defined(__linux__)
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void cstart_keep_memory_private(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* By its number, since glibc has the function from 2.36 on only; the number is the same on every architecture. */
int cstart_watch_process(int process) { return (int)syscall(434L, process, 0); }

/* Before main, the runtime reads the whole of /proc/self/maps to find the arguments, which glibc hands to every initialiser anyway. */
static char *none[1];
static char **words = none;
static int count;

__attribute__((constructor)) static void keepArguments(int argc, char **argv) {
  /* musl hands over nothing, and a program that was started without even its own name has nothing. */
  if (argc > 0 && argv) {
    count = argc;
    words = argv;
  }
}

__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *argc) {
  *argc = count;
  return words;
}

__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **argv, int argc) {
  words = argv;
  count = argc;
}

/* Before main, it also looks in eight places for the program that prints backtraces, which is not shipped with ours; and a backtrace with
 * values in it is nothing for a log that others read. The settings are all off: a crash is the kernel's affair, with its usual signal. */
__attribute__((weak)) struct { char off[256]; } _swift_backtraceSettings;

__attribute__((weak)) bool _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return false;
}

/* libdispatch checks every second, as long as the process lives, whether its pool's threads are blocked and more are needed. None is blocked here:
 * what blocks has threads of its own. These two functions are all that its source file is for. */
__attribute__((weak)) void _dispatch_workq_worker_register(void *queue) { (void)queue; }
__attribute__((weak)) void _dispatch_workq_worker_unregister(void *queue) { (void)queue; }
#else
#include <sys/event.h>
#include <unistd.h>

void cstart_keep_memory_private(void) {}

int cstart_watch_process(int process) {
  int queue = kqueue();
  if (queue < 0) return -1;
  struct kevent end;
  EV_SET(&end, process, EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, 0);
  if (kevent(queue, &end, 1, 0, 0, 0) == 0) return queue;
  close(queue);
  return -1;
}
#endif
