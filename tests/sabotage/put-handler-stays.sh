# SPDX-License-Identifier: Apache-2.0
#
# The firmware without put handler has one.
sh tests/sabotage/change.sh fw/app/desc.c <<'EOF'
[TERN_OP_PUT] = unknown,
[TERN_OP_PUT] = fw_put,
EOF
