# SPDX-License-Identifier: Apache-2.0
#
# The soft core: its bench, test programs, synthesis.

CORE_DIR  := hw-model/rtl/core
CORE_RTL  := $(addprefix $(CORE_DIR)/,tern_core_pkg.sv tern_core_predict.sv tern_core_fetch.sv \
             tern_core_decompress.sv \
             tern_core_decode.sv tern_core_alu.sv tern_core_mul.sv tern_core_div.sv \
             tern_core_regfile.sv tern_core_operands.sv tern_core_lsu.sv tern_core_csr.sv \
             tern_core.sv) hw-model/rtl/lib/tern_addsub.sv
CORE_DEBUG := $(CORE_DIR)/tern_core_debug.sv
CORE_RVFI := $(addprefix $(CORE_DIR)/,tern_core_rvfi.sv tern_core_lost.sv)

# ---- the bench: driven by SystemVerilog; C returns the exit status ----
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

# ---- directed tests -------
CORE_ENV      := tests/core/env
CORE_ASM      := alu control memory rvc csr trap irq fencei cycles
CORE_ASM_BOTH := alu control memory csr trap irq
CORE_C        := muldiv work
CORE_ELFS     := $(patsubst %,$(B)/core/%.elf,$(CORE_ASM) $(CORE_ASM_BOTH:%=%_c) $(CORE_C))
CORE_AS       := $(RVCC) -march=rv32imc_zicsr_zifencei -mabi=ilp32 -nostdlib -Wa,-Itests/core \
                 -Wl,--no-warn-rwx-segments -Wl,--fatal-warnings -T $(CORE_ENV)/link.ld
CORE_ASM_NEEDS := tests/core/test.inc $(CORE_ENV)/link.ld $(this_fragment)

$(CORE_ASM:%=$(B)/core/%.elf): $(B)/core/%.elf: tests/core/%.S $(CORE_ASM_NEEDS)
	$(call say,RVCC,$<) mkdir -p $(@D) && $(CORE_AS) -o $@ $<

$(CORE_ASM_BOTH:%=$(B)/core/%_c.elf): $(B)/core/%_c.elf: tests/core/%.S $(CORE_ASM_NEEDS)
	$(call say,RVCC,$< (16-bit forms)) mkdir -p $(@D) && \
	$(CORE_AS) -Wa,--defsym,COMPRESS=1 -o $@ $<

$(foreach p,$(CORE_C),$(eval $(call rv_program,$(B)/core/$(p).elf,\
    $(CORE_ENV)/start.S tests/core/$(p).c,-O2,$(CORE_ENV)/link.ld,)))

$(eval $(call c_program,$(B)/core/test_core_directed,tests/core/directed.c,\
    -Itests/core -D_POSIX_C_SOURCE=200809L,))
$(B)/core/test_core_directed: | $(CORE_ELFS) $(CORE_BENCH) $(CORE_ELFRUN)
TESTS_rtl += $(B)/core/test_core_directed

# ---- synthesis ----
# $(eval $(call synth_size,NAME,TOP,SOURCES)): build/synth/NAME.json, and the test
# build/synth/synth_NAME that checks its size against the row NAME of hw-model/budget.def. $(eval
# $(call synth_target,NAME,TOP,SOURCES)): the same, as a part of `make check`. If set,
# SYNTH_PARAMS_NAME is passed to the script as SYNTH_PARAMS.
SYNTH_CHECK := hw-model/lint/synth_check.sh

define synth_size
$(B)/synth/$(1).json: $(call plain,$(3)) $(SYNTH_CHECK)
	$$(call say,SYNTH,$(2)) SYNTH_PARAMS='$(SYNTH_PARAMS_$(1))' $(SYNTH_CHECK) -n $(1) $(2) $(3)

$(B)/synth/synth_$(1): $(this_fragment) | $(B)/synth/$(1).json
	$$(Q)printf '#!/bin/sh\nSYNTH_PARAMS="%s" exec %s %s %s %s\n' \
	    '$(SYNTH_PARAMS_$(1))' '$(SYNTH_CHECK)' '$(1)' '$(2)' '$(strip $(3))' > $$@ && chmod +x $$@
endef

define synth_target
$(call synth_size,$(1),$(2),$(3))
TESTS_check += $(B)/synth/synth_$(1)
endef

$(eval $(call synth_target,core,tern_core,$(CORE_RTL)))

synth-core: $(B)/synth/synth_core ## synthesises the core for ECP5 and compares its size with the budget
	$(Q)$<

# ---- the netlist on the bench ----
# Yosys expands its own ECP5 cells, so the simulation needs no library. The multiplier is an empty
# box in Yosys and has its own model here; so has the LUT, for speed.
CORE_GATE_V := $(B)/synth/core_gate.v
CORE_CELLS  := tests/core/mult18x18d.sv tests/core/lut4.sv

$(CORE_GATE_V): $(B)/synth/core.json $(CORE_CELLS) $(this_fragment)
	$(call say,YOSYS,$@) $(YOSYS) -q -l $@.log -p "read_verilog $(B)/synth/core.v; \
	    read_verilog -sv $(CORE_CELLS); read_verilog -nooverwrite +/ecp5/cells_sim.v; \
	    hierarchy -check -top tern_core; proc; flatten; opt_expr; opt_clean -purge; check; \
	    write_verilog -noattr $@" > $@.out 2>&1 || { cat $@.out >&2; exit 1; }

$(eval $(call v_program,$(B)/core/bench_rtl,tern_core_bench,\
    $(CORE_RTL) $(CORE_DIR)/tern_core_bench.sv,$(CORE_EXIT),$(CORE_BENCH_V)))
$(eval $(call v_program,$(B)/core/bench_gate,tern_core_bench,\
    $(CORE_GATE_V) $(CORE_DIR)/tern_core_bench.sv,$(CORE_EXIT),\
    $(CORE_BENCH_V) -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT))

CORE_GATE_NEEDS := $(B)/core/bench_gate $(B)/core/bench_rtl $(CORE_ELFRUN) $(CORE_ELFS)
tests/core/core-gate.sh: | $(CORE_GATE_NEEDS)
TESTS_check += tests/core/core-gate.sh

core-gate: $(CORE_GATE_NEEDS) ## runs the core's netlist against its RTL
	$(Q)tests/core/core-gate.sh

.PHONY: synth-core core-gate

# ---- core-run itself ----
tests/core/core-run.sh: | $(CORE_ELFRUN) $(CORE_BENCH)
TESTS_rtl += tests/core/core-run.sh
