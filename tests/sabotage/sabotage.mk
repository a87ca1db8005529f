# SPDX-License-Identifier: Apache-2.0
#
# Deliberate faults in the tree.

sabotage: all ## breaks each promise on purpose and expects its test to fail [SLICE=3/20] [SINCE=commit] [MOST=n] [ROWS=pattern]
	@B=$(B) SLICE=$(SLICE) SINCE=$(SINCE) MOST=$(MOST) ROWS='$(ROWS)' sh tests/sabotage/run.sh all

TESTS_check += tests/sabotage/quick.sh

.PHONY: sabotage
