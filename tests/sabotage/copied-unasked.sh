# SPDX-License-Identifier: Apache-2.0
#
# READ packets are copied though the firmware has named no slot for them.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
assign caught      = armed_q && !due_q &&
assign caught      = !due_q &&
EOF
