#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks the firmware's sizes in both configurations, as TAP: image, data memory, worst-case stack.
# Also refuses atomic instructions, and variables outside the one context.
set -u

B=${B:-build}
RV=${RVPREFIX:-riscv64-unknown-elf-}
full=$B/fw/tern-fw.elf
lean=$B/fw/tern-fw-lean.elf
listing=$B/fw/tern-fw.dis
objects=$B/obj/fw/tern-fw.elf/fw
image_max=49152  # full configuration; the rest of the memory is for new features
free_min=12288
stack_max=2048
count=0
failed=0

# result CONDITION NAME: one test line.
result() {
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        failed=1
    fi
}

# symbol ELF NAME: prints its address, decimal.
symbol() {
    printf '%d\n' "0x$("${RV}nm" "$1" | awk -v name="$2" '$3 == name { print $1 }')"
}

# memory COLUMN NAME: prints the bytes of a memory of the core; column 4: full, 5: lean.
memory() {
    printf '%d\n' "$(awk -F '[^A-Za-z0-9_]+' -v c="$1" -v n="$2" '$1 == "MEM" && $2 == n { print $c }' hw-model/abi/memmap.def)"
}

# data ELF: prints the bytes of .data and .bss.
data() {
    echo $(($(symbol "$1" __bss_end) - $(symbol "$1" __data_start)))
}

"${RV}objdump" -d --no-show-raw-insn "$full" > "$listing" || exit 1

code=$(memory 4 ITCM)
image=$(symbol "$full" __image_bytes)
echo "# evidence firmware image_bytes=$image limit=$image_max free_bytes=$((code - image))"
[ "$image" -gt 0 ] && [ "$image" -le $image_max ] && [ $((code - image)) -ge $free_min ]
result $? image_fits_the_instruction_memory

dtcm=$(memory 4 DTCM)
bytes=$(data "$full")
echo "# evidence firmware data_bytes=$bytes stack_reserved=$stack_max limit=$dtcm"
[ "$bytes" -gt 0 ] && [ $((bytes + stack_max)) -le "$dtcm" ]
result $? data_and_stack_fit_the_data_memory

code=$(memory 5 ITCM)
dtcm=$(memory 5 DTCM)
image=$(symbol "$lean" __image_bytes)
bytes=$(data "$lean")
echo "# evidence firmware_lean image_bytes=$image limit=$code data_bytes=$bytes stack_reserved=$stack_max data_limit=$dtcm"
[ "$image" -gt 0 ] && [ "$image" -le "$code" ] && [ "$bytes" -gt 0 ] && [ $((bytes + stack_max)) -le "$dtcm" ]
result $? lean_image_data_and_stack_fit_the_small_memories

sh fw/tools/calls.sh "${objects%/fw}" > "$B/fw/calls.def" || exit 1
stack=$(awk -v root=_start -f fw/tools/stack.awk "$B/fw/calls.def" "$listing")
status=$?
echo "# evidence firmware stack_bytes=${stack%% *} limit=$stack_max"
echo "# deepest: ${stack#* }"
[ $status = 0 ] && [ "${stack%% *}" -le $stack_max ]
result $? worst_case_stack_is_bounded

atomics=$(grep -cE '[[:space:]](amo[a-z.]+|lr\.w|sc\.w)[[:space:]]' "$listing")
[ "$atomics" = 0 ]
result $? no_atomic_instruction

# Data and common symbols, local or global; not read-only data.
strays=$(find "$objects/proto" "$objects/drv" "$objects/state" "$objects/op" "$objects/handshake" "$objects/control" "$objects/loop" -name '*.o' -exec "${RV}nm" -A {} + |
    awk '$(NF - 1) ~ /^[bBdDgGsSCc]$/ { print $NF }')
[ -z "$strays" ] || echo "# outside the context: $strays"
[ -z "$strays" ] && [ -n "$(find "$objects/loop" -name "*.o")" ]
result $? all_state_hangs_on_the_context

# Opcodes of descriptors: rows in the table of handlers, and opcodes that the contract uses.
rows=$(sed -n 's/^#define HANDLERS \([0-9]*\).*/\1/p' fw/loop/descriptors.c)
used=$(sed -n 's/^OP([A-Z_]*, *\(0x[0-9a-f]*\),.*/\1/p' hw-model/abi/opcode.def | while read -r value; do
    [ $((value)) -ge 128 ] || echo "$value"
done | grep -c .)
echo "# evidence firmware opcodes=$used opcode_room=$rows"
[ "$rows" -ge 32 ] && [ "$used" -lt "$rows" ]
result $? opcodes_have_room

echo "1..$count"
exit $failed
