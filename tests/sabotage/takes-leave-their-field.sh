# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit lets a take change bits above its field.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
beat | (sum & mask)
beat | sum
EOF
