# SPDX-License-Identifier: Apache-2.0
#
# The host side of the NIC: BAR, prefetch, key check, host reads and writes; their benches,
# their lint in both widths, and their sizes.

NIC_HOST_RTL := $(addprefix hw-model/rtl/,abi/tern_abi_pkg.sv lib/tern_fifo.sv lib/tern_ram.sv \
                  lib/tern_lutram.sv lib/tern_addsub.sv lib/tern_addsel.sv lib/tern_addless.sv \
                  nic/tern_slot_pool.sv nic/tern_slots.sv nic/tern_bar.sv nic/tern_fetch.sv \
                  nic/tern_desc_events.sv nic/tern_prefetch.sv \
                  nic/tern_hostrd.sv nic/tern_hostrd_back.sv nic/tern_key.sv nic/tern_hostwr_back.sv nic/tern_dma_wr.sv nic/tern_hwr.sv)

# ---- benches: build/rtl/host/NAME_WIDTH, take +seed=N ----
HOST_TB     := tests/rtl/host
HOST_BENCH  := bar prefetch key dma_wr
HOST_BENCHV := $(VERILATOR_QUICK) --main --timing -Wno-lint -Wno-style -I$(ROOT)/$(HOST_TB)

# host_bench,NAME,WIDTH
define host_bench
$(eval $(call v_program,$(B)/rtl/host/$(1)_$(2),$(1)_tb,$(NIC_HOST_RTL) $(HOST_TB)/$(1)_tb.sv,,\
    $(HOST_BENCHV) -GDataW=$(2)))
$(B)/rtl/host/$(1)_$(2): $(call plain,$(HOST_TB)/tb.svh $(HOST_TB)/mm.svh)
TESTS_rtl += $(B)/rtl/host/$(1)_$(2)
endef
$(foreach b,$(HOST_BENCH),$(foreach w,64 32,$(eval $(call host_bench,$(b),$(w)))))
$(eval $(call host_bench,hwr,64))
$(eval $(call host_bench,hwr,32))
$(eval $(call host_bench,hostrd,64))
$(eval $(call host_bench,hostrd_back,64))

# ---- lint ----
$(B)/check/lint-host: $(HOST_TB)/lint.sh $(NIC_HOST_RTL)
	$(Q)mkdir -p $(@D) && ln -sf $(ROOT)/$< $@
TESTS_check += $(B)/check/lint-host

# ---- proofs ----
TESTS_check += $(addprefix hw-model/formal/,slots.sh adders.sh with_constants.sh fifo.sh key.sh)
