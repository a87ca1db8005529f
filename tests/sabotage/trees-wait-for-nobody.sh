# SPDX-License-Identifier: Apache-2.0
#
# A node answers for those behind it before they have.
sh tests/sabotage/change.sh fw/app/tree.c <<'EOS'
.asked = (uint8_t)(place.children | TREE_SELF),
.asked = TREE_SELF,
EOS
