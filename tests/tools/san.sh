#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: san.sh GOAL
#
# Makes GOAL under the address and undefined-behaviour sanitizers, in $B/san: links to all folders of
# the tree, and a build of its own.  A finding of theirs ends the program, so its test has failed.
set -eu
B=${B:-build}
goal=${1:?usage: san.sh GOAL}
root=$(pwd)
mkdir -p "$B/san"
for entry in "$root"/* "$root/.git"; do
    name=${entry##*/}
    [ "$name" = "${B%%/*}" ] || [ ! -e "$entry" ] || ln -sfn "$entry" "$B/san/$name"
done
# Warnings are for the build without, where they do not come from the sanitizers. -fno-sanitize-recover: undefined behaviour ends the program.  A leak is no failure of a test that ends
# without closing what it opened.
san=-fsanitize=address,undefined
ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:abort_on_error=0:exitcode=99}
UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export ASAN_OPTIONS UBSAN_OPTIONS
cd "$B/san"
exec env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make SAN= B=build WERROR= \
    OPT="-O1 -g -fno-omit-frame-pointer $san -fno-sanitize-recover=undefined" \
    LDFLAGS="-pthread $san" "$goal"
