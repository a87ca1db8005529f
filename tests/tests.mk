# SPDX-License-Identifier: Apache-2.0
#
# The goals that run tests.  Included after every other fragment.
#
# A fragment registers a test program, or a script, with one of
#   TESTS_unit   += path     cmocka programs, seconds
#   TESTS_rtl    += path     benches of the chip's parts
#   TESTS_system += path     the simulator with its drivers attached
#   TESTS_check  += path     what must hold of the tree itself
# and what the program needs besides itself as its prerequisites.  What it
# prints is described in tests/run.sh.  For a file that the tests of a group
# read, TEST_NEEDS_<group> += path.

GROUPS := unit rtl system check

# Programs that take minutes: whoever begins with them is not alone with them at the end.
TESTS_LONG := tests/proofs/proofs.sh tests/sabotage/quick.sh tests/check/static.sh hw-model/formal/core.sh $(B)/tests/system/torus_faults $(B)/tests/differential/tiers

# test_list,GROUP: what run.sh reads.
test_list = $(shell mkdir -p $(B)/test)$(file >$(B)/test/$(1).list)$(foreach \
    t,$(filter $(TESTS_LONG),$(TESTS_$(1))) $(filter-out $(TESTS_LONG),$(TESTS_$(1))),$(file >>$(B)/test/$(1).list,$(t)))

# needs,GROUP...: what must be built first.
needs = $(foreach g,$(1),$(TESTS_$(g)) $(TEST_NEEDS_$(g)))

test: $(call needs,unit rtl system) ## unit tests, RTL benches, system tests
	$(foreach g,unit rtl system,$(call test_list,$(g)))
	@B=$(B) sh tests/run.sh unit rtl system

test-unit: $(call needs,unit) ## the unit tests alone
	$(call test_list,unit)
	@B=$(B) sh tests/run.sh unit

test-rtl: $(call needs,rtl) ## the RTL benches alone
	$(call test_list,rtl)
	@B=$(B) sh tests/run.sh rtl

test-system: $(call needs,system) ## the system tests alone
	$(call test_list,system)
	@B=$(B) sh tests/run.sh system

check: $(call needs,check) ## what must hold of the tree: contract, floors, lint, netlists
	$(call test_list,check)
	@B=$(B) sh tests/run.sh check

.PHONY: test test-unit test-rtl test-system check

bench: $(B)/tests/bench/collect $(BENCHES) ## runs the benchmarks, prints a table, writes build/bench.json
	@B=$(B) sh tests/bench/run.sh $< $(BENCHES)

.PHONY: bench
