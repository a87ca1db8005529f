# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs, most on the soft tier.

VERBS_NEEDS := $(LIBTERN_VERBS) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
VERBS_SHORT := $(addprefix tests/verbs/, programs.sh pyverbs.sh sequences.sh cm_calls.sh failures.sh leaves.sh differences.sh faulty.sh connections.sh link.sh link_rtl.sh no_process_vm.sh together.sh cost.sh rtl.sh)
VERBS_LONG  := tests/verbs/all_programs.sh tests/verbs/all_refused.sh

VERBS_SEQUENCES := $(B)/tests/verbs/sequences
$(eval $(call c_program,$(VERBS_SEQUENCES),$(addprefix tests/verbs/, sequences.c states.c ends.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
VERBS_CALLS := $(B)/tests/verbs/cm_calls
$(eval $(call c_program,$(VERBS_CALLS),tests/verbs/cm_calls.c,-D_GNU_SOURCE,))
VERBS_ENDURES := $(B)/tests/verbs/endures
$(eval $(call c_program,$(VERBS_ENDURES),$(addprefix tests/verbs/, endures.c ends.c peers.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
VERBS_LEAVES := $(B)/tests/verbs/leaves
$(eval $(call c_program,$(VERBS_LEAVES),$(addprefix tests/verbs/, leaves.c ends.c peers.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
tests/verbs/leaves.sh: $(VERBS_LEAVES)
VERBS_DIFFERENCES := $(B)/tests/verbs/differences
$(eval $(call c_program,$(VERBS_DIFFERENCES),$(addprefix tests/verbs/, differences.c ends.c peers.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
tests/verbs/differences.sh: $(VERBS_DIFFERENCES)
VERBS_SURVIVES := $(B)/tests/verbs/survives
$(eval $(call c_program,$(VERBS_SURVIVES),$(addprefix tests/verbs/, survives.c ends.c peers.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
tests/verbs/faulty.sh: $(VERBS_SURVIVES)
VERBS_ECHO := $(B)/tests/verbs/echo
$(eval $(call c_program,$(VERBS_ECHO),tests/verbs/echo.c,-D_GNU_SOURCE,))
VERBS_COST := $(B)/tests/verbs/cost
$(eval $(call c_program,$(VERBS_COST),$(addprefix tests/verbs/, cost.c ends.c),-Itests/verbs -D_GNU_SOURCE $(DRV_PUBLIC),$(LIBTERN_A) -libverbs))
VERBS_REFUSE := $(B)/tests/verbs/refuse
$(eval $(call c_program,$(VERBS_REFUSE),tests/verbs/refuse.c,-D_GNU_SOURCE,))
tests/verbs/no_process_vm.sh tests/verbs/all_refused.sh: $(VERBS_REFUSE)
VERBS_SEES := $(addprefix $(B)/tests/verbs/,sees sees_static)
$(eval $(call c_program,$(B)/tests/verbs/sees,tests/verbs/static.c,,))
$(eval $(call c_program,$(B)/tests/verbs/sees_static,tests/verbs/static.c,,-static))
tests/verbs/programs.sh: $(VERBS_SEES)
VERBS_TOGETHER := $(B)/tests/verbs/together
$(eval $(call c_program,$(VERBS_TOGETHER),$(addprefix tests/verbs/, together.c ends.c),-Itests/verbs -D_GNU_SOURCE,-libverbs))
tests/verbs/together.sh: $(VERBS_TOGETHER)
tests/verbs/sequences.sh: $(VERBS_SEQUENCES)
tests/verbs/cm_calls.sh: $(VERBS_CALLS)
tests/verbs/failures.sh tests/verbs/connections.sh: $(VERBS_ENDURES)
tests/verbs/cost.sh: $(VERBS_COST)
$(VERBS_LONG): $(VERBS_ECHO)

$(VERBS_SHORT) $(VERBS_LONG): $(VERBS_NEEDS)
TESTS_system += $(VERBS_SHORT)
TESTS_verbs := $(VERBS_SHORT) $(VERBS_LONG)

# test_list is of tests/tests.mk, which is read later.
test-verbs: $(TESTS_verbs) ## verbs programs, each many times [TIMES=n, 5 unless told]
	$(call test_list,verbs)
	@B=$(B) TEST_LIMIT_S=$${TEST_LIMIT_S:-3600} sh tests/run.sh verbs

test-verbs-cost: $(VERBS_COST) $(VERBS_NEEDS) ## instructions of an 8-byte write by verbs, above libtern's
	@B=$(B) sh tests/verbs/cost.sh

# As many connections as an application makes in weeks; some minutes.
test-verbs-connections: $(VERBS_ENDURES) $(VERBS_NEEDS) ## memory that 100 000 connections of verbs leave in use [CONNECTIONS=n]
	@B=$(B) CONNECTIONS=$(or $(CONNECTIONS),100000) LIMIT=7200 sh tests/verbs/connections.sh

# The same binaries under the rdma-core of Debian 13, as a user without rights.  tests/verbs/pyverbs.sh is not among them: pyverbs 56.1
# frees a protection domain after its device in some runs, and crashes.
VERBS_TRIXIE ?= tests/verbs/all_programs.sh tests/verbs/sequences.sh tests/verbs/cm_calls.sh tests/verbs/no_process_vm.sh tests/verbs/failures.sh tests/verbs/leaves.sh tests/verbs/differences.sh
test-verbs-trixie: $(VERBS_SHORT) $(VERBS_LONG) ## the same with the programs of Debian 13, in a folder; needs root [TIMES=n]
	@B=$(B) sh tests/verbs/trixie.sh $(VERBS_TRIXIE)
.PHONY: test-verbs test-verbs-cost test-verbs-connections test-verbs-trixie
