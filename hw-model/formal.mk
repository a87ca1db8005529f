# SPDX-License-Identifier: Apache-2.0
#
# Proofs of the core, and the state searches of the torus and the tree. Proofs of links and slots are beside their
# blocks.

FORMAL_CORE := hw-model/formal/core.sh
FORMAL_TORUS := hw-model/formal/torus.sh
FORMAL_TREE  := hw-model/formal/tree.sh

TESTS_check += $(FORMAL_CORE) $(FORMAL_CORE:%.sh=%_proof_mutants.sh) $(FORMAL_TORUS) $(FORMAL_TREE)

formal: ## proves the core's checks to their full depth, by z3 and by yosys-abc
	$(Q)B=$(B) sh $(FORMAL_CORE) all $(CHECK)

formal-mutants: ## breaks the core once for each proof and more, and wants the proof to fail
	$(Q)B=$(B) sh $(FORMAL_CORE) mutants $(CHECK)

formal-torus: ## searches the states of more small tori and trees for deadlock: minutes, 4 GB of memory
	$(Q)B=$(B) sh $(FORMAL_TORUS) all
	$(Q)B=$(B) sh $(FORMAL_TREE) all

.PHONY: formal formal-mutants formal-torus
