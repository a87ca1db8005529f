# SPDX-License-Identifier: Apache-2.0
#
# Memory files of rings are sealed against shrinking alone.
sh tests/sabotage/change.sh host-driver/core/device/shared.c <<'EOF'
F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL
F_SEAL_SHRINK
EOF
