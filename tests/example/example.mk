# SPDX-License-Identifier: Apache-2.0
#
# Worked examples of the documents, in a copy of the tree.

TESTS_check += tests/example/new_opcode.sh
tests/example/new_opcode.sh: $(ABIGEN) $(FW_ELF) $(MODEL_LIB) $(B)/bin/tern-sim $(B)/lib/libtern.a
