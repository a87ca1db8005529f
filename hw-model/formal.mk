# SPDX-License-Identifier: Apache-2.0
#
# Proofs of the core.  Those of links and slots stand with their blocks.

FORMAL_CORE := hw-model/formal/core.sh

TESTS_check += $(FORMAL_CORE)

formal: ## proves the core's checks to their full depth, by z3 and by yosys-abc
	$(Q)B=$(B) sh $(FORMAL_CORE) all $(CHECK)

formal-mutants: ## breaks the core once for each proof and more, and wants the proof to fail
	$(Q)B=$(B) sh $(FORMAL_CORE) mutants $(CHECK)

.PHONY: formal formal-mutants
