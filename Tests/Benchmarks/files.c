/* An HTTP server that sends bytes faster than any client reads them, so that it is never the bottleneck.
 * `/api/token` responds with a token. `/api/big?bytes=N` is a JSON array of objects with about N bytes, `/api/blob?bytes=N` has N zero bytes. Prints its port and ends at the end of its
 * standard input. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum { block = 8 << 20 };
static int zeroes, items;
static size_t itemsSize;

static void makeItems(void) {
  static char text[2 << 20];
  size_t size = (size_t)sprintf(text, "[");
  for (int number = 0; size < 1000000; number++)
    size += (size_t)sprintf(
        text + size, "%s{\"id\":%d,\"name\":\"item %d\",\"description\":\"a sentence of some words about the item\",\"price\":%d.99,\"tags\":[\"a\",\"b\"]}",
        number ? "," : "", number, number, number);
  size += (size_t)sprintf(text + size, "]");
  if (write(items, text, size) != (ssize_t)size) exit(1);
  itemsSize = size;
}

static int sendRange(int connection, int file, size_t size, size_t count) {
  while (count > 0) {
    off_t offset = 0;
    size_t piece = count < size ? count : size;
    while ((size_t)offset < piece)
      if (sendfile(connection, file, &offset, piece - (size_t)offset) <= 0) return 0;
    count -= piece;
  }
  return 1;
}

static void *serve(void *argument) {
  int connection = (int)(long)argument;
  char request[1 << 14];
  size_t filled = 0;
  ssize_t got;
  int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  while ((got = read(connection, request + filled, sizeof request - 1 - filled)) > 0) {
    filled += (size_t)got;
    request[filled] = 0;
    char *body = strstr(request, "\r\n\r\n"), *length = strstr(request, "Content-Length: ");
    if (!body || request + filled < body + 4 + (length ? strtoul(length + 16, NULL, 10) : 0)) continue;
    if (strstr(request, "/api/token")) {
      char answer[512], *json = "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":3600,\"refresh_token\":\"%d\"}";
      static int number;
      int size = snprintf(NULL, 0, json, ++number);
      size = snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", size);
      size += snprintf(answer + size, sizeof answer - (size_t)size, json, number);
      if (send(connection, answer, (size_t)size, 0) != size) break;
      filled = 0;
      continue;
    }
    int isBig = strstr(request, "/api/big") != NULL;
    char *bytes = strstr(request, "bytes=");
    size_t count = isBig ? itemsSize : bytes ? strtoul(bytes + 6, NULL, 10) : 0;
    char head[256];
    int size = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n",
                        isBig ? "application/json" : "application/octet-stream", count);
    if (send(connection, head, (size_t)size, MSG_MORE) != size) break;
    if (!sendRange(connection, isBig ? items : zeroes, isBig ? itemsSize : block, count)) break;
    filled = 0;
  }
  close(connection);
  return NULL;
}

static void *accepting(void *argument) {
  int listener = (int)(long)argument;
  for (;;) {
    long connection = accept(listener, NULL, NULL);
    pthread_t thread;
    if (connection >= 0 && pthread_create(&thread, NULL, serve, (void *)connection) == 0) pthread_detach(thread);
  }
  return NULL;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  zeroes = memfd_create("zeroes", 0);
  items = memfd_create("items", 0);
  if (ftruncate(zeroes, block)) return 1;
  makeItems();
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  pthread_t thread;
  pthread_create(&thread, NULL, accepting, (void *)(long)listener);
  char byte;
  while (read(0, &byte, 1) > 0) {}
  return 0;
}
