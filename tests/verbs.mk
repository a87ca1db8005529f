# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs on the soft tier.

VERBS_NEEDS := $(LIBTERN_VERBS) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
VERBS_SHORT := $(addprefix tests/verbs/, programs.sh pyverbs.sh sequences.sh failures.sh)
VERBS_LONG  := tests/verbs/all_programs.sh

VERBS_SEQUENCES := $(B)/tests/verbs/sequences
$(eval $(call c_program,$(VERBS_SEQUENCES),$(addprefix tests/verbs/, sequences.c states.c ends.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
VERBS_ENDURES := $(B)/tests/verbs/endures
$(eval $(call c_program,$(VERBS_ENDURES),$(addprefix tests/verbs/, endures.c ends.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
tests/verbs/sequences.sh: $(VERBS_SEQUENCES)
tests/verbs/failures.sh: $(VERBS_ENDURES)

$(VERBS_SHORT) $(VERBS_LONG): $(VERBS_NEEDS)
TESTS_system += $(VERBS_SHORT)
TESTS_verbs := $(VERBS_SHORT) $(VERBS_LONG)

# test_list is of tests/tests.mk, which is read later.
test-verbs: $(TESTS_verbs) ## verbs programs, each many times [TIMES=n, 5 unless told]
	$(call test_list,verbs)
	@B=$(B) sh tests/run.sh verbs
.PHONY: test-verbs
