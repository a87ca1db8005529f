# SPDX-License-Identifier: Apache-2.0
#
# A walk raises its event for a firmware that did not ask for it.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
lost_q  <= busy_q && (lost_q || !core_up_i);
lost_q  <= 1'b0;
EOF
