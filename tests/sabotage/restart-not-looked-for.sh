# SPDX-License-Identifier: Apache-2.0
#
# Who waits for a firmware that is gone waits on.
sh tests/sabotage/change.sh host-driver/core/device/wait.c <<'EOF'
        incarnation != device->incarnation)
        incarnation < device->incarnation)
EOF
