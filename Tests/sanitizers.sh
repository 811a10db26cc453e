#!/usr/bin/env bash
# Runs the unit tests with AddressSanitizer and ThreadSanitizer, and 100,000 requests with LeakSanitizer. Takes about half an hour.
# Each build has a folder of its own. Arguments choose: address, leak, thread.
set -euo pipefail
cd "$(dirname "$0")/.."
Tests/install.sh
if [ $# -eq 0 ]; then set -- address leak thread; fi

requests() {
  .build-tests/venv/bin/python - <<'PYTHON'
import json

PROVIDER = {"tokenEndpoint": "https://example.com/token", "authorizationEndpoint": "https://example.com/authorize"}
IMPORT = {"account": "a", "format": "json", "replace": True, "provider": PROVIDER, "clientId": "c", "data": {"access_token": "t"}}
KINDS = [
    ("account", {"account": "a"}), ("accounts", {}), ("importGrant", IMPORT), ("accessToken", {"account": "a"}), ("provider", {"provider": "github"}),
    ("nothing", {}), ("account", {"account": 1}), ("callAPI", {"account": "a", "url": "https://elsewhere.example/x"}), ("refresh", {"account": "a"}),
    ("authorizeRequest", {"account": "a", "url": "https://example.com/x"}), ("signOut", {"account": "b"}), ("providers", {}),
]
for number in range(100_000):
    method, params = KINDS[number % len(KINDS)]
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) if number % 50 else "{broken")
PYTHON
}

for name in "$@"; do
  sanitizer=${name/leak/address}
  scratch=.build-$sanitizer
  swift build --build-tests --sanitize "$sanitizer" --scratch-path "$scratch" >"$scratch.log" 2>&1 || { cat "$scratch.log"; exit 1; }
  rm -f "$scratch.log"
  if [ "$name" = leak ]; then
    # The process ends with _exit(2), before which LeakSanitizer would not look, and forbids the look of other processes.
    cc -shared -fPIC -x c -o "$scratch/leak.so" - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
void _exit(int status) {
  void (*check)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__lsan_do_leak_check");
  prctl(PR_SET_DUMPABLE, 1);
  if (check) check();
  syscall(SYS_exit_group, check ? status : 99);
  __builtin_unreachable();
}
C
    store=$(mktemp -d)
    requests | LD_PRELOAD=$scratch/leak.so LSAN_OPTIONS=exitcode=23 "$scratch/debug/oauth-stdio" --store "$store" --events none >"$store/answers"
    echo "leak: no block was lost in $(wc -l <"$store/answers") answers"
    rm -rf "$store"
  else
    preload=
    if [ "$name" = thread ]; then
      # ThreadSanitizer sees the atomic operations of Swift's Mutex, but not the library's system calls for a lock that two threads want.
      "$(dirname "$(readlink -f "$(command -v swift)")")/clang" -shared -fPIC -x c -o "$scratch/mutex.so" - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define context __attribute__((swift_context)) void *self
typedef __attribute__((swiftcall)) void (*locking)(uint32_t, context);
typedef __attribute__((swiftcall)) void (*unlocking)(context);
static void tell(const char *name, void *self) {
  void (*function)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (function) function(self);
}
__attribute__((swiftcall)) void lock(uint32_t thread, context) __asm__(LOCK);
__attribute__((swiftcall)) void lock(uint32_t thread, context) {
  ((locking)dlsym(RTLD_NEXT, LOCK))(thread, self);
  tell("__tsan_acquire", self);
}
__attribute__((swiftcall)) void unlock(context) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock(context) {
  tell("__tsan_release", self);
  ((unlocking)dlsym(RTLD_NEXT, UNLOCK))(self);
}
C
      preload=$PWD/$scratch/mutex.so
    fi
    # XCTest, which swift-testing starts, leaks some blocks of its own. A test measures the stack, which must not be moved to the heap.
    LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 \
      "$scratch/debug/oauth-stdioPackageTests.xctest" --testing-library swift-testing
  fi
done
