# SPDX-License-Identifier: Apache-2.0
#
# The promises held against what the tests recorded.

$(eval $(call c_program,$(B)/tests/conformance/conformance,\
    tests/conformance/conformance.c tests/conformance/taplog.c,\
    -Itests/conformance -Idocs -Itests/sabotage,$(JANSSON_LIBS)))

conformance: $(B)/tests/conformance/conformance ## a line for each requirement, from the tests' last run
	@$< $(B)/test $(B)/conformance.json

.PHONY: conformance

# The same with a table of its own, for the tool's test.
$(eval $(call c_program,$(B)/tests/conformance/example,\
    tests/conformance/conformance.c tests/conformance/taplog.c,\
    -Itests/conformance -Itests/conformance/example,$(JANSSON_LIBS)))
