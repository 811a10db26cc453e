#pragma once

#include <stddef.h>

// A small part of libpq, PostgreSQL's client library.
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

// Opens libpq, before any other function. Returns CPOSTGRES_UNAVAILABLE if it is not installed.
int cpostgres_load(char *reason, size_t n);

// Begins a connection with a URI of the form postgresql://…, as libpq reads it: TLS modes, service and password files.
// At most 8 `parameters` count instead of the URI's: names and values, each with a zero, and a zero at the end. NULL without memory.
cpostgres_connection *cpostgres_start(const char *uri, const char *parameters);

// Copies a parameter that has a value: one of the URI, or one of a connection, also from the environment, a service file or libpq itself.
// Returns 0 if libpq cannot read the URI.
int cpostgres_parameter(cpostgres_connection *connection, const char *uri, const char *name, char *value, size_t n);

// Finishes the connection. `state` is libpq's last state (PQstatus) before a failure. The reason stays empty if the connection has a password.
int cpostgres_connect(cpostgres_connection *connection, int milliseconds, int *state, char *reason, size_t n);

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
int cpostgres_wait(cpostgres_connection *connection, char *payload, size_t size);
