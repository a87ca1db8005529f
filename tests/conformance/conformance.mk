# SPDX-License-Identifier: Apache-2.0
#
# Compares the promises with the records of the tests.

$(eval $(call c_program,$(B)/tests/conformance/conformance,\
    tests/conformance/conformance.c tests/conformance/taplog.c,\
    -Itests/conformance -Ihw-model/abi -Idocs -Itests/sabotage,$(JANSSON_LIBS)))

COMMITTED := docs/conformance.txt
conformance: $(B)/tests/conformance/conformance ## a line for each requirement, from the tests' last run; fails when one is worse than committed
	@$< $(B)/test $(B)/conformance.json $(wildcard $(COMMITTED))

conformance-commit: $(B)/tests/conformance/conformance ## writes docs/conformance.txt from the last run of all tests
	@$< $(B)/test $(B)/conformance.json $(COMMITTED) write

.PHONY: conformance conformance-commit

# The tool with a table of its own, for its test.
$(eval $(call c_program,$(B)/tests/conformance/example,\
    tests/conformance/conformance.c tests/conformance/taplog.c,\
    -Itests/conformance -Ihw-model/abi -Itests/conformance/example,$(JANSSON_LIBS)))
