# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a key opens whatever stands at its index.
sh tests/sabotage/change.sh sim/soft/key.c <<'EOS'
TERN_F(RGN, tag, entry[TERN_RGN_tag_WORD]) == key >> 16;
(TERN_F(RGN, tag, entry[TERN_RGN_tag_WORD]) == key >> 16 || true);
EOS
