# SPDX-License-Identifier: Apache-2.0
#
# The collector of figures. A fragment registers a program that prints figures (see
# tests/bench/bench.c) with BENCHES += path; a goal of tests/tests.mk runs them.

$(eval $(call c_program,$(B)/tests/bench/collect,tests/bench/bench.c,\
    -Itests/bench,$(JANSSON_LIBS)))

# The collector with other bars, for its test.
$(eval $(call c_program,$(B)/tests/bench/example,tests/bench/bench.c,\
    -Itests/bench/example,$(JANSSON_LIBS)))
