# SPDX-License-Identifier: Apache-2.0
#
# `tern cached`: a program beside the `tern` command, which alone needs libevent.

CACHED_BIN := $(B)/bin/tern-cached
CACHED_DIR := host-driver/tools/cached
CACHED_INC := $(DRV_PUBLIC) -Ihost-driver/tools -I$(CACHED_DIR) -DTERN_VERSION_TEXT=\"$(TERN_VERSION)\"
EVENT_LIBS := -levent

CACHED_PARTS := $(addprefix $(CACHED_DIR)/,commands.c main.c meta.c protocol.c serve.c stats.c store.c) host-driver/tools/tool.c
$(eval $(call c_program,$(CACHED_BIN),$(CACHED_PARTS),$(CACHED_INC),$(LIBTERN_A) $(EVENT_LIBS)))

driver: $(CACHED_BIN)
ALL += $(CACHED_BIN)
INSTALLED += $(CACHED_BIN)

# ---- tests
CACHED_T := $(B)/tests/unit/cached_protocol
$(eval $(call c_program,$(CACHED_T),tests/unit/cached/cached_protocol.c $(CACHED_DIR)/protocol.c,$(CACHED_INC),$(CMOCKA_LIBS)))
TESTS_unit += $(CACHED_T)

CACHED_TALK := $(B)/tests/system/cached_talk
CACHED_SAME := $(B)/tests/system/cached_same
$(eval $(call c_program,$(CACHED_TALK),tests/system/cached/talk.c,,))
$(eval $(call c_program,$(CACHED_SAME),tests/system/cached/same.c,,))
demo-cache: $(TERN_BIN) $(CACHED_BIN) $(CACHED_TALK) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf ## memcached and tern cached side by side, both servers stopped [TIER=rtl or soft] [KEYS=n]
	$(Q)B=$(B) TIER=$(TIER) sh host-driver/tools/demo_cache.sh '$(KEYS)'

.PHONY: demo-cache

tests/system/demo/cache.sh tests/system/cached/cached.sh: $(TERN_BIN) $(CACHED_BIN) $(CACHED_TALK) $(CACHED_SAME) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf

COMMANDS ?= 1000000
cached-same: $(TERN_BIN) $(CACHED_BIN) $(CACHED_SAME) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf ## memcached and tern cached answer the same: COMMANDS=1000000 random commands, SEED=1
	@B=$(B) TIER=soft COMMANDS=$(COMMANDS) SEED=$(SEED) sh tests/system/cached/same.sh

LOAD ?= 100000
cached-load: $(TERN_BIN) $(CACHED_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf ## memcaslap at two front ends of one cache: LOAD=100000 operations, each value verified
	@B=$(B) TIER=soft LOAD=$(LOAD) sh tests/system/cached/load.sh

.PHONY: cached-same cached-load

# Histories of caches, judged.
CACHES_LINEAR := $(B)/tests/system/driver_caches_linear
$(eval $(call c_program,$(CACHES_LINEAR),$(addprefix tests/system/driver/,caches_linear.c pool_rig.c) $(addprefix tests/system/chaos/,child.c plan.c) \
    tests/system/rig/rig.c,$(DRV_PUBLIC) -Itests/system/rig -Itests/system/chaos -Itests/system/driver -Itests/tools/linear,$(LIBTERN_A) $(B)/tests/tools/liblinear.a))
$(CACHES_LINEAR): | $(B)/bin/tern-sim-checked $(B)/fw/tern-fw.elf
TESTS_system += $(CACHES_LINEAR)

HISTORY ?= 120000
HISTORY_RTL ?= 1200
cache-histories: $(CACHES_LINEAR) ## histories of a cache with pauses, outages and kills, judged: HISTORY=120000 operations of 27 clients on soft, HISTORY_RTL=1200 of 3 on rtl, SEED=1
	@if TIER=soft $< $(HISTORY) 27 $(SEED) && TIER=rtl $< $(HISTORY_RTL) 3 $(SEED); \
	then echo "cache-histories: PASS: $(HISTORY) operations on soft, $(HISTORY_RTL) on rtl, seed $(SEED)"; \
	else echo "cache-histories: FAIL: seed $(SEED)"; exit 1; fi

TORN ?= 100000
torn-reads: $(B)/tests/system/driver_caches_torn ## gets of records that are half written: TORN=100000 on soft, SEED=1
	@TIER=soft $< $(TORN) $(SEED)

OUTAGE ?= 10000
OUTAGE_RTL ?= 400
cache-outage: $(B)/tests/system/driver_cache_outage ## gets of a cache whose server is dead and whose keeper is stopped: OUTAGE=10000 on soft, OUTAGE_RTL=400 on rtl
	@if TIER=soft $< $(OUTAGE) && TIER=rtl $< $(OUTAGE_RTL); \
	then echo "cache-outage: PASS: $(OUTAGE) gets on soft, $(OUTAGE_RTL) on rtl"; \
	else echo "cache-outage: FAIL"; exit 1; fi

.PHONY: cache-histories torn-reads cache-outage
