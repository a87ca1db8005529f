# SPDX-License-Identifier: Apache-2.0
#
# A broadcast that failed does not say for whom.
sh tests/sabotage/change.sh host-driver/core/group/group.c <<'END'
completion->node = bad->node;
(void)bad->node;
END
