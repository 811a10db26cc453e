#!/usr/bin/env bash
# Builds the release as it is shipped. The tests and measurements run it, too. Arguments go to `swift build`:
#
#   Sources/packaging/release.sh                        everything, into .build
#   Sources/packaging/release.sh --product oauth-stdio  only the program
#
# On Linux, a program contains the Swift runtime, the C++ runtime and, where the system has its archive, jansson. So it needs glibc alone.
# The addresses of functions are read-only once it has started, and it has neither symbols nor debugging information.
# One commit gives the same bytes in every folder, if the compiler and the libraries are the same.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# Code that was generated incrementally contains a hash that depends on the path of the build.
flags=(
  -Xcc "-ffile-prefix-map=$root=." -Xcxx "-ffile-prefix-map=$root=." -Xswiftc -file-prefix-map -Xswiftc "$root=."
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
)
if [ "$(uname)" = Linux ]; then
  # The linker takes these archives, because their folder has no shared libraries.
  archives=$root/.build-archives
  mkdir -p "$archives"
  PATH=$PATH:$(dirname "$(readlink -f "$(command -v swift)")")
  for name in libjansson.a libstdc++.a; do
    file=$(clang -print-file-name="$name")
    [ "$file" = "$name" ] || ln -sf "$file" "$archives/$name"
  done
  # swift-crypto's use of FoundationEssentials needs the two named libraries, which autolinking omits. The arguments of Swift's static library
  # export every symbol, which keeps unused functions: the last flag takes that back.
  flags+=(
    --static-swift-stdlib -Xswiftc -use-ld=lld -Xswiftc -L -Xswiftc "$archives"
    -Xlinker -l_FoundationCollections -Xlinker -l_FoundationCShims -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    -Xlinker -z -Xlinker now -Xlinker -s -Xlinker --no-export-dynamic
  )
fi
exec swift build -c release --disable-local-rpath -debug-info-format none --package-path "$root" "${flags[@]}" "$@"
