// Waits for many sockets at once without looking at each: epoll, or kqueue where there is no epoll.
#ifndef CCURL_POLLER_H
#define CCURL_POLLER_H

enum { POLLER_READS = 1, POLLER_WRITES = 2, POLLER_FAILED = 4, POLLER_BATCH = 256 };

// A queue of the kernel's, and a pipe that other threads wake it by.
typedef struct {
  int queue;
  int wake[2];
} poller;

typedef struct {
  int socket;
  // POLLER_…
  int events;
} poller_event;

// 0, or -1 with errno.
int poller_open(poller *poller);
void poller_close(poller *poller);
// Waits for these events of the socket (POLLER_READS, POLLER_WRITES or both) instead of any earlier ones; 0 forgets it.
void poller_watch(poller *poller, int socket, int events);
// Waits until something is ready, `poller_wake` was called or that many milliseconds are over; -1 waits for ever. What is ready stays so.
void poller_wait(poller *poller, int milliseconds);
// What is ready now, at most POLLER_BATCH.
int poller_take(poller *poller, poller_event *events);
// The one call that another thread may make.
void poller_wake(poller *poller);

#endif
