# SPDX-License-Identifier: Apache-2.0
#
# Who has ended a broadcast is looked up when the link may be up again.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
return op->flags & OP_KILLED ?
return op->flags & 0 ?
EOF
