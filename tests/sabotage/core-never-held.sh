# SPDX-License-Identifier: Apache-2.0
#
# The host cannot hold the core in reset.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_boot.sv <<'EOF'
assign again     = core_hold_i || wdog_bite_i;
assign again     = wdog_bite_i;
EOF
