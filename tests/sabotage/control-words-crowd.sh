# SPDX-License-Identifier: Apache-2.0
#
# A control word pushes between the beats of packets every 4 cycles, owed or not.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_ctl.sv <<'EOS'
(due_q && any_q);
(age_q == '1);
EOS
