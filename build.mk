# SPDX-License-Identifier: Apache-2.0
#
# Rules that every folder's makefile fragment shares.
#
# A fragment says what to build with one call per product:
#
#   $(eval $(call c_program,PATH,SOURCES,FLAGS,LIBRARIES))
#   $(eval $(call c_archive,PATH,SOURCES,FLAGS))
#   $(eval $(call c_shared,PATH,SOURCES,FLAGS,LIBRARIES))
#   $(eval $(call rv_objects,NAME,SOURCES,FLAGS))     sets OBJS_NAME
#   $(eval $(call rv_program,PATH,SOURCES,FLAGS,LINKER SCRIPT,LINK FLAGS))
#   $(eval $(call v_program,PATH,TOP,SV SOURCES,C OR C++ SOURCES,VERILATOR FLAGS))
#   $(eval $(call v_built,PATH,COMMANDS,SOURCES))     any other command over SystemVerilog
#
# PATH is the product, below $(B). Objects live in $(B)/obj/PATH/, one set for each product, so two
# products may compile one source with different flags. LIBRARIES are archives below $(B) (they
# become prerequisites) and -l flags. Only FLAGS name the include roots of the folder: an include
# that goes up a floor finds no file.
#
# A fragment registers a test with TESTS_<group> += path (see tests/tests.mk),
# a part of `make all` with ALL += path, a benchmark with BENCHES += path.

# The folder for output.
B := build

# The tree's own path, absolute. Neither make's functions nor Verilator's makefiles support a space
# in a path. So a tree in such a place is reached through a link without one, and Verilator works in
# a folder of its own.
ROOT := $(CURDIR)
ifneq ($(words $(CURDIR)),1)
ROOT := $(shell place=/var/tmp/tern-$$(id -u)-$$(pwd | cksum | tr -c '0-9\n' -) && mkdir -p "$$place/verilated" $(B) && \
    ln -sfn "$$(pwd)" "$$place/root" && ln -sfn "$$place/verilated" $(B)/verilated && test -O "$$place" && echo "$$place/root")
ifeq ($(ROOT),)
$(error this path has a space, and no folder without one can be made in /var/tmp)
endif
endif
absolute = $(foreach f,$(1),$(if $(filter /%,$(f)),$(f),$(ROOT)/$(f)))

# Finds -n among the one-letter flags, before any are added.
DRY_RUN := $(findstring n,$(filter-out --% %=%,$(firstword -$(MAKEFLAGS))))

# Quiet by default: one short line for each step, with its number and the maximum expected. A dry
# run counts the steps first (Makefile, STEPS_EXPECTED); steps that turn out to be unnecessary are
# skipped.
V ?= 0
STEPS_DONE :=
STEPS_EXPECTED :=
step = $(eval STEPS_DONE += .)[$(words $(STEPS_DONE))$(STEPS_EXPECTED:%=/%)]
ifeq ($(V),0)
Q := @
say = @printf '%s %-7s %s\n' '$(step)' '$(1)' '$(2)';
else
Q :=
say =
endif

SHELL := /bin/sh
# Uses all processors, unless -j is given; tests still run one after the other.
MAKEFLAGS += --no-builtin-rules -j$(shell nproc)
.SUFFIXES:
.DELETE_ON_ERROR:

# ---- compiled once -----------------------------------------------------------
# ccache compiles the C that several products share only once, mainly Verilator's run-time library,
# and the same for copies of the tree. CCACHE= disables it. Its folder is the user's own or, if
# there can be none, one below $(B).
ifeq ($(origin CCACHE),undefined)
CCACHE := $(if $(shell command -v ccache),ccache)
endif
ifneq ($(CCACHE),)
ifeq ($(CCACHE_DIR)$(shell mkdir -p "$${XDG_CACHE_HOME:-$$HOME/.cache}/ccache" 2>/dev/null && \
    test -w "$${XDG_CACHE_HOME:-$$HOME/.cache}/ccache" && echo yes),)
export CCACHE_DIR := $(ROOT)/$(B)/ccache
endif
export CCACHE_BASEDIR ?= $(ROOT)
export CCACHE_NOHASHDIR ?= 1
export CCACHE_SLOPPINESS ?= time_macros,include_file_mtime,include_file_ctime
export OBJCACHE ?= $(CCACHE)
endif

# ---- host C ----------------------------------------------------------------
ifeq ($(origin CC),default)
CC := $(strip $(CCACHE) gcc)
endif
ifeq ($(origin CXX),default)
CXX := $(strip $(CCACHE) g++)
endif
ifeq ($(origin AR),default)
AR := ar
endif
WERROR   ?= -Werror
WARN     := -Wall -Wextra $(WERROR) -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
OPT      ?= -O2 -g
CPPFLAGS ?=
CFLAGS   := -std=c11 $(OPT) $(WARN) -fno-strict-aliasing -fPIC -pthread
LDFLAGS  := -pthread
CMOCKA_LIBS  := -lcmocka
JANSSON_LIBS := -ljansson
CRYPTO_LIBS  := -lcrypto
Z_LIBS       := -lz
DW_LIBS      := -ldw -lelf

# ---- firmware C ------------------------------------------------------------
# GCC 12 needs Zicsr and Zifencei in the ISA name to assemble csrr and fence.i, but then selects the
# wrong C library to link; so the two steps name different ISAs. The library is the one for
# compressed code; its functions that need atomics are never linked.
RVPREFIX  ?= riscv64-unknown-elf-
RVCC      := $(strip $(CCACHE) $(RVPREFIX)gcc)
RVOBJCOPY := $(RVPREFIX)objcopy
RVOBJDUMP := $(RVPREFIX)objdump
RVNM      := $(RVPREFIX)nm
RVSIZE    := $(RVPREFIX)size
RVARCH    := -march=rv32imc_zicsr_zifencei -mabi=ilp32 --specs=picolibc.specs
RVOPT     ?= -Os
RVCFLAGS  := $(RVARCH) -std=c11 $(RVOPT) -g -Wall -Wextra $(WERROR) -Wshadow -Wconversion \
             -ffunction-sections -fdata-sections -fno-common
RVLDFLAGS := -march=rv32imac -mabi=ilp32 --specs=picolibc.specs -nostartfiles \
             -Wl,--gc-sections -Wl,--no-warn-rwx-segments

# ---- Verilator -------------------------------------------------------------
# Assertions are on unless a product disables them: without --assert Verilator drops them silently.
# A separate make compiles the C++ that Verilator writes; it must not inherit the flags of this one.
VERILATOR       ?= verilator
VERILATOR_LINT  := --lint-only -Wall -sv --default-language 1800-2017
VERILATOR_FLAGS := --cc -Wall -sv --default-language 1800-2017 --assert -O3 \
                   --x-assign fast --x-initial fast
VERILATOR_MAKE  := OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O2
# For use after VERILATOR_MAKE, for benches that run for seconds: optimising them takes longer than
# running them.
VERILATOR_QUICK := -MAKEFLAGS OPT_FAST=-O0 -MAKEFLAGS OPT_GLOBAL=-O1
# Warnings of the oldest supported Verilator are errors. A newer one has more warnings, which do not
# stop a build.
VERILATOR_FATAL = $$($(VERILATOR) --version | grep -q 'Verilator 5\.006 ' || echo -Wno-fatal)
VJOBS           ?= 2
CLEAN_ENV       := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES

YOSYS ?= yosys

# ---- C macros --------------------------------------------------------------
# The fragment that makes a call; its products are rebuilt when it changes, because it contains
# their flags.
this_fragment = $(lastword $(MAKEFILE_LIST))

# objs,TAG,SOURCES: the object of each source.
objs = $(addprefix $(B)/obj/$(1)/,$(addsuffix .o,$(basename $(2))))

# one_object,COMPILER,LABEL,TAG,SOURCE,FLAGS
define one_object
$(call objs,$(3),$(4)): $(4) $(this_fragment) build.mk
	$$(call say,$(2),$(4)) mkdir -p $$(@D) && \
	$(1) $(5) -MMD -MP -c -o $$@ $$<
DEPFILES += $(patsubst %.o,%.d,$(call objs,$(3),$(4)))

endef

# name,PATH: the product without $(B)/, which tags its objects.
name = $(patsubst $(B)/%,%,$(1))

define c_objects
OBJS_$(1) := $(call objs,$(1),$(2))
$(foreach s,$(2),$(call one_object,$(CC),CC,$(1),$(s),$(CFLAGS) $(CPPFLAGS) $(3)))
endef

define c_program
SOURCES_$(1) := $(2)
$(foreach s,$(2),$(call one_object,$(CC),CC,$(call name,$(1)),$(s),$(CFLAGS) $(CPPFLAGS) $(3)))
$(1): $(call objs,$(call name,$(1)),$(2)) $(filter-out -%,$(4))
	$$(call say,LD,$(1)) mkdir -p $$(@D) && \
	$(CC) $(LDFLAGS) -o $$@ $(call objs,$(call name,$(1)),$(2)) $(4)
endef

define c_archive
$(foreach s,$(2),$(call one_object,$(CC),CC,$(call name,$(1)),$(s),$(CFLAGS) $(CPPFLAGS) $(3)))
$(1): $(call objs,$(call name,$(1)),$(2))
	$$(call say,AR,$(1)) mkdir -p $$(@D) && rm -f $$@ && $(AR) rcs $$@ $$^
endef

define c_shared
$(foreach s,$(2),$(call one_object,$(CC),CC,$(call name,$(1)),$(s),$(CFLAGS) $(CPPFLAGS) $(3)))
$(1): $(call objs,$(call name,$(1)),$(2)) $(filter-out -%,$(4))
	$$(call say,LD,$(1)) mkdir -p $$(@D) && \
	$(CC) $(LDFLAGS) -shared -o $$@ $(call objs,$(call name,$(1)),$(2)) $(4)
endef

# ---- firmware macros -------------------------------------------------------
define rv_objects
OBJS_$(1) := $(call objs,$(1),$(2))
$(foreach s,$(2),$(call one_object,$(RVCC),RVCC,$(1),$(s),$(RVCFLAGS) $(3)))
endef

# The linker script selects the libraries (-lc) itself.
define rv_program
$(foreach s,$(2),$(call one_object,$(RVCC),RVCC,$(call name,$(1)),$(s),$(RVCFLAGS) $(3)))
$(1): $(call objs,$(call name,$(1)),$(2)) $(4)
	$$(call say,RVLD,$(1)) mkdir -p $$(@D) && \
	$(RVCC) $(RVLDFLAGS) $(5) -T $(4) -o $$@ $(call objs,$(call name,$(1)),$(2))
endef

# ---- Verilator macros ------------------------------------------------------
# make rebuilds a product of Verilator when its command changes, or its sources apart from comments;
# not when a file only has a new time, and not for another line of a fragment.
#
# $(B)/plain/FILE is the file without comments, and keeps its time while its contents are the same;
# the time of $(B)/plain/FILE.seen is that of the last comparison.
plain = $(foreach f,$(1),$(if $(filter $(B)/%,$(f)),$(f),$(if $(filter %.sv %.svh %.vlt,$(f)),$(B)/plain/$(f),$(f))))

.PRECIOUS: $(B)/plain/% $(B)/plain/%.seen
$(B)/plain/%.seen: % tests/tools/plain.awk
	@mkdir -p $(@D) && awk -f tests/tools/plain.awk $< > $@ && \
	{ cmp -s $@ $(B)/plain/$* || cp $@ $(B)/plain/$*; } && : > $@

$(B)/plain/%: $(B)/plain/%.seen
	@test -f $@ || awk -f tests/tools/plain.awk $* > $@

# told,NAME,COMMAND: a file with the command that makes a product, for use as a prerequisite. It
# omits the tree's own path, so that a copy of the tree need not be rebuilt, and -Werror, so that a
# saboteur, whose copy is built without it, rebuilds only the products that it changes.
told = $(if $(DRY_RUN),,$(call told_file,$(B)/told/$(1),$(subst -Wextra $(WERROR) -,-Wextra -,$(subst $(ROOT)/,,$(2)))))$(B)/told/$(1)
told_file = $(if $(call unlike,$(file <$(1)),$(2)),$(shell mkdir -p $(dir $(1)))$(file >$(1),$(2)))
unlike = $(subst x$(1)x,,x$(2)x)$(subst x$(2)x,,x$(1)x)

$(B)/told/%:
	@:

# All products of Verilator; tests/tests.mk makes these wait for the unit tests.
V_PRODUCTS :=

# v_built,PATH,COMMANDS,SOURCES: runs COMMANDS, with their output in a log that is shown on failure.
define v_built
SOURCES_$(1) := $(3)
$(1): $(call plain,$(3)) $(call told,$(call name,$(1)),$(2))
	$$(call say,VERIL,$(1)) mkdir -p $(B)/verilated/$(call name,$(1)) $$(@D) && \
	{ $(2); } > $(B)/verilated/$(call name,$(1))/build.log 2>&1 || \
	  { cat $(B)/verilated/$(call name,$(1))/build.log >&2; exit 1; }
	$$(Q)grep -A 3 '^%Warning' $(B)/verilated/$(call name,$(1))/build.log >&2 || true
V_PRODUCTS += $(1)
endef

# A verilated top with its own main: PATH is the executable. Every source is a prerequisite. Source
# paths are absolute for Verilator, since it compiles in its own folder. FLAGS may hold -I, -G, -D,
# --trace-fst, -CFLAGS, -LDFLAGS.
v_program = $(call v_built,$(1),$(call v_command,$(1),$(2),$(3),$(4),$(5)),$(3) $(4))
v_command = $(CLEAN_ENV) $(VERILATOR) $(VERILATOR_FLAGS) $$(VERILATOR_FATAL) --exe --build -j $(VJOBS) --top-module $(2) \
    -Mdir $(B)/verilated/$(call name,$(1)) -MAKEFLAGS "$(VERILATOR_MAKE)" $(5) \
    -o $(call absolute,$(1)) $(call absolute,$(3)) $(call absolute,$(4))

# ---- packages --------------------------------------------------------------
# A goal that needs packages includes an empty makefile whose rule checks them and, if necessary,
# installs them. make runs that rule before it builds anything, and reads the fragments again
# afterwards. Any change of the installed packages makes the check run again; otherwise it costs
# nothing. `make -n` and `make help` never install.
GOALS := $(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))
PACKAGE_GROUPS :=
packages_for = $(if $(filter $(2),$(GOALS)),$(eval PACKAGE_GROUPS += $(1)))
$(call packages_for,build,all demo demo-% test test-% quick bench bench-% soak-% chaos depth-long install core-run% sim sim-% driver fw abi gdb lint-% lockstep-long core-coverage fuzz fuzz-libfuzzer)
$(call packages_for,test,test test-% quick)
$(call packages_for,debug,gdb)
$(call packages_for,check,check check-% sabotage synth% core-gate gate mutants formal%)
$(call packages_for,bench,bench bench-% depth-long)
$(call packages_for,clean-room,clean-room clean-room-%)
$(call packages_for,fmax,fmax)
$(call packages_for,flash,flash flash-firmware flash-test load)
$(call packages_for,proofs,proofs proof-%)
$(call packages_for,fuzz,fuzz-libfuzzer)
$(call packages_for,verbs,test test-all test-system test-build test-verbs test-verbs-% demo-verbs)

ifeq ($(DRY_RUN),)
ifneq ($(strip $(PACKAGE_GROUPS)),)
include $(PACKAGE_GROUPS:%=$(B)/packages/%.mk)
endif
endif

$(B)/packages/%.mk: tests/tools/packages.def tests/tools/packages.sh $(wildcard /var/lib/dpkg/status)
	@mkdir -p $(@D) && flock $(@D) sh tests/tools/packages.sh $* && touch $@
