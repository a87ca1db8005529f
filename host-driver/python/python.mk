# SPDX-License-Identifier: Apache-2.0
# The module `tern` for Python: the only part of the tree for another language than C.

# That of the system, whose headers pkg-config finds.  Without them there is no module.
PYTHON ?= $(or $(wildcard /usr/bin/python3),python3)
PYTHON_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags python3 2> /dev/null))

TERN_PY := $(B)/python/tern.so
ifneq ($(PYTHON_CFLAGS),)
$(eval $(call c_shared,$(TERN_PY),$(addprefix host-driver/python/,calls.c device.c error.c lists.c module.c queues.c region.c request.c send.c table.c),\
    $(DRV_PUBLIC) $(PYTHON_CFLAGS) -fvisibility=hidden,$(LIBTERN_A) -Xlinker --exclude-libs=ALL))
ALL += $(TERN_PY)
endif
