#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: calls.sh OBJECTS
#
# Prints the targets of calls through pointers, for the firmware's stack analysis: CALLS("caller",
# "callees").
#
# The firmware calls only through dispatch tables: constant arrays of a type whose name ends in
# "handler". A function may call each member of the tables of its own file; the file's object in the
# folder OBJECTS lists its functions. fputs belongs to the C library and calls the console's
# function.
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
