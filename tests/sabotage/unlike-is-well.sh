# SPDX-License-Identifier: Apache-2.0
#
# Of a chain, too, an atomic operation that changed nothing has ended well.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
frame) % 32 & 1 && unlike != 0
frame) % 32 & 1 && unlike == 1
EOF
