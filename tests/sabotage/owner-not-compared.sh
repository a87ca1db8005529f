# SPDX-License-Identifier: Apache-2.0
#
# A function may have memory of another one read.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_key.sv <<'EOS'
owner_ok_q  <= fn_any ||
owner_ok_q  <= 1'b1 ||
EOS
