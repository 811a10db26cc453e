#include "ckeyring.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The types and constants of GLib, GIO and libsecret in use. Their ABI is stable.
typedef struct {
  unsigned int domain;
  int code;
  char *message;
} g_error;

typedef struct g_list {
  void *data;
  struct g_list *next;
  struct g_list *previous;
} g_list;

typedef struct {
  const char *name;
  int type;
} attribute;

typedef struct {
  const char *name;
  int flags;
  attribute attributes[32];
  int reserved;
  void *more[7];
} secret_schema;

enum { SECRET_SCHEMA_NONE = 0, SECRET_SERVICE_OPEN_SESSION = 2, SECRET_SEARCH_LOAD_SECRETS = 8, SECRET_ERROR_IS_LOCKED = 2 };

// One schema for each kind: a client secret can have the name of a store's key without being it.
static const secret_schema schemas[] = {
    [CKEYRING_STORE_KEY] = {.name = "io.github.oauth-stdio.StoreKey", .flags = SECRET_SCHEMA_NONE, .attributes = {{"id", 0}}},
    [CKEYRING_CLIENT_SECRET] = {.name = "io.github.oauth-stdio.ClientSecret", .flags = SECRET_SCHEMA_NONE, .attributes = {{"id", 0}}},
};

// The functions in use: each name and its type. All three libraries are found through libsecret's own dependencies.
#define ENTRIES(ENTRY)                                                                                                   \
  ENTRY(void *, secret_service_get_sync, (int, void *, g_error **))                                                      \
  ENTRY(void, secret_service_disconnect, (void))                                                                         \
  ENTRY(g_list *, secret_service_search_sync, (void *, const secret_schema *, void *, int, void *, g_error **))          \
  ENTRY(int, secret_service_store_sync,                                                                                  \
        (void *, const secret_schema *, void *, const char *, const char *, void *, void *, g_error **))                 \
  ENTRY(int, secret_service_clear_sync, (void *, const secret_schema *, void *, void *, g_error **))                     \
  ENTRY(void *, secret_collection_for_alias_sync, (void *, const char *, int, void *, g_error **))                       \
  ENTRY(int, secret_collection_get_locked, (void *))                                                                     \
  ENTRY(unsigned int, secret_error_get_quark, (void))                                                                    \
  ENTRY(int, secret_item_get_locked, (void *))                                                                           \
  ENTRY(void *, secret_item_get_secret, (void *))                                                                        \
  ENTRY(void *, secret_value_new, (const char *, long, const char *))                                                    \
  ENTRY(const char *, secret_value_get, (void *, size_t *))                                                              \
  ENTRY(void, secret_value_unref, (void *))                                                                              \
  ENTRY(void *, g_hash_table_new, (unsigned int (*)(const void *), int (*)(const void *, const void *)))                 \
  ENTRY(int, g_hash_table_insert, (void *, void *, void *))                                                              \
  ENTRY(void, g_hash_table_unref, (void *))                                                                              \
  ENTRY(unsigned int, g_str_hash, (const void *))                                                                        \
  ENTRY(int, g_str_equal, (const void *, const void *))                                                                  \
  ENTRY(void *, g_cancellable_new, (void))                                                                               \
  ENTRY(void, g_cancellable_cancel, (void *))                                                                            \
  ENTRY(int, g_cancellable_is_cancelled, (void *))                                                                       \
  ENTRY(void, g_object_unref, (void *))                                                                                  \
  ENTRY(void, g_list_free, (g_list *))                                                                                   \
  ENTRY(void, g_error_free, (g_error *))

#define DECLARE(type, name, parameters) type(*name) parameters;
static struct {
  ENTRIES(DECLARE)
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char refusal[200];

static void open_library(void) {
  void *library = dlopen("libsecret-1.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(refusal, sizeof refusal, "libsecret is not installed (Debian: libsecret-1-0)");
    return;
  }
#define FIND(type, name, parameters)                                                     \
  *(void **)(&lib.name) = dlsym(library, #name);                                         \
  if (lib.name == NULL) {                                                                \
    snprintf(refusal, sizeof refusal, "libsecret is too old: it has no " #name);         \
    return;                                                                              \
  }
  ENTRIES(FIND)
}

// One call. It runs on a thread of its own, because libsecret blocks. The caller waits for a limited time.
// The last of the two frees it.
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int users;
  int is_done;
  void *cancellable;
  enum { FIND_SECRET, STORE_SECRET, REMOVE_SECRET } action;
  const secret_schema *schema;
  char id[512];
  // Holds a path of any length that the system allows.
  char label[4200];
  char secret[CKEYRING_LIMIT + 1];
  int code;
  char reason[200];
} call;

static void wipe(void *bytes, size_t n) {
  volatile unsigned char *byte = bytes;
  while (n-- > 0) *byte++ = 0;
}

static void release(call *c) {
  pthread_mutex_lock(&c->lock);
  int left = --c->users;
  pthread_mutex_unlock(&c->lock);
  if (left > 0) return;
  lib.g_object_unref(c->cancellable);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->ended);
  wipe(c, sizeof *c);
  free(c);
}

static int failed(call *c, g_error *error, int code) {
  if (error == NULL) {
    snprintf(c->reason, sizeof c->reason, "no reason was given");
    return code;
  }
  if (error->domain == lib.secret_error_get_quark() && error->code == SECRET_ERROR_IS_LOCKED) code = CKEYRING_LOCKED;
  snprintf(c->reason, sizeof c->reason, "%s", error->message);
  lib.g_error_free(error);
  return code;
}

// Whether the default collection can be changed without a prompt. libsecret would unlock or create it, and ask the user for a password.
static int check_unlocked(call *c, void *service) {
  g_error *error = NULL;
  void *collection = lib.secret_collection_for_alias_sync(service, "default", 0, c->cancellable, &error);
  if (error != NULL) return failed(c, error, CKEYRING_FAILED);
  if (collection == NULL) {
    snprintf(c->reason, sizeof c->reason, "it has no default collection: create one with the desktop's keyring program");
    return CKEYRING_FAILED;
  }
  int code = lib.secret_collection_get_locked(collection) ? CKEYRING_LOCKED : CKEYRING_DONE;
  lib.g_object_unref(collection);
  return code;
}

static int find(call *c, void *service, void *attributes) {
  g_error *error = NULL;
  // Without the flag that unlocks: no prompt appears, which a user over SSH could not see.
  g_list *items = lib.secret_service_search_sync(service, c->schema, attributes, SECRET_SEARCH_LOAD_SECRETS, c->cancellable, &error);
  if (error != NULL) return failed(c, error, CKEYRING_FAILED);
  int code = CKEYRING_MISSING;
  for (g_list *item = items; item != NULL; item = item->next) {
    if (code != CKEYRING_DONE) {
      void *value = lib.secret_item_get_locked(item->data) ? NULL : lib.secret_item_get_secret(item->data);
      if (value == NULL) {
        code = CKEYRING_LOCKED;
      } else {
        size_t length = 0;
        const char *bytes = lib.secret_value_get(value, &length);
        if (length < sizeof c->secret) {
          memcpy(c->secret, bytes, length);
          c->secret[length] = 0;
          code = CKEYRING_DONE;
        }
        lib.secret_value_unref(value);
      }
    }
    lib.g_object_unref(item->data);
  }
  lib.g_list_free(items);
  // gnome-keyring finds no item in a collection that it has not unlocked yet.
  return code == CKEYRING_MISSING && check_unlocked(c, service) == CKEYRING_LOCKED ? CKEYRING_LOCKED : code;
}

static int perform(call *c) {
  g_error *error = NULL;
  void *service = lib.secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, c->cancellable, &error);
  if (service == NULL) return failed(c, error, CKEYRING_UNAVAILABLE);
  void *attributes = lib.g_hash_table_new(lib.g_str_hash, lib.g_str_equal);
  lib.g_hash_table_insert(attributes, "id", c->id);
  int code = CKEYRING_DONE;
  switch (c->action) {
  case FIND_SECRET: code = find(c, service, attributes); break;
  case STORE_SECRET: {
    code = check_unlocked(c, service);
    if (code != CKEYRING_DONE) break;
    void *value = lib.secret_value_new(c->secret, -1, "text/plain");
    if (!lib.secret_service_store_sync(service, c->schema, attributes, "default", c->label, value, c->cancellable, &error))
      code = failed(c, error, CKEYRING_FAILED);
    lib.secret_value_unref(value);
    break;
  }
  case REMOVE_SECRET:
    code = check_unlocked(c, service);
    if (code != CKEYRING_DONE) break;
    // Without an error, the keyring has no such secret.
    if (!lib.secret_service_clear_sync(service, c->schema, attributes, c->cancellable, &error) && error != NULL)
      code = failed(c, error, CKEYRING_FAILED);
    break;
  }
  lib.g_hash_table_unref(attributes);
  lib.g_object_unref(service);
  // libsecret would use the same connection again, even if the keyring was restarted meanwhile.
  lib.secret_service_disconnect();
  return code;
}

static void *run(void *argument) {
  call *c = argument;
  int code = perform(c);
  pthread_mutex_lock(&c->lock);
  c->code = code;
  c->is_done = 1;
  pthread_cond_signal(&c->ended);
  pthread_mutex_unlock(&c->lock);
  release(c);
  return NULL;
}

static int execute(call *c, int milliseconds, char *secret, size_t size, char *reason, size_t n) {
  pthread_once(&once, open_library);
  if (refusal[0] != 0) {
    snprintf(reason, n, "%s", refusal);
    wipe(c, sizeof *c);
    free(c);
    return CKEYRING_UNAVAILABLE;
  }
  c->cancellable = lib.g_cancellable_new();
  c->users = 2;
  pthread_mutex_init(&c->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#if !defined(__APPLE__)
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  pthread_cond_init(&c->ended, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, c) != 0) {
    c->users = 1;
    release(c);
    snprintf(reason, n, "no thread could be started");
    return CKEYRING_FAILED;
  }
  pthread_detach(thread);
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += milliseconds % 1000 * 1000000L;
  if (end.tv_nsec >= 1000000000L) {
    end.tv_sec++;
    end.tv_nsec -= 1000000000L;
  }
  int code = CKEYRING_TIMED_OUT;
  pthread_mutex_lock(&c->lock);
  while (!c->is_done && pthread_cond_timedwait(&c->ended, &c->lock, &end) != ETIMEDOUT) continue;
  if (c->is_done) {
    code = c->code;
    if (secret != NULL && code == CKEYRING_DONE) snprintf(secret, size, "%s", c->secret);
    snprintf(reason, n, "%s", c->reason);
  }
  pthread_mutex_unlock(&c->lock);
  if (code == CKEYRING_TIMED_OUT) {
    snprintf(reason, n, "the keyring did not answer within %d s", milliseconds / 1000);
    lib.g_cancellable_cancel(c->cancellable);
  }
  release(c);
  return code;
}

static call *prepared(int action, int kind, const char *id) {
  call *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->action = action;
  c->schema = &schemas[kind];
  snprintf(c->id, sizeof c->id, "%s", id);
  return c;
}

int ckeyring_find(int kind, const char *id, char *secret, size_t size, int milliseconds, char *reason, size_t n) {
  call *c = prepared(FIND_SECRET, kind, id);
  return c == NULL ? CKEYRING_FAILED : execute(c, milliseconds, secret, size, reason, n);
}

int ckeyring_store(int kind, const char *id, const char *label, const char *secret, int milliseconds, char *reason, size_t n) {
  call *c = prepared(STORE_SECRET, kind, id);
  if (c == NULL) return CKEYRING_FAILED;
  snprintf(c->label, sizeof c->label, "%s", label);
  snprintf(c->secret, sizeof c->secret, "%s", secret);
  return execute(c, milliseconds, NULL, 0, reason, n);
}

int ckeyring_remove(int kind, const char *id, int milliseconds, char *reason, size_t n) {
  call *c = prepared(REMOVE_SECRET, kind, id);
  return c == NULL ? CKEYRING_FAILED : execute(c, milliseconds, NULL, 0, reason, n);
}
