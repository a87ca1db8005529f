#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The table in docs/new-opcode.md that says how much room is left agrees with the tables of the tree
# and with the firmware as built: numbers of rows exactly, bytes of memory to one KiB.
set -u
. tests/check/lib.sh

B=${B:-build}
page=docs/new-opcode.md

# evidence WORDS NAME: the number after NAME= in the first line of the firmware's gates that begins with the words.
evidence() {
    sed -n "s/^# evidence $1.* $2=\([0-9]*\).*/\1/p" "$work/gates" | head -n 1
}

# hex NAME: a constant of the contract.
hex() {
    echo $(($(sed -n "s/^CONST($1, *\(0x[0-9a-f]*\),.*/\1/p" hw-model/abi/const.def)))
}

# memory WORDS BYTES LIMIT: the row of a memory, in KiB; what is used is rounded up.
memory() {
    used=$((($2 + 1023) / 1024)) there=$(($3 / 1024))
    echo "$1:$there $used $((there - used))"
}

B=$B sh fw/tools/gates.sh > "$work/gates" 2>&1
verdict $? "the firmware keeps its gates" "$work/gates"

first=$(hex PKT_TYPE_FW_FIRST) last=$(hex PKT_TYPE_FW_LAST)
types=$(sed -n 's/^PKT([A-Z]*, *\(0x[0-9a-f]*\),.*/\1/p' hw-model/abi/pkttype.def | while read -r value; do
    [ $((value)) -lt "$first" ] || [ $((value)) -gt "$last" ] || echo "$value"
done | grep -c .)
opcodes=$(evidence firmware opcodes) rows=$(evidence firmware opcode_room)
stack=$(evidence "firmware data_bytes" stack_reserved)
{
    echo "opcodes of descriptors:128 $opcodes $((128 - opcodes))"
    echo "rows of the table of handlers:$rows $opcodes $((rows - opcodes))"
    echo "packet types of the firmware:$((last - first + 1)) $types $((last - first + 1 - types))"
    memory "image, full, KiB" "$(evidence firmware image_bytes)" "$(evidence firmware limit)"
    memory "data and stack, full, KiB" $(($(evidence firmware data_bytes) + stack)) "$(evidence 'firmware data_bytes' limit)"
    memory "image, lean, KiB" "$(evidence firmware_lean image_bytes)" "$(evidence firmware_lean limit)"
    memory "data and stack, lean, KiB" $(($(evidence firmware_lean data_bytes) + stack)) "$(evidence firmware_lean data_limit)"
} > "$work/is"

# A row of the page: | what | there are | used | left |
awk -F ' *[|] *' 'NF == 6 && $3 ~ /^[0-9]+$/ { print $2 ":" $3 " " $4 " " $5 }' "$page" > "$work/said"
awk -F : '
    FNR == NR { said[$1] = $2; next }
    {
        near = $1 ~ /KiB$/
        if (!($1 in said)) {
            print $1 ": " $2 ", and the page has no such row"
            next
        }
        split($2, is, " ")
        split(said[$1], says, " ")
        for (i = 1; i <= 3; i++) {
            apart = is[i] - says[i]
            if (apart < 0) apart = -apart
            if (apart > (near && i > 1)) wrong[$1] = 1
        }
        if (says[1] - says[2] != says[3]) wrong[$1] = 1
        if ($1 in wrong) print $1 ": " $2 ", and the page says " said[$1]
        seen[$1] = 1
    }
    END { for (row in said) if (!(row in seen)) print row ": a row that nothing is measured for" }' \
    "$work/said" "$work/is" > "$work/wrong"
empty "$work/wrong" "new-opcode.md says how much room is left"
[ "$(grep -c . "$work/is")" = 7 ] && ! grep -q ': \|[^0-9 ]$' "$work/is"
verdict $? "every size was measured" "$work/is"
finish
