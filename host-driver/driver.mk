# SPDX-License-Identifier: Apache-2.0
# The host driver: libtern, the `tern` command, the example, installation.

DRV_CORE := $(addprefix host-driver/core/, admin.c completion.c cqring.c device.c events.c \
              logtext.c memory.c names.c places.c post.c queue.c registers.c stats.c wait.c)
DRV_TRANSPORT := $(addprefix host-driver/transport/, client.c message.c stream.c)

# What each floor may see.
DRV_PUBLIC    := -Ihost-driver/include -Ihw-model/abi
DRV_TRANS_INC := -Ihw-model/abi -Ihost-driver/transport
DRV_CORE_INC  := $(DRV_PUBLIC) -Ihost-driver/transport -Ihost-driver/core

LIBTERN_A  := $(B)/lib/libtern.a
LIBTERN_SO := $(B)/lib/libtern.so

$(eval $(call c_objects,driver/core,$(DRV_CORE),$(DRV_CORE_INC)))
$(eval $(call c_objects,driver/transport,$(DRV_TRANSPORT),$(DRV_TRANS_INC)))
LIBTERN_OBJS := $(OBJS_driver/core) $(OBJS_driver/transport)

$(LIBTERN_A): $(LIBTERN_OBJS)
	$(call say,AR,$@) mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

$(LIBTERN_SO): $(LIBTERN_OBJS)
	$(call say,LD,$@) mkdir -p $(@D) && $(CC) $(LDFLAGS) -shared -Wl,-soname,libtern.so.0 -o $@ $^

driver: $(LIBTERN_A) $(LIBTERN_SO) ## the host driver library
ALL += $(LIBTERN_A) $(LIBTERN_SO)

.PHONY: driver

# ---- unit tests
DRV_TEST_INC := $(DRV_CORE_INC) -Itests/unit/driver
$(eval $(call c_program,$(B)/tests/unit/driver_rings,tests/unit/driver/driver_rings.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
$(eval $(call c_program,$(B)/tests/unit/driver_client,tests/unit/driver/driver_client.c tests/unit/driver/fake_nic.c,$(DRV_TEST_INC),$(LIBTERN_A) $(CMOCKA_LIBS)))
TESTS_unit += $(B)/tests/unit/driver_rings $(B)/tests/unit/driver_client
