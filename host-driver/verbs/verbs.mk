# SPDX-License-Identifier: Apache-2.0
# libtern-verbs.so: the library to preload into programs that use stock libibverbs.

VERBS_SRC := $(addprefix host-driver/verbs/, cmwire.c cq.c datagram.c domain.c hooks.c link.c nic.c objects.c qp.c receive.c rings.c send.c \
               sysview.c ucma.c uverbs.c)
comma := ,
LIBTERN_VERBS := $(B)/lib/libtern-verbs.so

# Only the hooks are exported: the libtern inside must not hide a program's own. Vectors for
# structures of 16 bytes cost more instructions than they save.
$(eval $(call c_shared,$(LIBTERN_VERBS),$(VERBS_SRC),-Ihost-driver/include -Ihw-model/abi -fvisibility=hidden -fno-tree-slp-vectorize,$(LIBTERN_A) -ldl -Wl$$(comma)--exclude-libs$$(comma)ALL))

verbs: $(LIBTERN_VERBS) $(TERN_BIN) ## the library that lets unmodified verbs programs run on tern
ALL += $(LIBTERN_VERBS)
install: $(LIBTERN_VERBS)

# No part of it needs the chip, so it is there without the minutes that the models take to compile.
demo-verbs: $(LIBTERN_VERBS) $(TERN_BIN) $(B)/bin/tern-sim-soft $(B)/fw/tern-fw.elf ## unmodified verbs programs between two NICs
	$(Q)B=$(B) sh host-driver/tools/demo_verbs.sh
.PHONY: verbs demo-verbs
