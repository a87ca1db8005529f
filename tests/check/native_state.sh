#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Many firmwares run in one process, so all mutable state must be in their contexts. Checks that no
# native object of the firmware has writable data, except the HAL, which knows the present node; the
# models have none.
set -u

B=${B:-build}
firmware=$B/obj/fw/native/libfw.a/fw
models=$B/obj/lib/libternsoft.a/sim/soft
hal=hal
number=0 failed=0

# result STATUS NAME: prints a test line.
result() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=1
    fi
}

# objects FOLDER: counts them.
objects() { find "$1" -name '*.o' | grep -c .; }

# writable FOLDER: prints symbols in sections that stay writable, including thread-local and common
# ones. Only the loader writes constants with addresses in them (.data.rel.ro).
writable() {
    find "$1" -name '*.o' -exec nm -A --format=sysv {} + | awk -F '|' '
        { gsub(/ /, "", $7); gsub(/ /, "", $1); type = $3; gsub(/ /, "", type) }
        type == "C" || ($7 ~ /^\.(data|bss|tdata|tbss)/ && $7 !~ /^\.data\.rel\.ro/) { print $1 }'
}

strays=$(writable "$firmware" | grep -v "/hal/native/hal.o:$hal$")
count=$(objects "$firmware")
[ -z "$strays" ] || echo "# writable: $strays"
echo "# evidence B4.2 objects=$count strays=$(printf '%s' "$strays" | grep -c .)"
[ -z "$strays" ] && [ "$count" -gt 15 ]
result $? native_firmware_has_no_state_outside_its_context

strays=$(writable "$models")
[ -z "$strays" ] || echo "# writable: $strays"
[ -z "$strays" ] && [ "$(objects "$models")" -gt 10 ]
result $? models_have_no_state_outside_their_nodes

echo "1..$number"
exit $failed
