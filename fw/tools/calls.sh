#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: calls.sh OBJECTS
#
# Prints where calls through pointers go, for the stack analysis of the firmware: CALLS("caller", "callees").
#
# The firmware calls through its dispatch tables only: constant arrays of a type whose name ends in "handler". A function may
# reach each member of the tables of its own file; which functions a file has, its object in the folder OBJECTS tells.
# fputs belongs to the C library and calls what the console gives it.
set -eu

objects=$1
echo 'CALLS("fputs", "put")'
for source in fw/*/*.c; do
    callees=$(awk '
        /^static const [a-z_]*handler [a-z_]*\[.*\] = \{/ { inside = 1; next }
        /^\};/ { inside = 0 }
        inside && match($0, /[a-z_0-9]+,/) && $0 !~ /^#/ { print substr($0, RSTART, RLENGTH - 1) }' "$source" |
        sort -u | paste -s -d ' ' -)
    [ -n "$callees" ] || continue
    "${RVPREFIX:-riscv64-unknown-elf-}nm" "$objects/${source%.c}.o" |
        awk -v callees="$callees" '$2 ~ /^[tT]$/ { printf "CALLS(\"%s\", \"%s\")\n", $3, callees }'
done
