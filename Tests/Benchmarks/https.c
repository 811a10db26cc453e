/* The minimum cost of HTTPS calls with libcurl. libcurl's functions are declared here, so building needs no headers of it.
 * `https easy|multi COUNT WINDOW URL CAFILE TOKEN [http1] [post]` makes COUNT calls with TOKEN on kept connections and prints the total nanoseconds. `post`
 * sends 1 KiB with each. `easy` makes them one after the other, `multi` WINDOW at a time. `https token` reads one request per line and answers each with a token from memory, like a minimal C
 * program. `https post URL [FOLDER]` posts a form to URL for each request, with the system calls that keep the response in a file of FOLDER. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { URL = 10002, POSTFIELDS = 10015, CAINFO = 10065, HTTPHEADER = 10023, WRITEFUNCTION = 20011, HTTP_VERSION = 84, HTTP_1_1 = 2, HTTP_2TLS = 4, MAXCONNECTS = 6 };
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

static int has(char **arguments, const char *word) {
  for (arguments += 7; *arguments; arguments++)
    if (strcmp(*arguments, word) == 0) return 1;
  return 0;
}

static void *handle(char **arguments) {
  static char body[1025];
  void *easy = curl_easy_init();
  curl_easy_setopt(easy, URL, arguments[4]);
  curl_easy_setopt(easy, CAINFO, arguments[5]);
  curl_easy_setopt(easy, WRITEFUNCTION, drop);
  static char header[1 << 16];
  snprintf(header, sizeof header, "Authorization: Bearer %s", arguments[6]);
  curl_easy_setopt(easy, HTTPHEADER, curl_slist_append(NULL, header));
  curl_easy_setopt(easy, HTTP_VERSION, (long)(has(arguments, "http1") ? HTTP_1_1 : HTTP_2TLS));
  memset(body, 'b', sizeof body - 1);
  if (has(arguments, "post")) curl_easy_setopt(easy, POSTFIELDS, body);
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

/* What a grant's file has, and the room that is reserved for what a refresh adds to it. */
enum { grant = 660, room = 16384 };

static void must(int holds) {
  if (holds) return;
  perror("https");
  exit(1);
}

/* Descriptors of the lock, the new file and its folder. */
typedef struct {
  int lock, file, folder;
} descriptors;

/* Of the grant, its lock, its temporary file, the key and the key that it replaces. */
static char path[5][4096];

/* The key is read before each write, because `stat` of a network file system may be outdated. */
static void readKey(void) {
  char bytes[33];
  struct stat status;
  int file = open(path[3], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  must(file >= 0 && fstat(file, &status) == 0 && read(file, bytes, 33) == 32 && read(file, bytes, 1) == 0);
  close(file);
}

/* For the nonce of the sealed grant or the name of its temporary file. */
static void draw(int words) {
  long word;
  while (words-- > 0) must(getrandom(&word, sizeof word, 0) == sizeof word);
}

/* Whether another process has moved the key, or changed the grant: known once the lock is held, and again once the server has answered. */
static void examine(void) {
  struct stat status;
  must(stat(path[3], &status) == 0 && stat(path[4], &status) != 0);
  stat(path[0], &status);
}

static descriptors prepare(const char *folder) {
  static const char bytes[grant + room];
  struct stat status;
  must(stat(folder, &status) == 0 && status.st_uid == geteuid());
  descriptors all = {open(path[1], O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), -1, -1};
  must(all.lock >= 0 && flock(all.lock, LOCK_EX | LOCK_NB) == 0 && fstat(all.lock, &status) == 0 && lstat(path[1], &status) == 0);
  must(getpid() > 0 && pwrite(all.lock, "12345 1795444522\n", 17, 0) == 17 && ftruncate(all.lock, 17) == 0);
  examine();
  must(stat(folder, &status) == 0);
  readKey();
  draw(1);
  all.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  all.file = open(path[2], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  must(all.folder >= 0 && all.file >= 0 && pwrite(all.file, bytes, sizeof bytes, 0) == sizeof bytes && fsync(all.file) == 0);
  return all;
}

static void keep(descriptors all) {
  static const char bytes[grant];
  struct stat status;
  examine();
  draw(2);
  must(pwrite(all.file, bytes, grant, 0) == grant && ftruncate(all.file, grant) == 0 && fsync(all.file) == 0);
  must(rename(path[2], path[0]) == 0 && fsync(all.folder) == 0 && stat(path[0], &status) == 0 && ftruncate(all.lock, 0) == 0);
  close(all.file);
  close(all.folder);
  close(all.lock);
}

static int post(const char *url, const char *folder) {
  static char line[65536];
  void *easy = curl_easy_init();
  curl_easy_setopt(easy, URL, url);
  curl_easy_setopt(easy, WRITEFUNCTION, drop);
  curl_easy_setopt(easy, POSTFIELDS, "grant_type=refresh_token&refresh_token=1&client_id=c");
  const char *names[] = {"c.grant", "c.grant.lock", "c.grant.tmp", "c.key", "c.key.previous"};
  for (int i = 0; i < 5; i++) snprintf(path[i], sizeof path[i], "%s/%s", folder ? folder : "", names[i]);
  if (folder) {
    int key = open(path[3], O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    must(pwrite(key, path, 32, 0) == 32);
    close(key);
  }
  while (fgets(line, sizeof line, stdin)) {
    descriptors all;
    if (folder) all = prepare(folder);
    fail(curl_easy_perform(easy));
    if (folder) keep(all);
    puts("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    fflush(stdout);
  }
  return 0;
}

int main(int arguments_count, char **arguments) {
  if (arguments_count > 1 && strcmp(arguments[1], "token") == 0) return token();
  if (arguments_count > 2 && strcmp(arguments[1], "post") == 0) return post(arguments[2], arguments_count > 3 ? arguments[3] : NULL);
  if (arguments_count < 7) return 2;
  long count = strtol(arguments[2], NULL, 10), window = strtol(arguments[3], NULL, 10), began;
  if (strcmp(arguments[1], "easy") == 0) {
    void *easy = handle(arguments);
    fail(curl_easy_perform(easy));
    began = now();
    for (long i = 0; i < count; i++) fail(curl_easy_perform(easy));
  } else {
    void **handles = calloc((size_t)window, sizeof *handles), *all = curl_multi_init();
    curl_multi_setopt(all, MAXCONNECTS, window);
    for (long i = 0; i < window; i++) handles[i] = handle(arguments);
    multi(all, handles, window, window);
    began = now();
    multi(all, handles, count, window);
  }
  printf("%ld\n", now() - began);
  return 0;
}
