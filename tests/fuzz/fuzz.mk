# SPDX-License-Identifier: Apache-2.0
#
# Fuzzing: packets, descriptors, admin commands, vfio-user messages, over soft nodes in one process.

FUZZ_TARGETS := descriptors

FUZZ_SIM_INC := $(SIM_FLAGS) -Ifw/hal/native -Ifw/boot
FUZZ_INC     := -D_GNU_SOURCE -Itests/fuzz -Isim/soft $(SIM_INC) -Ifw/hal/native -Ifw/boot -Ifw/drv -Ifw/app -Ifw/proto
FUZZ_CHECK   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_TRACE   := $(FUZZ_CHECK) -fsanitize-coverage=trace-pc
FUZZ_SIM     := $(SOFT_SRC) $(addprefix sim/net/,net.c packets.c wire.c) $(SIM_HOST_SRC) sim/host/server.c
FUZZ_FW      := $(FW_PROTO) $(FW_DRV) $(FW_APP) fw/boot/native.c
FUZZ_WORLD   := $(addprefix tests/fuzz/,world.c laws.c mutate.c text.c engine.c)

# What is fuzzed, and says which way it went; and what fuzzes it, and does not.
FUZZ_SUBJECTS := $(B)/fuzz/libsim.a $(B)/fuzz/libfw.a
FUZZ_TOOLS    := $(B)/fuzz/libfuzz.a
FUZZ_LIBS     := $(FUZZ_TOOLS) $(FUZZ_SUBJECTS) -fsanitize=address,undefined $(JANSSON_LIBS)

$(eval $(call c_archive,$(B)/fuzz/libsim.a,$(FUZZ_SIM),$(FUZZ_SIM_INC) $(FUZZ_TRACE)))
$(eval $(call c_archive,$(B)/fuzz/libfw.a,$(FUZZ_FW),$(FW_NATIVE_INC) $(FUZZ_TRACE)))
$(eval $(call c_archive,$(FUZZ_TOOLS),$(FUZZ_WORLD),$(FUZZ_INC) $(FUZZ_CHECK)))

fuzz_program = $(B)/tests/fuzz/fuzz_$(1)
$(foreach t,$(FUZZ_TARGETS),$(eval $(call c_program,$(call fuzz_program,$(t)),tests/fuzz/$(t).c,\
    $(FUZZ_INC) $(FUZZ_CHECK),$(FUZZ_LIBS))))
TESTS_system += $(foreach t,$(FUZZ_TARGETS),$(call fuzz_program,$(t)))
