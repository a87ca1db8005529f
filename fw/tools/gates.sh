#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the firmware may cost, as TAP: image, data memory, worst-case stack; and what it must not hold:
# atomic instructions, and state outside its one context.
set -u

B=${B:-build}
RV=${RVPREFIX:-riscv64-unknown-elf-}
elf=$B/fw/tern-fw.elf
listing=$B/fw/tern-fw.dis
objects=$B/obj/fw/tern-fw.elf/fw
image_max=32768
dtcm_max=16384
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

# symbol NAME: its address, decimal.
symbol() {
    printf '%d\n' "0x$("${RV}nm" "$elf" | awk -v name="$1" '$3 == name { print $1 }')"
}

"${RV}objdump" -d --no-show-raw-insn "$elf" > "$listing" || exit 1

image=$(symbol __image_bytes)
echo "# evidence firmware image_bytes=$image limit=$image_max"
[ "$image" -gt 0 ] && [ "$image" -le $image_max ]
result $? image_fits_the_instruction_memory

data=$(($(symbol __bss_end) - $(symbol __data_start)))
echo "# evidence firmware data_bytes=$data stack_reserved=$stack_max limit=$dtcm_max"
[ "$data" -gt 0 ] && [ $((data + stack_max)) -le $dtcm_max ]
result $? data_and_stack_fit_the_data_memory

stack=$(awk -v root=_start -f fw/tools/stack.awk fw/tools/calls.def "$listing")
status=$?
echo "# evidence firmware stack_bytes=${stack%% *} limit=$stack_max"
echo "# deepest: ${stack#* }"
[ $status = 0 ] && [ "${stack%% *}" -le $stack_max ]
result $? worst_case_stack_is_bounded

atomics=$(grep -cE '[[:space:]](amo[a-z.]+|lr\.w|sc\.w)[[:space:]]' "$listing")
[ "$atomics" = 0 ]
result $? no_atomic_instruction

# Data and common symbols, of either linkage; read-only data is none.
strays=$(find "$objects/proto" "$objects/drv" "$objects/app" -name '*.o' -exec "${RV}nm" -A {} + |
    awk '$(NF - 1) ~ /^[bBdDgGsSCc]$/ { print $NF }')
[ -z "$strays" ] || echo "# outside the context: $strays"
[ -z "$strays" ] && [ -n "$(find "$objects/app" -name '*.o')" ]
result $? all_state_hangs_on_the_context

echo "1..$count"
exit $failed
