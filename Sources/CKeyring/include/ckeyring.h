#pragma once

#include <stddef.h>

// A small part of libsecret, which stores secrets in the desktop's keyring (the Secret Service of freedesktop.org).
// The library is opened at the first call. Every call ends within the given time, even if the keyring does not answer.

enum {
  CKEYRING_DONE = 0,
  // The keyring has no such secret.
  CKEYRING_MISSING = 1,
  // The user must unlock the keyring first.
  CKEYRING_LOCKED = 2,
  // libsecret is not installed, or no keyring is running.
  CKEYRING_UNAVAILABLE = 3,
  CKEYRING_TIMED_OUT = 4,
  CKEYRING_FAILED = 5,
};

// The kinds of secrets. Each has its own ids.
enum { CKEYRING_STORE_KEY = 0, CKEYRING_CLIENT_SECRET = 1 };

// The longest secret in bytes. An RSA key of 4096 bits in PEM has 3.2 KiB.
enum { CKEYRING_LIMIT = 8191 };

// Copies the secret of this kind and id into `secret` as a string. The buffer of `size` bytes should be zeroed after use.
int ckeyring_find(int kind, const char *id, char *secret, size_t size, int milliseconds, char *reason, size_t n);

// Stores a secret under this id. `label` is what a keyring program shows. An existing secret is replaced.
int ckeyring_store(int kind, const char *id, const char *label, const char *secret, int milliseconds, char *reason, size_t n);

// Removes the secret. A missing one is not a failure.
int ckeyring_remove(int kind, const char *id, int milliseconds, char *reason, size_t n);
