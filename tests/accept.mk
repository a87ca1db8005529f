# SPDX-License-Identifier: Apache-2.0
# Acceptance of the walking skeleton by processes attached to a running simulator.

ACCEPT_INC  := -Ihost-driver/include -Ihw-model/abi -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/transport -Itests/system/rig
ACCEPT_LIBS := $(B)/lib/libtern.a
ACCEPT      := bad_input bad_atomics bad_reads bad_lookups core_held shared_nic wire

$(foreach t,$(ACCEPT),$(eval $(call c_program,$(B)/tests/accept/$(t),tests/system/accept/$(t).c \
    tests/system/rig/rig.c,$(ACCEPT_INC),$(ACCEPT_LIBS))))

TESTS_system += $(addprefix $(B)/tests/accept/,$(ACCEPT))

# Their prerequisites; also for a program that is made and run alone.
$(addprefix $(B)/tests/accept/,$(ACCEPT)): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf $(B)/fw/tern-fw-noput.elf
