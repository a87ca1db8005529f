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
