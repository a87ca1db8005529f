# SPDX-License-Identifier: Apache-2.0
#
# The two commands on an empty machine.

DEBIAN ?= 12

clean-room: ## DEBIAN=12|13: demo and tests in a new chroot with a clone of HEAD; needs root
	@B=$(B) sh tests/cleanroom/cleanroom.sh $(DEBIAN)

clean-room-verbs: ## the same with demo-verbs, with the time from the clone to the end of it
	@B=$(B) CLEANROOM_CMDS='make demo-verbs' sh tests/cleanroom/cleanroom.sh $(DEBIAN)

.PHONY: clean-room clean-room-verbs
