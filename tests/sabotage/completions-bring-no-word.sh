# SPDX-License-Identifier: Apache-2.0
#
# Completions leave out the word of an answer.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_hwr.sv <<'EOF'
assign is_value  = result_q &&
assign is_value  = 1'b0 && result_q &&
EOF
