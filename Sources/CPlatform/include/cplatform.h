#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <spawn.h>

/* Protects this process's memory from other processes of the same user and from core dumps (PR_SET_DUMPABLE of prctl(2)). Child programs are
 * unaffected. Does nothing on systems without the call. */
void cplatform_keep_memory_private(void);

/* Returns a descriptor that becomes readable when the process ends (pidfd_open(2), or kqueue(2) on macOS). Returns -1 with errno if the system has
 * none. */
int cplatform_watch_process(int process);

/* Closes the descriptors from `first` on in the child. Wraps posix_spawn_file_actions_addclosefrom_np of glibc 2.34, which Swift's Glibc module
 * omits. On systems without that call it does nothing and returns 0. */
int cplatform_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
