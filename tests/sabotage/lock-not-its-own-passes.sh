# SPDX-License-Identifier: Apache-2.0
#
# Who gives a lock back does not look whether it was its own.
sh tests/sabotage/change.sh host-driver/tools/lock.c <<'EOF'
holder != t->id
holder == ~t->id
EOF
