# SPDX-License-Identifier: Apache-2.0
#
# A node says that all bytes have come as soon as all have room.
sh tests/sabotage/change.sh fw/app/tree.c <<'EOS'
.owed = (uint8_t)(place.children | (wanted->is_member ? TREE_SELF : 0)),
.owed = 0,
EOS
