# SPDX-License-Identifier: Apache-2.0
#
# The goals that run tests. Included after all other fragments.
#
# A fragment registers a test program, or a script, with one of
#   TESTS_unit   += path     cmocka programs, seconds
#   TESTS_rtl    += path     benches of the chip's parts
#   TESTS_system += path     the simulator with its drivers attached
#   TESTS_check  += path     what must hold of the tree itself
# and the program's other needs as its prerequisites. tests/run.sh describes its output. For a file
# that the tests of a group read, TEST_NEEDS_<group> += path.

GROUPS := unit rtl system check

# Programs that take minutes: they start first, so that they do not run alone at the end.
TESTS_LONG := tests/proofs/proofs.sh tests/sabotage/quick.sh tests/check/static.sh hw-model/formal/core.sh hw-model/formal/core_proof_mutants.sh $(B)/tests/system/torus_faults $(B)/tests/differential/tiers

# --- programs that depend on changed files ------------------------------------
# Most programs depend on a part of the tree (tests/areas.def): `make test` and `make check` leave
# them out if that part has not changed since the last commit, except those that the commit draws.
# `make test-all` and `make check-all` run all, as do `make test-rtl` and `make test-system`. A
# system program on rtl whose twin on soft has the same expectations depends only on the chip and
# its own sources; tests/twins.def lists those that always run on rtl, with the reason.
TWINS_SYSTEM := $(filter-out $(shell sed -n 's|^KEPT.\([^,]*\),.*|$(B)/\1|p' tests/twins.def),$(addprefix $(B)/,$(SOFT_TESTS)))

# A commit draws one in DRAW of the programs that may be left out; 0: none.
DRAW ?= 12

# The programs of `make test SAN=1`: with APART=1 `make test` leaves them to it, except those drawn.
TESTS_san := $(TESTS_unit) $(foreach t,$(SOFT_TESTS) transfers bcast table,$(B)/tests/soft/soft_$(notdir $(t))) $(SOFT_RING) $(SOFT_BOXES)
APART ?=
SAN_ALONE := $(if $(APART),$(filter-out $(TESTS_unit),$(TESTS_san)))

ifneq ($(filter test check san-programs,$(GOALS)),)
# san.sh lists the changed files: to git, the links of a folder all look new.
CHANGED := $(shell $(if $(TERN_CHANGED),cat $(TERN_CHANGED),sh tests/tools/changed.sh))
# The dry run that counts steps (Makefile) does not get variables of the command line: it writes
# lists of its own.
CHANGED_LIST := $(B)/test/changed$(TERN_COUNTS:%=.counted)
PROGRAM_LIST := $(B)/test/programs$(TERN_COUNTS:%=.counted)
LEFT_OUT := $(shell mkdir -p $(B)/test)$(file >$(CHANGED_LIST))$(foreach f,$(CHANGED),$(file >>$(CHANGED_LIST),$(f)))$(file \
    >$(PROGRAM_LIST))$(foreach t,$(TESTS_rtl) $(TESTS_system) $(TESTS_check) $(if $(filter san-programs,$(GOALS)),$(TESTS_unit)),$(file \
    >>$(PROGRAM_LIST),$(if $(filter $(t),$(TWINS_SYSTEM)),+)$(if $(filter $(t),$(SAN_ALONE)),-)$(t:$(B)/%=build/%) $(SOURCES_$(t))))$(patsubst build/%,$(B)/%,$(shell \
    awk -v commit=$$(git -c safe.directory='*' rev-parse HEAD 2> /dev/null) -v one_in=$(DRAW) -f tests/tools/left_out.awk \
    tests/areas.def $(CHANGED_LIST) $(PROGRAM_LIST)))
endif

# left_out,GROUP...: the left-out programs of these groups
left_out = $(filter $(foreach g,$(1),$(TESTS_$(g))),$(LEFT_OUT))
# say_left_out,GOAL,GROUP...: writes their names for `make conformance`, and prints how many
define say_left_out
$(file >$(B)/test/left-out-$(1))$(foreach t,$(filter-out $(SAN_ALONE),$(call left_out,$(2))),$(file >>$(B)/test/left-out-$(1),$(t)))
	@[ -z "$(strip $(call left_out,$(2)))" ] || echo "$(words $(call left_out,$(2))) programs whose area has not changed are left out; $(if $(filter san,$(1)),DRAW=1,make $(1)-all) runs them"
endef

# test_list,GROUP,WITHOUT: the list that run.sh reads.
test_list = $(shell mkdir -p $(B)/test)$(file >$(B)/test/$(1).list)$(foreach \
    t,$(filter-out $(2),$(filter $(TESTS_LONG),$(TESTS_$(1))) $(filter-out $(TESTS_LONG),$(TESTS_$(1)))),$(file >>$(B)/test/$(1).list,$(t)))

# needs,GROUP...: what must be built first.
needs = $(foreach g,$(1),$(TESTS_$(g)) $(TEST_NEEDS_$(g)))

# ---- the unit tests first ------------------------------------------------------
# They take seconds, so they run before slow builds.
units-ran: $(call needs,unit) ## runs the unit tests ahead of what takes minutes to build
	$(call test_list,unit)
	@B=$(B) TEST_PART=1 sh tests/run.sh unit || [ -z "$$TEST_STOP" ]

ifneq ($(filter test test-all quick,$(GOALS)),)
$(V_PRODUCTS): | units-ran
endif

# ---- under sanitizers ------------------------------------------------------------
# `make test SAN=1`: unit tests and all system programs of the soft tier, compiled again below
# $B/san.
san-programs: $(filter-out $(LEFT_OUT),$(call needs,san)) ## the programs of make test SAN=1
	$(call test_list,san,$(LEFT_OUT))
	$(call say_left_out,san,san)
	@B=$(B) sh tests/run.sh san

.PHONY: san-programs

SAN ?=
ifeq ($(filter-out 0,$(SAN)),)
test: units-ran $(filter-out $(LEFT_OUT),$(call needs,rtl system)) ## unit tests, RTL benches, system tests
	$(foreach g,unit rtl system,$(call test_list,$(g),$(LEFT_OUT)))
	$(call say_left_out,test,rtl system)
	@B=$(B) sh tests/run.sh +unit rtl system
else
test: ## with SAN=1 unit tests and the soft tier alone, under address and undefined-behaviour sanitizers
	@B=$(B) sh tests/tools/san.sh san-programs
endif

# The parts that break most often, on a small scale.
QUICK := $(addprefix $(B)/tests/soft/,soft_driver_puts soft_driver_pairs soft_driver_lookups soft_shared_nic) \
         $(B)/tests/accept/core_held
quick: units-ran $(QUICK) ## in a minute: unit tests; puts, messages, lookups, kills on soft; puts on rtl
	$(shell mkdir -p $(B)/test)$(file >$(B)/test/quick.list)$(foreach t,$(QUICK),$(file >>$(B)/test/quick.list,$(t)))
	@B=$(B) sh tests/run.sh +unit quick

.PHONY: quick

test-all: units-ran $(call needs,rtl system) ## the same with what depends on nothing that has changed
	$(foreach g,unit rtl system,$(call test_list,$(g)))
	@rm -f $(B)/test/left-out-test
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

check: $(filter-out $(LEFT_OUT),$(call needs,check)) ## what must hold of the tree: contract, floors, lint, netlists
	$(call test_list,check,$(LEFT_OUT))
	$(call say_left_out,check,check)
	@B=$(B) sh tests/run.sh check

check-all: $(call needs,check) ## the same with what depends on nothing that has changed
	$(call test_list,check)
	@rm -f $(B)/test/left-out-check
	@B=$(B) CHECK_ALL=1 sh tests/run.sh check

test-scripts: ## names the scripts among the test programs
	@printf '%s\n' $(filter-out $(B)/%,$(foreach g,unit rtl system check,$(TESTS_$(g))))

.PHONY: test-scripts

.PHONY: test test-all test-unit test-rtl test-system test-build units-ran check check-all

# ---- faults drawn at random --------------------------------------------------------
SEED  ?= 1
COUNT ?= 40
mutants-random: ## single faults in firmware, driver, soft tier and chip, drawn by SEED=1, which make test must find [COUNT=40] [FROM=n] [TO=n]
	@B=$(B) FROM=$(FROM) TO=$(TO) sh tests/tools/mutants.sh $(SEED) $(COUNT)

.PHONY: mutants-random

bench: $(B)/tests/bench/collect $(BENCHES) ## runs the benchmarks, prints a table, writes build/bench.json
	@B=$(B) sh tests/bench/run.sh $< $(BENCHES)

.PHONY: bench
