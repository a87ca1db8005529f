# SPDX-License-Identifier: Apache-2.0
#
# A queue may have its ring in memory of another function.
sh tests/sabotage/change.sh fw/proto/check.c <<'EOS'
if (TERN_F(RGN, fn, rgn[6]) != fn)
if (0 && TERN_F(RGN, fn, rgn[6]) != fn)
EOS
