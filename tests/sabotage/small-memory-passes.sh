# SPDX-License-Identifier: Apache-2.0
#
# Members are asked at their first byte.
sh tests/sabotage/change.sh host-driver/core/group/group.c <<'END'
to.w, group->bytes - 1);
to.w, 0);
END
