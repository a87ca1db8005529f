# SPDX-License-Identifier: Apache-2.0
#
# The two commands on an empty machine.

DEBIAN ?= 12

clean-room: ## DEBIAN=12|13: demo and tests in a new chroot with a clone of HEAD; needs root
	@B=$(B) sh tests/cleanroom/cleanroom.sh $(DEBIAN)

.PHONY: clean-room
