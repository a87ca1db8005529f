# SPDX-License-Identifier: Apache-2.0
#
# The core loses a cycle behind every load and store.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core.sv <<'EOF'
assign start = ex_valid_q && wb_clear &&
assign start = ex_valid_q && !wb_mem_q &&
EOF
