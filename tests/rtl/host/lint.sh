#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lints each host-side block of the NIC by itself, in both configurations.
set -u

rtl=hw-model/rtl
common="$rtl/abi/tern_abi_pkg.sv $rtl/lib/tern_fifo.sv $rtl/lib/tern_ram.sv $rtl/lib/tern_lutram.sv
    $rtl/lib/tern_addsub.sv $rtl/lib/tern_addsel.sv $rtl/lib/tern_addless.sv"
count=0 failed=0

# lint MODULE SOURCES PARAMETERS...
lint() {
    module=$1 sources=$2
    shift 2
    count=$((count + 1))
    # shellcheck disable=SC2086
    if out=$(verilator --lint-only -Wall -sv --default-language 1800-2017 --assert \
        --top-module "$module" "$@" $common $sources 2>&1) && [ -z "$out" ]; then
        echo "ok $count - $module $*"
    else
        echo "$out" | sed 's/^/# /'
        echo "not ok $count - $module $*"
        failed=1
    fi
}

nic=$rtl/nic
pf="$nic/tern_slot_pool.sv $nic/tern_slots.sv $nic/tern_fetch.sv $nic/tern_desc_events.sv
    $nic/tern_prefetch.sv"
lint tern_hostrd "$nic/tern_hostrd.sv"
lint tern_hostrd_back "$nic/tern_hostrd_back.sv" -GDataW=64
lint tern_hostrd_back "$nic/tern_hostrd_back.sv" -GDataW=32
lint tern_hwr "$nic/tern_hwr.sv" -GDataW=64
lint tern_hwr "$nic/tern_hwr.sv" -GDataW=32
lint tern_key "$nic/tern_key.sv" -GNumRegions=4096
lint tern_key "$nic/tern_key.sv" -GNumRegions=128
lint tern_hostwr_back "$nic/tern_hostwr_back.sv"
lint tern_dma_wr "$nic/tern_hostwr_back.sv $nic/tern_dma_wr.sv" -GDataW=64
lint tern_dma_wr "$nic/tern_hostwr_back.sv $nic/tern_dma_wr.sv" -GDataW=32
lint tern_bar "$nic/tern_bar.sv" -GDataW=64
lint tern_bar "$nic/tern_bar.sv" -GDataW=32 -GNumFn=4 -GNumQ=32 -GNumRegions=128 -GNumCtr=32
lint tern_prefetch "$pf" -GDataW=64 -GNumQ=512 -GNumSlots=32
lint tern_prefetch "$pf" -GDataW=32 -GNumFn=4 -GNumQ=32 -GNumSlots=16
echo "1..$count"
exit $failed
