#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# TAP test: the committed forms of the contract equal those that the tables print today.
abigen=build/abi/abigen
number=0
failed=0

# compare FACE FILE [FILTER...]
compare() {
    face=$1
    file=$2
    shift 2
    number=$((number + 1))
    if "$abigen" "$face" | "${@:-cat}" | cmp -s - "$file"; then
        echo "ok $number - $file is current"
    else
        echo "not ok $number - $file is current"
        failed=1
    fi
}

compare sv hw-model/rtl/abi/tern_abi_pkg.sv sh hw-model/abi/named.sh
compare ld linker/full/memmap.ld
compare ld-lean linker/lean/memmap.ld
compare md docs/abi.md
echo "1..$number"
exit $failed
