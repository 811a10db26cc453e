/* The minimum cost of HTTPS calls with libcurl. libcurl's functions are declared here, so building needs no headers of it.
 * `https easy|multi COUNT WINDOW URL CAFILE [http1]` makes COUNT calls on kept connections and prints the total nanoseconds. `easy` makes them one
 * after the other, `multi` WINDOW at a time. `https token` reads one request per line and answers each with a token from memory, like a minimal C
 * program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { URL = 10002, CAINFO = 10065, HTTPHEADER = 10023, WRITEFUNCTION = 20011, HTTP_VERSION = 84, HTTP_1_1 = 2, HTTP_2TLS = 4, MAXCONNECTS = 6 };
typedef struct {
  int kind;
  void *easy;
  union {
    void *pointer;
    int code;
  } data;
} message;
void *curl_easy_init(void), *curl_multi_init(void), *curl_slist_append(void *, const char *);
int curl_easy_setopt(void *, int, ...), curl_easy_perform(void *), curl_multi_setopt(void *, int, ...);
int curl_multi_add_handle(void *, void *), curl_multi_remove_handle(void *, void *), curl_multi_perform(void *, int *);
int curl_multi_poll(void *, void *, unsigned int, int, int *);
message *curl_multi_info_read(void *, int *);

static size_t drop(char *data, size_t size, size_t count, void *owner) {
  (void)data, (void)owner;
  return size * count;
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *handle(char **arguments, int isOld) {
  void *easy = curl_easy_init();
  curl_easy_setopt(easy, URL, arguments[4]);
  curl_easy_setopt(easy, CAINFO, arguments[5]);
  curl_easy_setopt(easy, WRITEFUNCTION, drop);
  curl_easy_setopt(easy, HTTPHEADER, curl_slist_append(NULL, "Authorization: Bearer token"));
  curl_easy_setopt(easy, HTTP_VERSION, (long)(isOld ? HTTP_1_1 : HTTP_2TLS));
  return easy;
}

static void fail(int code) {
  if (code == 0) return;
  fprintf(stderr, "https: libcurl answers %d\n", code);
  exit(1);
}

static void multi(void *multi, void **handles, long count, long window) {
  long begun = 0, ended = 0;
  int running, left;
  for (; begun < window && begun < count; begun++) curl_multi_add_handle(multi, handles[begun]);
  while (ended < count) {
    curl_multi_perform(multi, &running);
    for (message *found; (found = curl_multi_info_read(multi, &left));) {
      fail(found->data.code);
      ended++;
      void *easy = found->easy;
      curl_multi_remove_handle(multi, easy);
      if (begun++ < count) curl_multi_add_handle(multi, easy);
    }
    if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
}

static int token(void) {
  char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    puts("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"accessToken\":\"token\",\"tokenType\":\"Bearer\"}}");
    fflush(stdout);
  }
  return 0;
}

int main(int arguments_count, char **arguments) {
  if (arguments_count > 1 && strcmp(arguments[1], "token") == 0) return token();
  if (arguments_count < 6) return 2;
  long count = strtol(arguments[2], NULL, 10), window = strtol(arguments[3], NULL, 10), began;
  int isOld = arguments_count > 6;
  if (strcmp(arguments[1], "easy") == 0) {
    void *easy = handle(arguments, isOld);
    fail(curl_easy_perform(easy));
    began = now();
    for (long i = 0; i < count; i++) fail(curl_easy_perform(easy));
  } else {
    void **handles = calloc((size_t)window, sizeof *handles), *all = curl_multi_init();
    curl_multi_setopt(all, MAXCONNECTS, window);
    for (long i = 0; i < window; i++) handles[i] = handle(arguments, isOld);
    multi(all, handles, window, window);
    began = now();
    multi(all, handles, count, window);
  }
  printf("%ld\n", now() - began);
  return 0;
}
