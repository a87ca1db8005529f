# SPDX-License-Identifier: Apache-2.0
#
# A control word pushes between the beats of packets every 16 cycles, owed or not.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_ctl.sv <<'EOS'
age_q == '1 ||
age_q >= 6'd15 ||
EOS
