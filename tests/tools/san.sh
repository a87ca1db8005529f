#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: san.sh GOAL
#
# Makes GOAL under the address and undefined-behaviour sanitizers, in $B/san, which has links to all
# folders of the tree and its own build. A finding ends the program, so its test fails.
# $B/test/changed names the files that have changed; the logs go to $B/test/san.
set -eu
B=${B:-build}
goal=${1:?usage: san.sh GOAL}
root=$(pwd)
case $B in
/*) logs=$B/test ;;
*) logs=$root/$B/test ;;
esac
mkdir -p "$B/san"
for entry in "$root"/* "$root/.git"; do
    name=${entry##*/}
    [ "$name" = "${B%%/*}" ] || [ ! -e "$entry" ] || ln -sfn "$entry" "$B/san/$name"
done
# Uses the models of the chip if they are built; no program of the soft tier runs one.
mkdir -p "$B/san/build/lib"
for built in "$B/plain" "$B/told"; do [ ! -d "$built" ] || cp -rpu "$built" "$B/san/build"; done
for built in "$B"/lib/libternmodel*.a; do [ ! -f "$built" ] || cp -pu "$built" "$B/san/build/lib"; done
# Warnings of this build come from the sanitizers and are not errors. -fno-sanitize-recover:
# undefined behaviour ends the program. Leaks do not fail a test, since tests end without closing
# everything.
san=-fsanitize=address,undefined
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:abort_on_error=0:exitcode=99}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export ASAN_OPTIONS UBSAN_OPTIONS
cd "$B/san"
status=0
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make SAN= APART= B=build CPPFLAGS=-Wno-error TERN_CHANGED="$logs/changed" \
    OPT="-O1 -g -fno-omit-frame-pointer $san -fno-sanitize-recover=undefined" \
    LDFLAGS="-pthread $san" "$goal" || status=$?
# `make conformance` expects them there.
rm -rf "$logs/san"
[ ! -d build/test/san ] || cp -rp build/test/san "$logs/san"
[ ! -f build/test/left-out-san ] || cp -p build/test/left-out-san "$logs"
exit $status
