# SPDX-License-Identifier: Apache-2.0
#
# What a remote get places has the index of the place behind it.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
d[TERN_DESC_index_WORD] = TERN_V(DESC, index, index);
d[TERN_DESC_index_WORD] = TERN_V(DESC, index, index + 1);
EOS
