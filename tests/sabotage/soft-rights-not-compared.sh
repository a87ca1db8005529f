# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a region allows everything.
sh tests/sabotage/change.sh sim/soft/key.c <<'EOS'
if (check->right & ~TERN_GET(RGN, rights, entry))
if (false && check->right & ~TERN_GET(RGN, rights, entry))
EOS
