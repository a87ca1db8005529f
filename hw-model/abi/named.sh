#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: abigen sv | named.sh > tern_abi_pkg.sv
#
# Keeps only names that the chip, its benches and its proofs use. So new names for firmware and
# driver only, such as a new opcode with its packet type, statuses and layout, do not change the
# chip.
set -eu

names=$(mktemp)
trap 'rm -f "$names"' EXIT
grep -rhoE 'tern_abi_pkg::[A-Za-z0-9_]+' hw-model tests | sed 's/.*:://' | sort -u > "$names"
awk -v names="$names" '
    BEGIN { while ((getline name < names) > 0) named[name] = 1 }
    /^  localparam .*;/ {
        split($0, side, " = ")
        name = side[1]
        sub(/.* /, "", name)
        if (!(name in named)) next
    }
    { print }' | cat -s
