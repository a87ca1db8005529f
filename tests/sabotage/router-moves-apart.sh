# SPDX-License-Identifier: Apache-2.0
#
# A beat leaves through one output of a broadcast while another is not ready.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_router.sv <<'EOS'
(own_has & ~o_ready) == '0;
(own_has & o_ready) != '0;
EOS
