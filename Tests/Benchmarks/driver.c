/* Starts a server on pipes, sends it requests and times the answers. Written in C, so its own cost is negligible.
 * `driver start ROUNDS REQUEST -- A… -- B…` alternates two programs. Prints for each of a pair the nanoseconds to the first answer, the resident KiB,
 * and those of them that the process has for itself.
 * `driver rate COUNT WINDOW REQUEST -- A…` keeps WINDOW requests in flight. Prints the total nanoseconds.
 * `driver each COUNT REQUEST [FIRST] -- A…` prints the nanoseconds of each request, and finally the highest resident KiB. FIRST is sent before.
 * `driver run COUNT '' -- A…` starts a program COUNT times and reads its output. Prints the nanoseconds of each run.
 * `driver whole COUNT REQUEST -- A…` starts a program COUNT times, sends one request and ends its input. Prints the nanoseconds of each run.
 * In REQUEST, `%ld` is replaced by the id. One line is one answer, unless it is an event of oauth-stdio. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static char buffer[1 << 20];
static pid_t child;
static int toChild, fromChild;

static void die(const char *why) {
  fprintf(stderr, "driver: %s\n", why);
  exit(1);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void start(char **command) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) die("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (posix_spawn(&child, command[0], &actions, NULL, command, environ)) die("the server does not start");
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  toChild = in[1];
  fromChild = out[0];
}

static void stop(void) {
  close(toChild);
  while (read(fromChild, buffer, sizeof buffer) > 0) {}
  close(fromChild);
  waitpid(child, NULL, 0);
}

static void sendAll(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(toChild, bytes, count);
    if (written <= 0) die("the server has gone");
    bytes += written;
    count -= (size_t)written;
  }
}

/* Reads more output and returns the number of complete lines that are no events. An error answer stops the run. */
static long answers(void) {
  ssize_t got = read(fromChild, buffer, sizeof buffer);
  if (got <= 0) die("the server has gone");
  /* An event's line begins with `{"jsonrpc":"2.0","method":`, and an answer's with `{"jsonrpc":"2.0","id":`. */
  enum { place = 18 };
  static size_t column;
  static int isEvent;
  long lines = 0;
  for (char *at = buffer, *end = buffer + got; at < end;) {
    char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
    if (column <= place && column + (size_t)(stop - at) > place) isEvent = at[place - column] == 'm';
    column += (size_t)(stop - at);
    if (!newline) break;
    lines += !isEvent;
    isEvent = 0;
    column = 0;
    at = newline + 1;
  }
  if (got < 600 && memmem(buffer, (size_t)got, "\"error\":", 8)) {
    fwrite(buffer, 1, (size_t)got, stderr);
    die("the server answers an error");
  }
  return lines;
}

static long status(const char *name) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/status", (int)child);
  FILE *file = fopen(path, "r");
  long value = -1;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, name, strlen(name)) == 0) value = strtol(line + strlen(name) + 1, NULL, 10);
  if (file) fclose(file);
  return value;
}

static long total(long count, long window, const char *request) {
  static char batch[1 << 17];
  long sent = 0, answered = 0, began = now();
  while (answered < count) {
    size_t size = 0;
    while (sent < count && sent - answered < window && size + 1024 < sizeof batch) {
      size += (size_t)snprintf(batch + size, 1024, request, sent + 1);
      batch[size++] = '\n';
      sent++;
    }
    if (size) sendAll(batch, size);
    answered += answers();
  }
  return now() - began;
}

static char **after(char **arguments) {
  while (*arguments && strcmp(*arguments, "--")) arguments++;
  if (!*arguments) die("a program is missing");
  *arguments = NULL;
  return arguments + 1;
}

int main(int count, char **arguments) {
  if (count < 5) die("start|rate|each|whole|run …");
  signal(SIGPIPE, SIG_IGN);
  long rounds = strtol(arguments[2], NULL, 10);
  if (strcmp(arguments[1], "start") == 0) {
    char **programs[2];
    programs[0] = after(arguments);
    programs[1] = after(programs[0]);
    for (long round = 0; round < rounds; round++)
      for (int side = 0; side < 2; side++) {
        long began = now();
        start(programs[side]);
        total(1, 1, arguments[3]);
        long took = now() - began;
        printf("%ld %ld %ld%c", took, status("VmRSS:"), status("RssAnon:"), side ? '\n' : ' ');
        stop();
      }
  } else if (strcmp(arguments[1], "rate") == 0) {
    start(after(arguments));
    total(rounds / 10 + 1, strtol(arguments[3], NULL, 10), arguments[4]);
    printf("%ld\n", total(rounds, strtol(arguments[3], NULL, 10), arguments[4]));
    stop();
  } else if (strcmp(arguments[1], "whole") == 0) {
    char **program = after(arguments);
    for (long round = 0; round < rounds; round++) {
      long began = now();
      start(program);
      total(1, 1, arguments[3]);
      stop();
      printf("%ld ", now() - began);
    }
    printf("\n");
  } else if (strcmp(arguments[1], "run") == 0) {
    char **program = after(arguments);
    for (long round = 0; round < rounds; round++) {
      long began = now();
      start(program);
      stop();
      printf("%ld ", now() - began);
    }
    printf("\n");
  } else {
    start(after(arguments));
    if (arguments[4]) total(1, 1, arguments[4]);
    for (long round = 0; round < rounds; round++) printf("%ld ", total(1, 1, arguments[3]));
    printf("%ld\n", status("VmHWM:"));
    stop();
  }
  return 0;
}
