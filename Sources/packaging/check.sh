#!/usr/bin/env bash
# Checks that a program runs on Ubuntu 22.04, on Debian 12 and later, and says nothing about the machine that built it.
#
#   Sources/packaging/check.sh PROGRAM FOLDER  FOLDER is where it was built
#
# Prints a line for each fault. The status is 0 only if there is none.
set -euo pipefail
export LC_ALL=C
program=$1
folder=$2
# Ubuntu 22.04 has this glibc, and Debian 12 has the next one.
glibc=2.35
faults=0

fault() {
  echo "$program $1" >&2
  faults=$((faults + 1))
}

dynamic=$(readelf -W -d "$program")
for library in $(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' <<<"$dynamic"); do
  case $library in
  libc.so.* | libm.so.* | ld-linux*.so.*) ;;
  *) fault "needs $library, which may not be installed" ;;
  esac
done
for version in $(readelf -W -V "$program" | grep -o 'GLIBC_[A-Za-z0-9._]*' | sort -Vu); do
  case $version in
  GLIBC_[0-9]*) [ "$(printf '%s\n' "${version#GLIBC_}" "$glibc" | sort -V | tail -n 1)" = "$glibc" ] && continue ;;
  esac
  fault "needs $version, which is newer than glibc $glibc"
done
! grep -qaF "$folder" "$program" || fault "contains the path of its build, $folder"
! grep -q 'RPATH\|RUNPATH' <<<"$dynamic" || fault "looks for libraries in a folder of its build"
grep -q 'Flags:.*NOW' <<<"$dynamic" || fault "resolves symbols late, so that its table of them stays writable"
! readelf -W -S "$program" | grep -q ' \.symtab\| \.debug_' || fault "has symbols or debugging information"
[ "$faults" -eq 0 ]
