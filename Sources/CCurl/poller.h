// Waits for many sockets without checking each: with epoll, or with kqueue on systems without epoll.
#ifndef CCURL_POLLER_H
#define CCURL_POLLER_H

enum { POLLER_READS = 1, POLLER_WRITES = 2, POLLER_FAILED = 4, POLLER_BATCH = 256 };

// A kernel queue, and a pipe by which other threads wake it.
typedef struct {
  int queue;
  int wake[2];
} poller;

typedef struct {
  int socket;
  // POLLER_…
  int events;
} poller_event;

// Returns 0, or -1 with errno.
int poller_open(poller *poller);
void poller_close(poller *poller);
// Sets the socket's events (POLLER_READS, POLLER_WRITES or both) in place of any earlier ones. 0 removes the socket.
void poller_watch(poller *poller, int socket, int events);
// Waits for a ready socket, a call of `poller_wake`, or that many milliseconds. -1 means no limit. Ready events stay in the queue.
void poller_wait(poller *poller, int milliseconds);
// Takes the events that are ready now, at most POLLER_BATCH.
int poller_take(poller *poller, poller_event *events);
// Wakes `poller_wait`. Only this function may be called by another thread.
void poller_wake(poller *poller);

#endif
