# SPDX-License-Identifier: Apache-2.0
#
# Worked examples of the documents, in a copy of the tree.

TESTS_check += tests/example/new_opcode.sh
tests/example/new_opcode.sh: $(ABIGEN) $(FW_ELF) $(MODEL_CHECKED) $(B)/bin/tern-sim-checked $(B)/lib/libtern.a

# The bug report that users copy works unchanged.
TESTS_system += tests/example/bug/bug.sh
tests/example/bug/bug.sh: $(B)/bin/tern $(B)/bin/tern-sim $(B)/fw/tern-fw.elf
