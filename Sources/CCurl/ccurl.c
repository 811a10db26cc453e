#include "ccurl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libcurl's CURLMsg.
typedef struct {
  int kind;
  ccurl_easy *easy;
  union {
    void *pointer;
    int code;
  } data;
} ccurl_message;

enum {
  CURL_BLOB_COPY = 1,
  CURL_GLOBAL_ALL = 3,
  CURLOPT_SHARE = 10100,
  CURLOPT_READFUNCTION = 20012,
  CURLOPT_OPENSOCKETFUNCTION = 20163,
  CURLOPT_SEEKFUNCTION = 20167,
  CURLOPT_XFERINFOFUNCTION = 20219,
  CURLOPT_PREREQFUNCTION = 20312,
  CURLINFO_PRIVATE = 0x100000 + 21,
  CURLMOPT_MAXCONNECTS = 6,
  CURLMOPT_MAX_HOST_CONNECTIONS = 7,
  CURLMSG_DONE = 1,
  CURLPAUSE_CONT = 0,
  CURLPAUSE_RECV = 1,
  CURLSHOPT_SHARE = 1,
  CURL_LOCK_DATA_SSL_SESSION = 4
};

// The libcurl functions in use: each name and its type.
#define ENTRIES(ENTRY)                                                                                    \
  ENTRY(int, global_init, (long))                                                                         \
  ENTRY(const char *, version, (void))                                                                    \
  ENTRY(ccurl_easy *, easy_init, (void))                                                                  \
  ENTRY(void, easy_cleanup, (ccurl_easy *))                                                               \
  ENTRY(int, easy_pause, (ccurl_easy *, int))                                                             \
  ENTRY(int, easy_setopt, (ccurl_easy *, int, ...))                                                       \
  ENTRY(int, easy_getinfo, (ccurl_easy *, int, ...))                                                      \
  ENTRY(ccurl_list *, slist_append, (ccurl_list *, const char *))                                         \
  ENTRY(void, slist_free_all, (ccurl_list *))                                                             \
  ENTRY(ccurl_multi *, multi_init, (void))                                                                \
  ENTRY(int, multi_cleanup, (ccurl_multi *))                                                              \
  ENTRY(int, multi_setopt, (ccurl_multi *, int, ...))                                                     \
  ENTRY(int, multi_add_handle, (ccurl_multi *, ccurl_easy *))                                             \
  ENTRY(int, multi_remove_handle, (ccurl_multi *, ccurl_easy *))                                          \
  ENTRY(int, multi_perform, (ccurl_multi *, int *))                                                       \
  ENTRY(int, multi_poll, (ccurl_multi *, void *, unsigned, int, int *))                                   \
  ENTRY(int, multi_wakeup, (ccurl_multi *))                                                               \
  ENTRY(ccurl_message *, multi_info_read, (ccurl_multi *, int *))                                         \
  ENTRY(ccurl_share *, share_init, (void))                                                                \
  ENTRY(int, share_setopt, (ccurl_share *, int, ...))                                                     \
  ENTRY(int, share_cleanup, (ccurl_share *))

#define DECLARE(type, name, parameters) type(*name) parameters;
static struct {
  ENTRIES(DECLARE)
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int opened = -1;
static char refusal[256];

#if defined(__APPLE__)
static const char *const names[] = {"/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"};
#else
// Systems that got libcurl only with git have the second name: the same library with another TLS.
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

static void open_library(void) {
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof names / sizeof names[0]; i++) {
    library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    const char *error = library == NULL ? dlerror() : NULL;
    // Keep the message of the first name, because that is the library to install.
    if (i == 0) snprintf(refusal, sizeof refusal, "%s", error == NULL ? "" : error);
  }
  if (library == NULL) return;
#define FIND(type, name, parameters)                                             \
  *(void **)(&curl.name) = dlsym(library, "curl_" #name);                        \
  if (curl.name == NULL) {                                                       \
    snprintf(refusal, sizeof refusal, "libcurl is too old: it has no curl_%s", #name); \
    return;                                                                      \
  }
  ENTRIES(FIND)
  int code = curl.global_init(CURL_GLOBAL_ALL);
  if (code != 0) {
    snprintf(refusal, sizeof refusal, "libcurl could not start: curl_global_init answered %d", code);
    return;
  }
  opened = 0;
}

int ccurl_open(char *reason, size_t n) {
  pthread_once(&once, open_library);
  if (opened != 0) snprintf(reason, n, "%s", refusal);
  return opened;
}

const char *ccurl_version(void) { return curl.version(); }

ccurl_easy *ccurl_easy_new(void) { return curl.easy_init(); }
void ccurl_easy_free(ccurl_easy *easy) { curl.easy_cleanup(easy); }
int ccurl_easy_resume(ccurl_easy *easy, int receives) { return curl.easy_pause(easy, receives ? CURLPAUSE_CONT : CURLPAUSE_RECV); }

long ccurl_set_long(ccurl_easy *easy, long option, long value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_size(ccurl_easy *easy, long option, int64_t value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_string(ccurl_easy *easy, long option, const char *value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_owner(ccurl_easy *easy, long option, void *value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_list(ccurl_easy *easy, long option, const ccurl_list *value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_share(ccurl_easy *easy, const ccurl_share *value) { return curl.easy_setopt(easy, CURLOPT_SHARE, value); }
long ccurl_set_blob(ccurl_easy *easy, long option, const void *bytes, size_t n) {
  struct {
    const void *bytes;
    size_t n;
    unsigned flags;
  } blob = {bytes, n, CURL_BLOB_COPY};
  return curl.easy_setopt(easy, (int)option, &blob);
}
long ccurl_set_write(ccurl_easy *easy, long option, ccurl_write value) { return curl.easy_setopt(easy, (int)option, value); }
long ccurl_set_read(ccurl_easy *easy, ccurl_read value) { return curl.easy_setopt(easy, CURLOPT_READFUNCTION, value); }
long ccurl_set_seek(ccurl_easy *easy, ccurl_seek value) { return curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, value); }
long ccurl_set_progress(ccurl_easy *easy, ccurl_progress value) { return curl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value); }
long ccurl_set_prerequest(ccurl_easy *easy, ccurl_prerequest value) { return curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, value); }
long ccurl_set_opensocket(ccurl_easy *easy, ccurl_opensocket value) { return curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value); }

int ccurl_socket(const ccurl_address *address) {
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
#else
  int descriptor = socket(address->family, address->type, address->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

const char *ccurl_get_string(ccurl_easy *easy, long info) {
  const char *value = NULL;
  return curl.easy_getinfo(easy, (int)info, &value) == 0 ? value : NULL;
}

long ccurl_get_long(ccurl_easy *easy, long info) {
  long value = 0;
  return curl.easy_getinfo(easy, (int)info, &value) == 0 ? value : 0;
}

int64_t ccurl_get_size(ccurl_easy *easy, long info) {
  int64_t value = 0;
  return curl.easy_getinfo(easy, (int)info, &value) == 0 ? value : 0;
}

void *ccurl_get_owner(ccurl_easy *easy) {
  char *value = NULL;
  return curl.easy_getinfo(easy, CURLINFO_PRIVATE, &value) == 0 ? value : NULL;
}

ccurl_list *ccurl_list_append(ccurl_list *list, const char *line) { return curl.slist_append(list, line); }
void ccurl_list_free(ccurl_list *list) { curl.slist_free_all(list); }

ccurl_multi *ccurl_multi_new(void) { return curl.multi_init(); }
void ccurl_multi_free(ccurl_multi *multi) { curl.multi_cleanup(multi); }
void ccurl_multi_limit(ccurl_multi *multi, long kept, long of_host) {
  curl.multi_setopt(multi, CURLMOPT_MAXCONNECTS, kept);
  curl.multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, of_host);
}
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_remove_handle(multi, easy); }
void ccurl_multi_wakeup(ccurl_multi *multi) { curl.multi_wakeup(multi); }

void ccurl_multi_perform(ccurl_multi *multi) {
  int running = 0;
  curl.multi_perform(multi, &running);
}

void ccurl_multi_wait(ccurl_multi *multi, int milliseconds) { curl.multi_poll(multi, NULL, 0, milliseconds, NULL); }

int ccurl_multi_ended(ccurl_multi *multi, ccurl_easy **easy, long *code) {
  int left = 0;
  for (ccurl_message *message; (message = curl.multi_info_read(multi, &left)) != NULL;) {
    if (message->kind != CURLMSG_DONE) continue;
    *easy = message->easy;
    *code = message->data.code;
    return 1;
  }
  return 0;
}

ccurl_share *ccurl_share_new(void) {
  ccurl_share *share = curl.share_init();
  if (share != NULL) curl.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  return share;
}

void ccurl_share_free(ccurl_share *share) { curl.share_cleanup(share); }
