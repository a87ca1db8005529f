# SPDX-License-Identifier: Apache-2.0
#
# Fuzzing of packets, descriptors, admin commands and vfio-user messages, with soft nodes in one
# process; and of the text protocol of `tern cached`.

FUZZ_TARGETS := descriptors packets commands messages protocol
FUZZ_PROTOCOL := host-driver/tools/cached/protocol.c

FUZZ_SIM_INC := $(SIM_FLAGS) -Ifw/hal/native -Ifw/boot
FUZZ_INC     := -D_GNU_SOURCE -Itests/fuzz -Isim/soft $(SIM_INC) -Ifw/hal/native -Ifw/boot -Ifw/drv -Ifw/loop -Ifw/control -Ifw/handshake -Ifw/op -Ifw/state -Ifw/proto -Ihost-driver/tools/cached
FUZZ_CHECK   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_TRACE   := $(FUZZ_CHECK) -fsanitize-coverage=trace-pc
FUZZ_SIM     := $(SOFT_SRC) $(addprefix sim/net/,net.c packets.c torus.c wire.c) $(SIM_HOST_SRC) sim/host/server.c
FUZZ_FW      := $(FW_PROTO) $(FW_DRV) $(FW_APP) fw/boot/native.c fw/hal/native/hal.c
FUZZ_WORLD   := $(addprefix tests/fuzz/,world.c laws.c connection.c mutate.c text.c engine.c)

# The code under test, compiled with coverage; and the fuzzers, without.
FUZZ_SUBJECTS := $(B)/fuzz/libsim.a $(B)/fuzz/libfw.a
FUZZ_TOOLS    := $(B)/fuzz/libfuzz.a
FUZZ_LIBS     := $(FUZZ_TOOLS) $(FUZZ_SUBJECTS) -fsanitize=address,undefined $(JANSSON_LIBS)

$(eval $(call c_archive,$(B)/fuzz/libsim.a,$(FUZZ_SIM) $(FUZZ_PROTOCOL),$(FUZZ_SIM_INC) $(FUZZ_TRACE)))
$(eval $(call c_archive,$(B)/fuzz/libfw.a,$(FUZZ_FW),$(FW_NATIVE_INC) $(FUZZ_TRACE)))
$(eval $(call c_archive,$(FUZZ_TOOLS),$(FUZZ_WORLD),$(FUZZ_INC) $(FUZZ_CHECK)))

fuzz_program = $(B)/tests/fuzz/fuzz_$(1)
$(foreach t,$(FUZZ_TARGETS),$(eval $(call c_program,$(call fuzz_program,$(t)),tests/fuzz/$(t).c,\
    $(FUZZ_INC) $(FUZZ_CHECK),$(FUZZ_LIBS))))
TESTS_system += $(foreach t,$(FUZZ_TARGETS),$(call fuzz_program,$(t)))

# ---- deliberate faults ----
# One source is changed in a copy, compiled, and linked before the archive with the original.
FUZZ_SEEDS := $(shell sed -n 's/^SEED(\(.*\), *\(.*\), *\(.*\))$$/\1|\2|\3/p' tests/fuzz/seeded.def)
seed_field = $(word $(2),$(subst |, ,$(1)))
seed_tree  = $(B)/fuzz/seeded/$(call seed_field,$(1),1)

define fuzz_seed
$(call seed_tree,$(1))/$(call seed_field,$(1),2): $(call seed_field,$(1),2) \
    tests/fuzz/seeded/$(call seed_field,$(1),1).sh tests/sabotage/change.sh
	$$(call say,SEED,$$@) rm -rf $(call seed_tree,$(1)) && mkdir -p $$(@D) $(call seed_tree,$(1))/tests/sabotage && \
	cp $$< $$@ && cp tests/sabotage/change.sh $(call seed_tree,$(1))/tests/sabotage/ && \
	(cd $(call seed_tree,$(1)) && sh -eu $(ROOT)/tests/fuzz/seeded/$(call seed_field,$(1),1).sh)
$(call c_program,$(B)/fuzz/seeded/fuzz_$(call seed_field,$(1),1),tests/fuzz/$(call seed_field,$(1),3).c \
    $(call seed_tree,$(1))/$(call seed_field,$(1),2),$(FUZZ_INC) $(FUZZ_TRACE),$(FUZZ_LIBS))
endef
$(foreach s,$(FUZZ_SEEDS),$(eval $(call fuzz_seed,$(s))))

tests/fuzz/seeded.sh: $(foreach s,$(FUZZ_SEEDS),$(B)/fuzz/seeded/fuzz_$(call seed_field,$(s),1))
TESTS_system += tests/fuzz/seeded.sh

# ---- the same targets under libFuzzer ----
FUZZ_CLANG   ?= clang
FUZZ_CLANG_C := $(FUZZ_CLANG) -std=c11 -O1 -g -fno-strict-aliasing -pthread -fsanitize=address,undefined \
                -fno-sanitize-recover=undefined

# clang_object,OBJECT,SOURCE,FLAGS
define clang_object
$(1): $(2) $(this_fragment)
	$$(call say,CLANG,$(2)) mkdir -p $$(@D) && \
	$(FUZZ_CLANG_C) -fsanitize=fuzzer-no-link $(3) -MMD -MP -c -o $$@ $$<
DEPFILES += $(1:.o=.d)

endef
clang_objs = $(patsubst %.c,$(B)/obj/libfuzzer/%.o,$(1))
FUZZ_CLANG_TOOLS := tests/fuzz/world.c tests/fuzz/laws.c tests/fuzz/connection.c tests/fuzz/mutate.c tests/fuzz/libfuzzer.c
$(foreach s,$(FUZZ_SIM),$(eval $(call clang_object,$(call clang_objs,$(s)),$(s),$(FUZZ_SIM_INC))))
$(foreach s,$(FUZZ_FW),$(eval $(call clang_object,$(call clang_objs,$(s)),$(s),$(FW_NATIVE_INC))))
$(eval $(call clang_object,$(call clang_objs,$(FUZZ_PROTOCOL)),$(FUZZ_PROTOCOL),$(FUZZ_INC)))
$(foreach s,$(FUZZ_CLANG_TOOLS) $(FUZZ_TARGETS:%=tests/fuzz/%.c),\
    $(eval $(call clang_object,$(call clang_objs,$(s)),$(s),$(FUZZ_INC))))

FUZZ_LIBFUZZER := $(FUZZ_TARGETS:%=$(B)/fuzz/libfuzzer/%)
$(FUZZ_LIBFUZZER): $(B)/fuzz/libfuzzer/%: $(B)/obj/libfuzzer/tests/fuzz/%.o \
    $(call clang_objs,$(FUZZ_SIM) $(FUZZ_FW) $(FUZZ_CLANG_TOOLS) $(FUZZ_PROTOCOL))
	$(call say,LD,$@) mkdir -p $(@D) && $(FUZZ_CLANG_C) -fsanitize=fuzzer -o $@ $^ $(JANSSON_LIBS)

FUZZ ?= $(FUZZ_TARGETS)
fuzz: $(foreach t,$(FUZZ),$(call fuzz_program,$(t))) ## 10 million inputs for each fuzz target (EXECUTIONS=n FUZZ="target ..." FUZZ_SEED=n)
	@B=$(B) EXECUTIONS=$(EXECUTIONS) FUZZ_SEED=$(FUZZ_SEED) sh tests/fuzz/fuzz.sh own $(FUZZ)

fuzz-libfuzzer: $(FUZZ:%=$(B)/fuzz/libfuzzer/%) $(foreach t,$(FUZZ),$(call fuzz_program,$(t))) ## the same under libFuzzer
	@B=$(B) EXECUTIONS=$(EXECUTIONS) sh tests/fuzz/fuzz.sh libfuzzer $(FUZZ)

.PHONY: fuzz fuzz-libfuzzer
