# SPDX-License-Identifier: Apache-2.0
#
# A region is released while what a lookup found there is on its way.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
.flags = OP_OWN | OP_SERVES,
.flags = TERN_F(EV, walked, event) ? OP_OWN : OP_OWN | OP_SERVES,
EOF
