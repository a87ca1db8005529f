# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier the origin gets no copy.
sh tests/sabotage/change.sh sim/soft/tx.c <<'EOF'
vn, TERN_F(TXC, self, message->command));
vn, false);
EOF
