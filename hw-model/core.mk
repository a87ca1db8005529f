# SPDX-License-Identifier: Apache-2.0
#
# The soft core: its bench, programs on it, its synthesis.

CORE_DIR  := hw-model/rtl/core
CORE_RTL  := $(addprefix $(CORE_DIR)/,tern_core_pkg.sv tern_core_fetch.sv tern_core_decompress.sv \
             tern_core_decode.sv tern_core_alu.sv tern_core_mul.sv tern_core_div.sv \
             tern_core_regfile.sv tern_core_lsu.sv tern_core_csr.sv tern_core.sv)
CORE_RVFI := $(CORE_DIR)/tern_core_rvfi.sv

# ---- the bench: SystemVerilog drives it, C gives it an exit status ----
CORE_BENCH   := $(B)/core/bench
CORE_ELFRUN  := $(B)/core/elfrun
CORE_EXIT    := $(B)/core/libbenchexit.a
CORE_BENCH_V := --main --timing

$(eval $(call c_archive,$(CORE_EXIT),tests/core/bench_exit.c,))
$(eval $(call c_program,$(CORE_ELFRUN),tests/core/elfrun.c tests/core/elf32.c,\
    -Itests/core -D_POSIX_C_SOURCE=200809L,))
$(eval $(call v_program,$(CORE_BENCH),tern_core_bench,\
    $(CORE_RTL) $(CORE_RVFI) $(CORE_DIR)/tern_core_bench.sv,$(CORE_EXIT),\
    $(CORE_BENCH_V) -DTERN_RVFI))

core-run: $(CORE_ELFRUN) $(CORE_BENCH) ## runs ELF=x.elf on the core bench [SIG=file] [TIMEOUT=cycles]
	$(Q)test -n "$(ELF)" || { echo "core-run: name a program: make core-run ELF=x.elf" >&2; exit 3; }
	$(Q)$(CORE_ELFRUN) $(if $(SIG),-s "$(SIG)") $(if $(TIMEOUT),-t "$(TIMEOUT)") $(CORE_BENCH) "$(ELF)"

.PHONY: core-run
