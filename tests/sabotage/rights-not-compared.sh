# SPDX-License-Identifier: Apache-2.0
#
# A region allows everything.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_key.sv <<'EOS'
rights_ok_q <= (right & 
rights_ok_q <= (8'd0 & right & 
EOS
