# SPDX-License-Identifier: Apache-2.0
#
# A member may be named twice.
sh tests/sabotage/change.sh host-driver/core/group/box.c <<'END'
return -TERN_ST_DUP_MEMBER;
continue;
END
