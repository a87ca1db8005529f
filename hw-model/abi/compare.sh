#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# TAP test: the committed faces of the contract are what the tables print today.
abigen=build/abi/abigen
number=0
failed=0

compare() {
    number=$((number + 1))
    if "$abigen" "$1" | cmp -s - "$2"; then
        echo "ok $number - $2 is current"
    else
        echo "not ok $number - $2 is current"
        failed=1
    fi
}

compare sv hw-model/rtl/abi/tern_abi_pkg.sv
compare ld linker/memmap.ld
compare md docs/abi.md
echo "1..$number"
exit $failed
