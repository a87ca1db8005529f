# SPDX-License-Identifier: Apache-2.0
#
# The goals that run tests.  Included after every other fragment.
#
# A fragment registers a test program, or a script, with one of
#   TESTS_unit   += path     cmocka programs, seconds
#   TESTS_rtl    += path     benches of the chip's parts
#   TESTS_system += path     the simulator with its drivers attached
#   TESTS_check  += path     what must hold of the tree itself
# and what the program needs besides itself as its prerequisites.  tests/run.sh describes its
# output.  For a file that the tests of a group
# read, TEST_NEEDS_<group> += path.

GROUPS := unit rtl system check

# Programs that take minutes: whoever begins with them is not alone with them at the end.
TESTS_LONG := tests/proofs/proofs.sh tests/sabotage/quick.sh tests/check/static.sh hw-model/formal/core.sh $(B)/tests/system/torus_faults $(B)/tests/differential/tiers

# ---- twins -------------------------------------------------------------------
# Many programs have a twin that shows nearly the same: benches with beats of 32 bits, and system
# programs on rtl whose twin on soft has the same expectations.  `make test` leaves a twin out while
# its area is as it was a commit ago: its own sources, and what the twin alone has, the chip.  `make
# test-all` runs all, as do `make test-rtl` and `make test-system`.  What stays on rtl in any case
# is in tests/twins.def, with its reason.
TWINS_RTL    := $(filter %_32 %_32_6,$(TESTS_rtl))
TWINS_SYSTEM := $(filter-out $(shell sed -n 's|^KEPT.\([^,]*\),.*|$(B)/\1|p' tests/twins.def),$(addprefix $(B)/,$(SOFT_TESTS)))

ifneq ($(filter test,$(GOALS)),)
CHANGED := $(shell sh tests/tools/changed.sh)
# Where nothing is known all has changed.
untouched = $(if $(filter unknown,$(CHANGED)),,$(if $(filter $(SOURCES_$(1)) $(2),$(CHANGED)),,$(1)))
CHIP_AREA := hw-model/rtl/% hw-model/model/% sim/node/% fw/hal/target/% fw/boot/% linker/% build.mk
LEFT_OUT := $(foreach t,$(TWINS_RTL),$(call untouched,$(t))) $(foreach t,$(TWINS_SYSTEM),$(call untouched,$(t),$(CHIP_AREA)))
endif

# test_list,GROUP,WITHOUT: what run.sh reads.
test_list = $(shell mkdir -p $(B)/test)$(file >$(B)/test/$(1).list)$(foreach \
    t,$(filter-out $(2),$(filter $(TESTS_LONG),$(TESTS_$(1))) $(filter-out $(TESTS_LONG),$(TESTS_$(1)))),$(file >>$(B)/test/$(1).list,$(t)))

# needs,GROUP...: what must be built first.
needs = $(foreach g,$(1),$(TESTS_$(g)) $(TEST_NEEDS_$(g)))

# ---- the unit tests first ------------------------------------------------------
# They take seconds: what takes minutes to build waits for them.
units-ran: $(call needs,unit) ## runs the unit tests ahead of what takes minutes to build
	$(call test_list,unit)
	@B=$(B) TEST_PART=1 sh tests/run.sh unit || [ -z "$$TEST_STOP" ]

ifneq ($(filter test test-all quick,$(GOALS)),)
$(V_PRODUCTS): | units-ran
endif

# ---- under sanitizers ------------------------------------------------------------
# `make test SAN=1`: unit tests and all system programs of the soft tier, compiled anew below $(B)/san.
TESTS_san := $(TESTS_unit) $(foreach t,$(SOFT_TESTS) transfers bcast table,$(B)/tests/soft/soft_$(notdir $(t))) $(SOFT_RING) $(SOFT_BOXES)
TEST_NEEDS_san := $(TEST_NEEDS_unit) $(addprefix $(B)/,$(SOFT_TESTS))

san-programs: $(call needs,san) ## the programs of make test SAN=1
	$(call test_list,san)
	@B=$(B) sh tests/run.sh san

.PHONY: san-programs

SAN ?=
ifeq ($(filter-out 0,$(SAN)),)
test: units-ran $(filter-out $(LEFT_OUT),$(call needs,rtl system)) ## unit tests, RTL benches, system tests
	$(foreach g,unit rtl system,$(call test_list,$(g),$(LEFT_OUT)))
	$(file >$(B)/test/left-out)$(foreach t,$(LEFT_OUT),$(file >>$(B)/test/left-out,$(t)))
	@[ -z "$(strip $(LEFT_OUT))" ] || echo "$(words $(LEFT_OUT)) twins whose area has not changed are left out; make test-all runs them"
	@B=$(B) sh tests/run.sh +unit rtl system
else
test: ## with SAN=1 unit tests and the soft tier alone, under address and undefined-behaviour sanitizers
	@B=$(B) sh tests/tools/san.sh san-programs
endif

# The parts that break most often, each on a small scale.
QUICK := $(addprefix $(B)/tests/soft/,soft_driver_puts soft_driver_pairs soft_driver_lookups soft_shared_nic) \
         $(B)/tests/accept/core_held
quick: units-ran $(QUICK) ## in a minute: unit tests; puts, messages, lookups, kills on soft; puts on rtl
	$(shell mkdir -p $(B)/test)$(file >$(B)/test/quick.list)$(foreach t,$(QUICK),$(file >>$(B)/test/quick.list,$(t)))
	@B=$(B) sh tests/run.sh +unit quick

.PHONY: quick

test-all: units-ran $(call needs,rtl system) ## the same with the twins whose area has not changed
	$(foreach g,unit rtl system,$(call test_list,$(g)))
	@rm -f $(B)/test/left-out
	@B=$(B) sh tests/run.sh +unit rtl system

test-unit: $(call needs,unit) ## the unit tests alone
	$(call test_list,unit)
	@B=$(B) sh tests/run.sh unit

test-rtl: $(call needs,rtl) ## the RTL benches alone
	$(call test_list,rtl)
	@B=$(B) sh tests/run.sh rtl

test-system: $(call needs,system) ## the system tests alone
	$(call test_list,system)
	@B=$(B) sh tests/run.sh system

test-build: $(call needs,unit rtl system) ## builds all that the tests need, and runs none

check: $(call needs,check) ## what must hold of the tree: contract, floors, lint, netlists
	$(call test_list,check)
	@B=$(B) sh tests/run.sh check

.PHONY: test test-all test-unit test-rtl test-system test-build units-ran check

# ---- faults drawn at random --------------------------------------------------------
SEED  ?= 1
COUNT ?= 40
mutants-random: ## single faults in firmware, driver, soft tier and chip, drawn by SEED=1, which make test must find [COUNT=40] [FROM=n] [TO=n]
	@B=$(B) FROM=$(FROM) TO=$(TO) sh tests/tools/mutants.sh $(SEED) $(COUNT)

.PHONY: mutants-random

bench: $(B)/tests/bench/collect $(BENCHES) ## runs the benchmarks, prints a table, writes build/bench.json
	@B=$(B) sh tests/bench/run.sh $< $(BENCHES)

.PHONY: bench
