#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "poller.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static int open_queue(void);
static int open_pipe(int ends[2]);

int poller_open(poller *poller) {
  poller->queue = open_queue();
  if (poller->queue < 0) return -1;
  if (open_pipe(poller->wake) == 0) return 0;
  close(poller->queue);
  return -1;
}

void poller_close(poller *poller) {
  close(poller->queue);
  close(poller->wake[0]);
  close(poller->wake[1]);
}

void poller_wait(poller *poller, int milliseconds) {
  // A queue's descriptor can itself be polled. Polling takes no event out of the queue.
  struct pollfd looks[] = {{.fd = poller->queue, .events = POLLIN}, {.fd = poller->wake[0], .events = POLLIN}};
  if (poll(looks, 2, milliseconds) <= 0 || looks[1].revents == 0) return;
  // Only this thread empties the pipe. A later wake-up ends the next wait.
  char wakeups[64];
  ssize_t count;
  do count = read(poller->wake[0], wakeups, sizeof wakeups);
  while (count == (ssize_t)sizeof wakeups || (count < 0 && errno == EINTR));
}

void poller_wake(poller *poller) {
  // A failed write to a full pipe needs no retry: the pipe already wakes the waiter.
  while (write(poller->wake[1], "", 1) < 0 && errno == EINTR) {}
}

#if defined(__linux__)

#include <sys/epoll.h>

static int open_queue(void) { return epoll_create1(EPOLL_CLOEXEC); }
static int open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

void poller_watch(poller *poller, int socket, int events) {
  struct epoll_event event = {.data.fd = socket};
  if (events & POLLER_READS) event.events |= EPOLLIN;
  if (events & POLLER_WRITES) event.events |= EPOLLOUT;
  // The kernel forgets a closed socket by itself, so both calls may find nothing.
  if (events == 0) epoll_ctl(poller->queue, EPOLL_CTL_DEL, socket, &event);
  else if (epoll_ctl(poller->queue, EPOLL_CTL_MOD, socket, &event) != 0) epoll_ctl(poller->queue, EPOLL_CTL_ADD, socket, &event);
}

int poller_take(poller *poller, poller_event *events) {
  struct epoll_event ready[POLLER_BATCH];
  int count = epoll_wait(poller->queue, ready, POLLER_BATCH, 0);
  for (int i = 0; i < count; i++) {
    int what = 0;
    if (ready[i].events & (EPOLLIN | EPOLLHUP)) what |= POLLER_READS;
    if (ready[i].events & EPOLLOUT) what |= POLLER_WRITES;
    if (ready[i].events & EPOLLERR) what |= POLLER_FAILED;
    events[i] = (poller_event){.socket = ready[i].data.fd, .events = what};
  }
  return count < 0 ? 0 : count;
}

#else

#include <sys/event.h>
#include <time.h>

static int open_queue(void) {
  int queue = kqueue();
  if (queue >= 0) fcntl(queue, F_SETFD, FD_CLOEXEC);
  return queue;
}

static int open_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

void poller_watch(poller *poller, int socket, int events) {
  // One change at a time, because a missing filter would prevent the other change.
  struct kevent change;
  EV_SET(&change, socket, EVFILT_READ, events & POLLER_READS ? EV_ADD : EV_DELETE, 0, 0, NULL);
  kevent(poller->queue, &change, 1, NULL, 0, NULL);
  EV_SET(&change, socket, EVFILT_WRITE, events & POLLER_WRITES ? EV_ADD : EV_DELETE, 0, 0, NULL);
  kevent(poller->queue, &change, 1, NULL, 0, NULL);
}

int poller_take(poller *poller, poller_event *events) {
  struct kevent ready[POLLER_BATCH];
  struct timespec now = {0, 0};
  int count = kevent(poller->queue, NULL, 0, ready, POLLER_BATCH, &now);
  for (int i = 0; i < count; i++) {
    int what = ready[i].filter == EVFILT_READ ? POLLER_READS : POLLER_WRITES;
    if (ready[i].flags & EV_ERROR) what |= POLLER_FAILED;
    events[i] = (poller_event){.socket = (int)ready[i].ident, .events = what};
  }
  return count < 0 ? 0 : count;
}

#endif
