#!/usr/bin/env bash
# Builds the fuzz targets and runs each, two at once, for 30 seconds or as long as the first argument says: run.sh [SECONDS] [TARGET...]
# With 0 seconds, it only builds them.
# Prints one line for each target. The line of a finding names its input, which stays in .build-fuzz/findings, and the status is 1.
# The inputs that reach new code stay in .build-fuzz/corpus for the next run.
# FUZZ_JSON_SUITE=FOLDER also checks the texts of JSONTestSuite, whose folder is test_parsing.
set -uo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-30}
shift
folder=.build-fuzz
corpora=$folder/corpus
findings=$folder/findings
seeds=Tests/Fuzz/Seeds
targets=${*:-$(ls "$seeds")}
usage() {
  echo "usage: run.sh [SECONDS] [TARGET...], with targets of: $(echo $(ls "$seeds"))" >&2
  exit 2
}
[[ $seconds =~ ^[0-9]+$ ]] || usage
for target in $targets; do
  [ -d "$seeds/$target" ] || usage
done
mkdir -p "$corpora" "$findings"

# Only the last -sanitize counts for Swift, and SwiftPM gives each sanitizer one of its own, in the order of a set's elements.
# If that order changed from run to run, so would the compilers' arguments, and every second run would compile everything.
SWIFT_DETERMINISTIC_HASHING=1 FUZZ=1 swift build -c release --product fuzz --scratch-path "$folder" --sanitize fuzzer --sanitize address \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing >"$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
[ "$seconds" -ne 0 ] || exit 0

dictionary() {
  case $1 in
  frames | messages | params) echo rpc ;;
  loopback | redirects | urls | encodings | oauth1) echo http ;;
  plist) echo markup ;;
  tokens | idtokens | keysets | signingkeys | providers) echo tokens ;;
  json | grants) echo json ;;
  esac
}

# Bytes. A limit of a parser must be reached, and a longer input only costs time.
longest() {
  case $1 in
  frames) echo 20000 ;;
  providers | keysets | signingkeys) echo 8192 ;;
  *) echo 2048 ;;
  esac
}

# With a backtrace, Swift's handler waits for libFuzzer's, and the process hangs. Some libraries free nothing at their end.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fuzz() {
  local target=$1
  shift
  FUZZ_TARGET=$target "$folder/release/fuzz" -timeout=10 -rss_limit_mb=3072 -artifact_prefix="$findings/$target-" "$@"
}

# Compares the JSON parser with the names of the seeds, with Python's parser, and with JSONTestSuite.
json_cases() {
  local cases=$folder/python-json
  python3 Tests/Fuzz/python_verdicts.py "$cases" "$corpora/json" "$seeds/json" || return 1
  FUZZ_JSON_CASES=$seeds/json:$cases${FUZZ_JSON_SUITE:+:$FUZZ_JSON_SUITE} fuzz json -runs=0
}

# Fuzzes one target, and prints its line.
one() {
  local target=$1 log=$folder/$1.log words code executions edges features result=ok finding input
  mkdir -p "$corpora/$target"
  words=$(dictionary "$target")
  fuzz "$target" -max_total_time="$seconds" -max_len="$(longest "$target")" \
    ${words:+-dict="Tests/Fuzz/Dictionaries/$words.dict"} -print_final_stats=1 "$corpora/$target" "$seeds/$target" >"$log" 2>&1
  code=$?
  if [ "$code" -eq 0 ] && [ "$target" = json ]; then
    json_cases >>"$log" 2>&1
    code=$?
  fi
  executions=$(grep -a -m1 -oP '^stat::number_of_executed_units: *\K\d+' "$log")
  edges=$(grep -aoP 'cov: \K\d+' "$log" | sort -n | tail -1)
  features=$(grep -aoP 'ft: \K\d+' "$log" | sort -n | tail -1)
  if [ "$code" -ne 0 ]; then
    finding=$(grep -a -m1 -oE 'Fatal error: .*|ERROR: (libFuzzer|AddressSanitizer): .*' "$log" | cut -c1-160)
    input=$(grep -ao "$findings/[^ ]*" "$log" | tail -1)
    result="${finding:-ended with $code}, see $log${input:+ and $input}"
  fi
  printf '%-10s %12s %8s %8s  %s\n' "$target" "${executions:-0}" "${edges:-0}" "${features:-0}" "$result"
  return "$code"
}

status=0
running=0
printf '%-10s %12s %8s %8s  %s\n' target executions edges features result
for target in $targets; do
  # Two at once.
  if [ $running -eq 2 ]; then
    wait -n || status=1
    running=1
  fi
  one "$target" &
  running=$((running + 1))
done
while [ $running -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
exit $status
