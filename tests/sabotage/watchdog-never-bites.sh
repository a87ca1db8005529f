# SPDX-License-Identifier: Apache-2.0
#
# Nobody resets a core that hangs.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_boot.sv <<'EOF'
|| (wdog_bite_i && state_q == StRun);
|| (wdog_bite_i && state_q == StRun && core_hold_i);
EOF
