# SPDX-License-Identifier: Apache-2.0
#
# A broadcast is posted though the group is not open.
sh tests/sabotage/change.sh host-driver/core/group/group.c <<'END'
if (group->status)
if (group->status == -TERN_ST_AGAIN)
END
