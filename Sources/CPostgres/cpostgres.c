#include "cpostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The types and constants of libpq in use. The ABI of libpq.so.5 is stable.
typedef struct {
  char *relname;
  int be_pid;
  char *extra;
} pg_notify;

typedef struct {
  char *keyword, *envvar, *compiled, *val, *label, *dispchar;
  int dispsize;
} pg_option;

enum { CONNECTION_OK = 0, CONNECTION_BAD = 1, PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PG_DIAG_SQLSTATE = 'C', PG_DIAG_MESSAGE_PRIMARY = 'M' };
enum { PGRES_POLLING_FAILED = 0, PGRES_POLLING_READING = 1, PGRES_POLLING_WRITING = 2, PGRES_POLLING_OK = 3 };

// The functions in use: each name and its type.
#define ENTRIES(ENTRY)                                                                                                                   \
  ENTRY(void *, PQconnectStartParams, (const char *const *, const char *const *, int))                                                   \
  ENTRY(int, PQconnectPoll, (void *))                                                                                                    \
  ENTRY(char *, PQpass, (const void *))                                                                                                  \
  ENTRY(pg_option *, PQconninfo, (void *))                                                                                               \
  ENTRY(void *, PQsetNoticeProcessor, (void *, void (*)(void *, const char *), void *))                                                  \
  ENTRY(void, PQfinish, (void *))                                                                                                        \
  ENTRY(int, PQstatus, (const void *))                                                                                                   \
  ENTRY(char *, PQerrorMessage, (const void *))                                                                                          \
  ENTRY(int, PQsocket, (const void *))                                                                                                   \
  ENTRY(int, PQsetnonblocking, (void *, int))                                                                                            \
  ENTRY(int, PQsendQueryParams,                                                                                                          \
        (void *, const char *, int, const unsigned int *, const char *const *, const int *, const int *, int))                           \
  ENTRY(int, PQflush, (void *))                                                                                                          \
  ENTRY(int, PQconsumeInput, (void *))                                                                                                   \
  ENTRY(int, PQisBusy, (void *))                                                                                                         \
  ENTRY(void *, PQgetResult, (void *))                                                                                                   \
  ENTRY(int, PQresultStatus, (const void *))                                                                                             \
  ENTRY(char *, PQresultErrorField, (const void *, int))                                                                                 \
  ENTRY(pg_option *, PQconninfoParse, (const char *, char **))                                                                                \
  ENTRY(void, PQconninfoFree, (pg_option *))                                                                                                 \
  ENTRY(int, PQnfields, (const void *))                                                                                                  \
  ENTRY(int, PQntuples, (const void *))                                                                                                  \
  ENTRY(int, PQgetisnull, (const void *, int, int))                                                                                      \
  ENTRY(char *, PQgetvalue, (const void *, int, int))                                                                                    \
  ENTRY(int, PQgetlength, (const void *, int, int))                                                                                      \
  ENTRY(void, PQclear, (void *))                                                                                                         \
  ENTRY(pg_notify *, PQnotifies, (void *))                                                                                               \
  ENTRY(void, PQfreemem, (void *))

#define DECLARE(type, name, parameters) type(*name) parameters;
static struct {
  ENTRIES(DECLARE)
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char refusal[200];

static void open_library(void) {
#if defined(__APPLE__)
  void *library = dlopen("libpq.5.dylib", RTLD_LAZY | RTLD_LOCAL);
#else
  void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
#endif
  if (library == NULL) {
    snprintf(refusal, sizeof refusal, "libpq is not installed (Debian: libpq5)");
    return;
  }
#define FIND(type, name, parameters)                                                                                                     \
  *(void **)(&lib.name) = dlsym(library, #name);                                                                                         \
  if (lib.name == NULL) {                                                                                                                \
    snprintf(refusal, sizeof refusal, "libpq is too old: it has no " #name);                                                             \
    return;                                                                                                                              \
  }
  ENTRIES(FIND)
}

int cpostgres_load(char *reason, size_t n) {
  pthread_once(&once, open_library);
  if (refusal[0] == 0) return CPOSTGRES_DONE;
  snprintf(reason, n, "%s", refusal);
  return CPOSTGRES_UNAVAILABLE;
}

// libpq would write the server's warnings to stderr.
static void ignore(void *unused, const char *message) { (void)unused, (void)message; }

// The handles are libpq's own.
static void *handle(const cpostgres_connection *connection) { return (void *)connection; }

// Copies a message as one line.
static void explain(const char *message, char *reason, size_t n) {
  if (n == 0) return;
  size_t length = 0;
  for (; *message != 0 && length + 1 < n; message++) {
    char byte = *message == '\n' || *message == '\t' ? ' ' : *message;
    if (byte == ' ' && (length == 0 || reason[length - 1] == ' ')) continue;
    reason[length++] = byte;
  }
  while (length > 0 && reason[length - 1] == ' ') length--;
  reason[length] = 0;
}

cpostgres_connection *cpostgres_start(const char *uri, const char *parameters) {
  // What stands before `dbname` is a default: the URI replaces it. What follows replaces the URI's.
  const char *keywords[12] = {"fallback_application_name", "client_encoding", "dbname"};
  const char *all[12] = {"oauth-stdio", "UTF8", uri};
  for (int index = 3; index < 11 && *parameters != 0; index++) {
    keywords[index] = parameters;
    all[index] = parameters + strlen(parameters) + 1;
    parameters = all[index] + strlen(all[index]) + 1;
  }
  void *begun = lib.PQconnectStartParams(keywords, all, 1);
  if (begun != NULL) lib.PQsetNoticeProcessor(begun, ignore, NULL);
  return begun;
}

int cpostgres_parameter(cpostgres_connection *connection, const char *uri, const char *name, char *value, size_t n) {
  pg_option *options = connection == NULL ? lib.PQconninfoParse(uri, NULL) : lib.PQconninfo(handle(connection));
  for (pg_option *option = options; option != NULL && option->keyword != NULL; option++)
    if (strcmp(option->keyword, name) == 0 && option->val != NULL) snprintf(value, n, "%s", option->val);
  if (options != NULL) lib.PQconninfoFree(options);
  return options != NULL;
}

void cpostgres_close(cpostgres_connection *connection) {
  if (connection != NULL) lib.PQfinish(handle(connection));
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Returns 1 when the socket is ready, 0 when the time has passed, and -1 on a failure. A negative `end` waits without a limit.
static int wait_for(void *connection, short events, long long end) {
  struct pollfd socket = {.fd = lib.PQsocket(connection), .events = events};
  if (socket.fd < 0) return -1;
  while (1) {
    long long left = end < 0 ? -1 : end - now();
    if (end >= 0 && left <= 0) return 0;
    int ready = poll(&socket, 1, left < 0 ? -1 : (int)left);
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return -1;
  }
}

int cpostgres_connect(cpostgres_connection *connection, int milliseconds, int *state, char *reason, size_t n) {
  void *pg = handle(connection);
  long long end = now() + milliseconds;
  int next = lib.PQstatus(pg) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  *state = CONNECTION_BAD;
  while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
    *state = lib.PQstatus(pg);
    int ready = wait_for(pg, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, end);
    if (ready == 0) return CPOSTGRES_TIMED_OUT;
    next = ready < 0 ? PGRES_POLLING_FAILED : lib.PQconnectPoll(pg);
  }
  if (next == PGRES_POLLING_OK && lib.PQsetnonblocking(pg, 1) == 0) return CPOSTGRES_DONE;
  // Before the connection, libpq quotes parameters. A password may be one, in a wrong place.
  if (*state != CONNECTION_BAD && lib.PQpass(pg)[0] == 0) explain(lib.PQerrorMessage(pg), reason, n);
  return CPOSTGRES_DISCONNECTED;
}

int cpostgres_query(
    cpostgres_connection *connection, const char *statement, int count, const void *const *values, const int *lengths, int milliseconds,
    cpostgres_rows **rows, char state[6], char *reason, size_t n) {
  void *pg = handle(connection);
  *rows = NULL;
  state[0] = 0;
  const char *texts[16] = {NULL};
  int sizes[16] = {0}, formats[16] = {0};
  if (count > 16) count = 16;
  for (int index = 0; index < count; index++) {
    texts[index] = values[index];
    formats[index] = lengths[index] >= 0;
    sizes[index] = lengths[index] >= 0 ? lengths[index] : 0;
  }
  long long end = now() + milliseconds;
  if (!lib.PQsendQueryParams(pg, statement, count, NULL, texts, sizes, formats, 0)) return CPOSTGRES_DISCONNECTED;
  int code = CPOSTGRES_DONE;
  void *result = NULL;
  while (1) {
    // A server that sends before it has read everything must be read meanwhile.
    int unsent = lib.PQflush(pg);
    if (unsent < 0) code = CPOSTGRES_DISCONNECTED;
    if (unsent == 0 && !lib.PQisBusy(pg)) {
      void *next = lib.PQgetResult(pg);
      if (next == NULL) break;
      // One statement gives one result, and a broken connection another one.
      if (result != NULL) lib.PQclear(result);
      result = next;
      continue;
    }
    if (code != CPOSTGRES_DONE) break;
    int ready = wait_for(pg, POLLIN | (unsent > 0 ? POLLOUT : 0), end);
    if (ready == 0) {
      code = CPOSTGRES_TIMED_OUT;
      snprintf(reason, n, "it did not answer within %d s", milliseconds / 1000);
      break;
    }
    if (ready < 0 || !lib.PQconsumeInput(pg)) code = CPOSTGRES_DISCONNECTED;
    if (code != CPOSTGRES_DONE) break;
  }
  if (code == CPOSTGRES_DONE && result == NULL) code = CPOSTGRES_DISCONNECTED;
  if (code == CPOSTGRES_DONE) {
    int status = lib.PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
      *rows = result;
      return CPOSTGRES_DONE;
    }
    const char *sqlstate = lib.PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = lib.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    // Without a state, the failure is libpq's own: the connection broke.
    code = sqlstate == NULL || lib.PQstatus(pg) != CONNECTION_OK ? CPOSTGRES_DISCONNECTED : CPOSTGRES_REJECTED;
    if (sqlstate != NULL) snprintf(state, 6, "%s", sqlstate);
    if (message != NULL) explain(message, reason, n);
  }
  if (result != NULL) lib.PQclear(result);
  return code;
}

int cpostgres_row_count(const cpostgres_rows *rows) { return lib.PQntuples(rows); }

int cpostgres_column_count(const cpostgres_rows *rows) { return lib.PQnfields(rows); }

const char *cpostgres_value(const cpostgres_rows *rows, int row, int column, int *length) {
  if (lib.PQgetisnull(rows, row, column)) return NULL;
  *length = lib.PQgetlength(rows, row, column);
  return lib.PQgetvalue(rows, row, column);
}

void cpostgres_release(cpostgres_rows *rows) { lib.PQclear(rows); }

int cpostgres_wait(cpostgres_connection *connection, char *payload, size_t size) {
  void *pg = handle(connection);
  while (1) {
    pg_notify *found = lib.PQnotifies(pg);
    if (found != NULL) {
      snprintf(payload, size, "%s", found->extra == NULL ? "" : found->extra);
      lib.PQfreemem(found);
      return CPOSTGRES_DONE;
    }
    if (wait_for(pg, POLLIN, -1) < 0 || !lib.PQconsumeInput(pg)) return CPOSTGRES_DISCONNECTED;
  }
}
