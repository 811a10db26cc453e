/* The minimum for the same work in C: reads one request per line, parses it with jansson, and writes an answer equal to oauth-stdio's, built with
 * jansson. It has no store, reads no file and checks nothing.
 * `server unknown|known` answers `account`. `server bytes N` answers each line with N bytes, which measures the cost of the pipe. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void writeAll(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written <= 0) exit(1);
    bytes += written;
    count -= (size_t)written;
  }
}

static void answer(const char *line, size_t length, int isKnown) {
  json_t *request = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
  if (!request) exit(1);
  json_t *params = json_object_get(request, "params");
  json_t *result = json_object();
  json_object_set(result, "account", json_object_get(params, "account"));
  json_object_set_new(result, "canAuthorize", json_boolean(isKnown));
  if (isKnown) {
    json_object_set_new(result, "provider", json_string("127.0.0.1"));
    json_object_set_new(result, "clientId", json_string("benchmark"));
    json_t *scopes = json_array();
    json_array_append_new(scopes, json_string("read"));
    json_object_set_new(result, "grantedScopes", scopes);
    json_object_set_new(result, "tokenType", json_string("Bearer"));
    json_object_set_new(result, "expiresAt", json_integer(1900000000));
  }
  json_object_set_new(result, "canRefresh", json_boolean(isKnown));
  json_t *response = json_object();
  json_object_set_new(response, "jsonrpc", json_string("2.0"));
  json_object_set(response, "id", json_object_get(request, "id"));
  json_object_set_new(response, "result", result);
  char *text = json_dumps(response, JSON_COMPACT);
  if (!text) exit(1);
  size_t size = strlen(text);
  text[size] = '\n';
  writeAll(text, size + 1);
  free(text);
  json_decref(response);
  json_decref(request);
}

int main(int count, char **arguments) {
  int isKnown = count > 1 && strcmp(arguments[1], "known") == 0;
  size_t bytes = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
  char *body = bytes ? malloc(bytes + 1) : NULL;
  if (body) {
    memset(body, 'x', bytes);
    body[bytes] = '\n';
  }
  static char buffer[1 << 16];
  size_t filled = 0;
  ssize_t got;
  while ((got = read(0, buffer + filled, sizeof buffer - filled)) > 0) {
    filled += (size_t)got;
    char *start = buffer, *end;
    while ((end = memchr(start, '\n', filled - (size_t)(start - buffer)))) {
      if (body) writeAll(body, bytes + 1);
      else answer(start, (size_t)(end - start), isKnown);
      start = end + 1;
    }
    filled -= (size_t)(start - buffer);
    memmove(buffer, start, filled);
  }
  return 0;
}
