# SPDX-License-Identifier: Apache-2.0
#
# Who wants a lock has it, and minds nobody else who has it.
sh tests/sabotage/change.sh host-driver/tools/lock.c <<'EOF'
holder == FREE
holder != t->id
EOF
sh tests/sabotage/change.sh host-driver/tools/lock.c <<'EOF'
if (holder != t->id)
if (holder == ~t->id)
EOF
