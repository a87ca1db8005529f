# SPDX-License-Identifier: Apache-2.0
#
# The library takes any number for the seconds that a NIC has.
sh tests/sabotage/change.sh host-driver/core/device/wait.c <<'EOF'
if (!text || *end || seconds < 1 || seconds > PATIENCE_MAX_S)
if (!text)
EOF
