# SPDX-License-Identifier: Apache-2.0
#
# The watchdog hardly ever waits for a debugger.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_mmio.sv <<'EOF'
(!dbg_stopped_i ||
(!(dbg_stopped_i && wdog_q[31]) ||
EOF
