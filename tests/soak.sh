#!/usr/bin/env bash
# Checks and scores a folder of records repeatedly until it has read a number of games, and watches the memory.
#
#   tests/soak.sh JIGO FOLDER [GAMES]
#
# GAMES is 2000000 by default. Two million games take about an hour on two cores and 3 GB of disk.
# The script prints the resident memory every minute. It fails in three cases:
#
# - The memory keeps growing.
# - A count differs from the count of one pass times the number of passes.
# - A table differs from the repeated rows of one pass.
#
# The variable SOAK_OPTIONS holds options for jigo report.
set -euo pipefail

jigo="$(realpath "$1")"
records="$(realpath "$2")"
wanted="${3:-2000000}"
every="${SOAK_SECONDS:-60}"
read -ra options <<< "${SOAK_OPTIONS:-}"
work="$(mktemp -d "${TMPDIR:-/tmp}/jigo-soak-XXXXXX")"
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

find "$records" -type f \( -iname '*.sgf' -o -iname '*.sgfs' -o -iname '*.mgt' \) | LC_ALL=C sort > once.txt
"$jigo" report --quiet --exit-zero "${options[@]}" --out once --files-from once.txt 2>/dev/null || [ $? -eq 2 ]
number() { grep -m1 -oE "\"$1\": *[0-9]+" "$2/summary.json" | grep -oE '[0-9]+$'; }
games="$(number found once)"
passes=$(( (wanted + games - 1) / games ))
echo "$games games in one pass, $passes passes: $(( games * passes )) games"
for (( i = 0; i < passes; i++ )); do cat once.txt; done > list.txt

started=$SECONDS
"$jigo" report --quiet --exit-zero "${options[@]}" --out many --files-from list.txt 2>/dev/null &
child=$!
memory=()
while kill -0 "$child" 2>/dev/null; do
  for (( i = 0; i < every; i++ )); do kill -0 "$child" 2>/dev/null || break; sleep 1; done
  resident="$(awk '/^VmRSS/ { print $2 }' "/proc/$child/status" 2>/dev/null)" || break
  [ -n "$resident" ] || break
  memory+=("$resident")
  printf '%5d s  %6d kB resident\n' $(( SECONDS - started )) "$resident"
done
wait "$child" || [ $? -eq 2 ]
child=
echo "done in $(( SECONDS - started )) s"

highest() { printf '%s\n' "$@" | sort -n | tail -1; }
half=$(( ${#memory[@]} / 2 ))
if [ "$half" -ge 2 ]; then
  first="$(highest "${memory[@]:0:half}")"
  second="$(highest "${memory[@]:half}")"
  echo "at most $first kB in the first half, $second kB in the second"
  # The tolerance covers random effects of the allocator.
  [ "$second" -le $(( first + first / 10 + 8192 )) ] || { echo "memory grows" >&2; exit 1; }
fi

# Prints every number of the summary, in order. The numbers of one pass are multiplied by the passes.
numbers() { grep -oE '^ *"[A-Za-z0-9_]+": *[0-9]+' "$1/summary.json" | tr -d ' "' ; }
diff <(numbers once | awk -F: -v passes="$passes" '{ printf "%s:%.0f\n", $1, $2 * passes }') <(numbers many) || { echo "counts differ" >&2; exit 1; }
for table in games findings scores; do
  { cat "once/$table.csv"; for (( i = 1; i < passes; i++ )); do tail -n +2 "once/$table.csv"; done; } | cmp - "many/$table.csv"
done
echo "exact: $(number found many) games, every count and every row as in one pass"
