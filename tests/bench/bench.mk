# SPDX-License-Identifier: Apache-2.0
#
# The collector of figures.  A fragment registers a program that prints figures
# (tests/bench/bench.c says how) with BENCHES += path; the goal that runs them
# is in tests/tests.mk.

$(eval $(call c_program,$(B)/tests/bench/collect,tests/bench/bench.c,\
    -Itests/bench,$(JANSSON_LIBS)))

# The same with bars of its own, for the collector's test.
$(eval $(call c_program,$(B)/tests/bench/example,tests/bench/bench.c,\
    -Itests/bench/example,$(JANSSON_LIBS)))
