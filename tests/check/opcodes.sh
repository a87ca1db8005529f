#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Opcodes of descriptors and of admin commands belong to firmware and driver. The chip and the
# simulator know packet types only: checks that their code neither names an opcode nor tests the
# opcode field.
set -u
. tests/check/lib.sh

code_of '^(hw-model/rtl|sim)/.*\.(c|h|sv|svh|cpp)$' > "$work/code"
sed -n 's/^\(OP\|ADMIN\)(\([A-Z0-9_]*\),.*/\1_\2/p' hw-model/abi/*.def > "$work/names"
names=$(paste -s -d '|' "$work/names")

grep -E "^[^:]*:[0-9]*:(.*[^A-Za-z0-9_])?(TERN_)?($names)([^A-Za-z0-9_]|\$)" "$work/code" \
    > "$work/found"
empty "$work/found" "neither chip nor simulator names an opcode"

# The core has opcodes of its own: those of RISC-V.
grep -vE '^hw-model/rtl/core/' "$work/code" |
    grep -iE ':.*(case *\(.*opcode|opcode[a-z_0-9]*(\[[^]]*\])? *([=!]=|<|>)[^>]|[=!]= *[a-z_0-9.]*opcode)' \
    > "$work/found"
empty "$work/found" "neither chip nor simulator decides by an opcode"

grep -E '^hw-model/rtl/(nic|net|top)/' "$work/code" |
    grep -E "^[^:]*:[0-9]*: *8'h[0-9a-fA-F]+ *[,:]" > "$work/found"
empty "$work/found" "no RTL selects by an opcode in figures"

lines=$(grep -c . "$work/code")
count=$(grep -c . "$work/names")
echo "# evidence A3.4 lines=$lines opcodes=$count"
echo "# evidence A3.6 lines=$lines opcodes=$count"
[ "$lines" -gt 0 ] && [ "$count" -gt 0 ]
verdict $? "the opcodes and the code were found and read"
finish
