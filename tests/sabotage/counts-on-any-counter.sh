# SPDX-License-Identifier: Apache-2.0
#
# An operation may count on another function's counter.
sh tests/sabotage/change.sh fw/app/op.c <<'EOS'
!is_counted(slot) || fw_counter_is_of
true || !is_counted(slot) || fw_counter_is_of
EOS
