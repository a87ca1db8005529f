#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that both tools refuse, at elaboration, a node with parameters that its RTL does not
# support.
set -u
. tests/check/lib.sh

# refused TOOL WORDS: checks that the tool's output names the parameter.
refused() {
    grep -q "$2" "$work/out" || { echo "$1: $(tail -n 1 "$work/out")"; }
}

# shellcheck disable=SC2086 # a list of files
try() {
    verilator --lint-only -Wno-fatal -sv --default-language 1800-2017 "-G$1=$2" --top-module tern_node \
        $NODE_RTL > "$work/out" 2>&1
    refused verilator "$1 must be"
}

for row in MaxPayload=256 NumSlots=64 NumSlots=30; do
    try "${row%=*}" "${row#*=}" > "$work/found"
    empty "$work/found" "a node with $row is refused"
done
finish
