# SPDX-License-Identifier: Apache-2.0
# Benchmarks of the core: programs on its bench, and the firmware's loop of puts.

CB_DIR := tests/bench/core
CB_MIX := $(addprefix $(CB_DIR)/,mix_list.c mix_matrix.c mix_text.c mix_crc.c)
CB_INC := -I$(CB_DIR)

$(eval $(call rv_program,$(B)/tests/bench/mix.elf,$(CORE_ENV)/start.S \
    $(addprefix $(CB_DIR)/,mix_main.c count.c) $(CB_MIX),-O2 $(CB_INC),$(CORE_ENV)/link.ld,))
$(eval $(call rv_program,$(B)/tests/bench/crc_1k.elf,$(CORE_ENV)/start.S \
    $(addprefix $(CB_DIR)/,crc_main.c count.c crc_1k.c),-O2 $(CB_INC),$(CORE_ENV)/link.ld,))

# The cycle-by-cycle analysis; it decodes with the golden model's decoder.
CB_FOLLOW  := $(addprefix $(CB_DIR)/,tally.c run.c) tests/core/elf32.c
CB_HOST_INC := $(CB_INC) -Itests/bench -Itests/core -I$(LOCKSTEP_DIR) -D_GNU_SOURCE
CB_NEEDS   := $(B)/tests/bench/mix.elf $(B)/tests/bench/crc_1k.elf $(CORE_BENCH) $(CORE_ELFRUN)
CB_WRAP    := -Wl,--wrap=tern_model_new -Wl,--wrap=tern_model_step

# A build of the node that reports the use of each cycle of the core.
CB_SIM_LIBS := $(subst $(MODEL_LIB),$(MODEL_OBS),$(SIM_LIBS))
CB_PUT_INC  := $(CB_HOST_INC) -Ihost-driver/include -Ihw-model/abi -Ihw-model/model -Isim \
               -Isim/net -Isim/host -Ifw/tools -Itests/bench/rtl

$(eval $(call c_program,$(B)/tests/bench/cpi,$(CB_FOLLOW) $(CB_DIR)/cpi.c $(CB_DIR)/put.c \
    tests/bench/svg.c tests/bench/rtl/lab.c,$(CB_PUT_INC),\
    $(LOCKSTEP_LIB) $(B)/lib/libtern.a $(CB_SIM_LIBS) $(CB_WRAP)))
$(B)/tests/bench/cpi: | $(CB_NEEDS) $(B)/fw/tern-fw.elf
BENCHES += $(B)/tests/bench/cpi

# ---- the programs' results are right, and each lost cycle has its cause ----
$(eval $(call rv_program,$(B)/tests/bench/causes.elf,$(CORE_ENV)/start.S \
    $(addprefix $(CB_DIR)/,causes.c count.c),-O2 $(CB_INC),$(CORE_ENV)/link.ld,))
$(eval $(call c_program,$(B)/tests/bench/core_programs,$(CB_FOLLOW) $(CB_DIR)/programs_test.c \
    $(CB_MIX) $(CB_DIR)/crc_1k.c,$(CB_HOST_INC),$(LOCKSTEP_LIB)))
$(B)/tests/bench/core_programs: | $(CB_NEEDS) $(B)/tests/bench/causes.elf
TESTS_rtl += $(B)/tests/bench/core_programs

# ---- gates that hold on every machine: they are in cycles of the simulated clock ----
CB_BARS := $(CB_DIR)/bars.sh
$(CB_BARS): | $(B)/tests/bench/cpi
TESTS_check += $(CB_BARS)

bench-core: $(B)/tests/bench/cpi ## where the core's cycles go: tables, and a plot in build/bench/cpi.svg
	$(Q)$< > $(B)/tests/bench/cpi.out; status=$$?; grep -v "^bench " $(B)/tests/bench/cpi.out; exit $$status

.PHONY: bench-core
