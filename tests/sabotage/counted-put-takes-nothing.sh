# SPDX-License-Identifier: Apache-2.0
#
# The firmware takes nothing off the counter of an operation that has ended.
sh tests/sabotage/change.sh fw/app/op.c <<'EOS'
if (is_counted(slot))
if (0 && is_counted(slot))
EOS
