# SPDX-License-Identifier: Apache-2.0
# The module `tern` for Python: the only part of the tree for another language than C.

# For the interpreter of the system, whose headers pkg-config finds.  Without them there is no module.
PYTHON_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags python3 2> /dev/null))

TERN_PY := $(B)/python/tern.so
ifneq ($(PYTHON_CFLAGS),)
$(eval $(call c_shared,$(TERN_PY),$(addprefix host-driver/python/,calls.c device.c error.c lists.c module.c queues.c region.c request.c send.c table.c),\
    $(DRV_PUBLIC) $(PYTHON_CFLAGS) -fvisibility=hidden,$(LIBTERN_A) -Xlinker --exclude-libs=ALL))
ALL += $(TERN_PY)
INSTALLED += $(TERN_PY)
endif

# ---- tests; without the module they skip
TESTS_system += tests/system/python/module.sh
tests/system/python/module.sh: $(if $(PYTHON_CFLAGS),$(TERN_PY)) $(TERN_BIN) $(B)/bin/tern-sim $(B)/fw/tern-fw.elf

TESTS_system += tests/system/python/call_costs.sh
