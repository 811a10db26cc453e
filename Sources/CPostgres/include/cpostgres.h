#pragma once

#include <stddef.h>

// A small part of libpq, PostgreSQL's client library. The library is opened at the first call.
// Every function blocks its thread, at most for the given time. No message contains the connection's password.

typedef struct cpostgres_connection cpostgres_connection;
typedef struct cpostgres_rows cpostgres_rows;

enum {
  CPOSTGRES_DONE = 0,
  // libpq is not installed.
  CPOSTGRES_UNAVAILABLE = 1,
  // No server could be reached, or the connection broke. Whether a statement took effect is then unknown.
  CPOSTGRES_DISCONNECTED = 2,
  // The server did not answer in time. The connection is of no further use.
  CPOSTGRES_TIMED_OUT = 3,
  // The server rejected the statement. The state is its SQLSTATE.
  CPOSTGRES_REJECTED = 4,
};

// Connects with a URI of the form postgresql://…, as libpq reads it: several hosts, TLS modes, service and password files.
// Without a limit in the URI, the environment or the service, each host gets `seconds` to answer.
int cpostgres_open(const char *uri, int seconds, cpostgres_connection **connection, char *reason, size_t n);

// Says whether libpq can read the URI. Returns CPOSTGRES_UNAVAILABLE without libpq.
int cpostgres_check(const char *uri, int *is_readable, char *reason, size_t n);

void cpostgres_close(cpostgres_connection *connection);

// Runs one statement with at most 16 values. A length of -2 marks a text; another value is sent as that many bytes. All columns are returned as text.
int cpostgres_query(
    cpostgres_connection *connection, const char *statement, int count, const void *const *values, const int *lengths, int milliseconds,
    cpostgres_rows **rows, char state[6], char *reason, size_t n);

int cpostgres_row_count(const cpostgres_rows *rows);

int cpostgres_column_count(const cpostgres_rows *rows);

// NULL if the value is missing. Valid until the rows are released.
const char *cpostgres_value(const cpostgres_rows *rows, int row, int column, int *length);

void cpostgres_release(cpostgres_rows *rows);

// Waits for a notification, without a limit. Copies its payload, cut to the buffer.
int cpostgres_wait(cpostgres_connection *connection, char *payload, size_t size, char *reason, size_t n);
