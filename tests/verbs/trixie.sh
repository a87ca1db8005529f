#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: trixie.sh [TEST]...
#
# Runs the binaries of this build under the verbs programs of Debian 13. Makes a small Debian 13,
# once, in $TRIXIE_ROOT ($B/cleanroom-verbs). Making and entering it need root; the tests run as the
# system's unprivileged user.
set -u
. tests/tools/debian.sh
B=${B:-build}
root=${TRIXIE_ROOT:-$(pwd)/$B/cleanroom-verbs}
tests=${*:-tests/verbs/all_programs.sh}
failed=0 number=0

# The packages of the group verbs, and the libraries of the simulator.
packages=$(awk -F '|' '!/^#/ && NF > 2 && $2 ~ /verbs/ { print $1 }' tests/tools/packages.def)
# shellcheck disable=SC2086 # a list
sh tests/tools/trixie.sh test-verbs-trixie ib_write_bw "$root" $packages procps libjansson4 libssl3t64 libdw1t64 libelf1t64 || exit 1

for test in $tests; do
    # shellcheck disable=SC2016 # the other shell's arguments
    debian_work "$root" "$(pwd)" sh -c 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm &&
        exec setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/tmp "$@"' sh \
        B="$B" TIMES="${TIMES:-5}" LIMIT="${LIMIT:-120}" sh "$test" > "$root.tap" 2>&1
    ended=$?
    sed -n 's/^ok [0-9]* - //p' "$root.tap" > "$root.good"
    while read -r name; do
        number=$((number + 1))
        echo "ok $number - Debian 13: $name"
    done < "$root.good"
    grep '^#' "$root.tap"
    if [ $ended != 0 ] || ! grep -q '^1\.\.' "$root.tap"; then
        failed=1 number=$((number + 1))
        echo "not ok $number - Debian 13: $test"
        sed 's/^/# /' "$root.tap"
    fi
done
echo "1..$number"
exit $failed
