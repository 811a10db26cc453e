#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>

/* Has a child begin without the descriptors from `first` on (posix_spawn_file_actions_addclosefrom_np of glibc 2.34, which the C library's own
 * module leaves out of Swift). Where the system has no such call, nothing happens and the result is 0. */
int cspawn_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
