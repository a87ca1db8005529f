#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the demo prints the same figures in cycles in every run, however busy the machine is,
# and that each table has a sentence and a legend.
set -u
B=${B:-build}
number=0 failed=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-cycles.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=$((failed + 1))
        sed 's/^/# /' "$dir"/*.log
    fi
}

head -c 20000 /dev/zero > "$dir/file"
put() { exec "$B/bin/demo-cycles" put "$B/fw/tern-fw.elf" "$dir/file" 2; }
(put) > "$dir/quiet.log" 2>&1
status=$?
# Again, with a busy process for every processor, and with pauses of the program.
hogs=
for _ in $(seq "$(nproc)"); do
    timeout 60 sh -c 'while :; do :; done' &
    hogs="$hogs $!"
done
put > "$dir/busy.log" 2>&1 &
figures=$!
for _ in 1 2 3 4 5; do
    sleep 0.1
    kill -STOP $figures 2> /dev/null
    sleep 0.1
    kill -CONT $figures 2> /dev/null
done
wait $figures && [ $status = 0 ]
status=$?
# shellcheck disable=SC2086 # words
kill $hogs 2> /dev/null
wait 2> /dev/null
echo "# put_cycles=$(awk '$1 == "cycles" && NF == 2 { print $2 }' "$dir/busy.log")"
[ $status = 0 ] && grep -q '^  cycles  *[0-9]' "$dir/quiet.log" && cmp "$dir/quiet.log" "$dir/busy.log" > "$dir/cmp.log" 2>&1
tap $? "the figures in cycles do not depend on the load of the machine"

# Each part prints its result and a legend.
for part in demo demo_bcast demo_lock demo_table; do
    grep -q '^shown "Shown: ' "host-driver/tools/$part.sh" && grep -q 'legend ' "host-driver/tools/$part.sh" || echo "$part"
done > "$dir/parts.log"
[ ! -s "$dir/parts.log" ] && grep -q '^Shown: one process wrote' README.md && grep -q 'firmware per descriptor' README.md
tap $? "every table has a sentence and a legend, and README shows one"
echo "1..$number"
[ $failed = 0 ]
