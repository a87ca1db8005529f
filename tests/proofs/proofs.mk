# SPDX-License-Identifier: Apache-2.0
#
# Proofs of C code by cbmc.

PROOFS      := $(shell sed -n 's/^\([a-z_]*\) *|.*/\1/p' tests/proofs/proofs.def)
PROOFS_SH   := tests/proofs/proofs.sh
PROOFS_ROOT ?= $(B)/cbmc
PROVE       := B=$(B) PROOFS_ROOT=$(PROOFS_ROOT) sh $(PROOFS_SH)

# Runs the harnesses in parallel; lists the failed ones at the end.
proofs: $(PROOFS:%=proof-%) ## proves what the harnesses of tests/proofs say, with their mutants
	$(Q)$(PROVE) -j $(PROOFS)

proof-%: $(B)/proofs/tool.ok
	$(Q)$(PROVE) $* > $(B)/proofs/$*.tap || true; grep -v '^1\.\.' $(B)/proofs/$*.tap

# Checks for cbmc before the first harness.
$(B)/proofs/tool.ok: $(PROOFS_SH)
	$(Q)mkdir -p $(@D) && $(PROVE) -c && touch $@

TESTS_check += $(PROOFS_SH) tests/check/proofs_judge.sh

.PHONY: proofs
