#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: san.sh GOAL
#
# Makes GOAL under the address and undefined-behaviour sanitizers, in $B/san: links to all folders of
# the tree, and a build of its own.  A finding of theirs ends the program, so its test has failed.
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
# The models of the chip are those that are built, if they are: no program of the soft tier runs one.
mkdir -p "$B/san/build/lib"
for built in "$B/plain" "$B/told"; do [ ! -d "$built" ] || cp -rpu "$built" "$B/san/build"; done
for built in "$B"/lib/libternmodel*.a; do [ ! -f "$built" ] || cp -pu "$built" "$B/san/build/lib"; done
# Warnings are no errors: those of this build come from the sanitizers.  -fno-sanitize-recover: undefined
# behaviour ends the program.  A leak is no failure of a test that ends without closing what it opened.
san=-fsanitize=address,undefined
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:abort_on_error=0:exitcode=99}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export ASAN_OPTIONS UBSAN_OPTIONS
cd "$B/san"
status=0
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make SAN= APART= B=build CPPFLAGS=-Wno-error TERN_CHANGED="$logs/changed" \
    OPT="-O1 -g -fno-omit-frame-pointer $san -fno-sanitize-recover=undefined" \
    LDFLAGS="-pthread $san" "$goal" || status=$?
# `make conformance` looks for them there.
rm -rf "$logs/san"
[ ! -d build/test/san ] || cp -rp build/test/san "$logs/san"
[ ! -f build/test/left-out-san ] || cp -p build/test/left-out-san "$logs"
exit $status
