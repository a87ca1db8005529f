# SPDX-License-Identifier: Apache-2.0
#
# A counter that the firmware takes to zero tells nobody.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_ctr.sv <<'EOS'
writes && (is_deposit_q || is_take_q) && armed
writes && is_deposit_q && armed
EOS
