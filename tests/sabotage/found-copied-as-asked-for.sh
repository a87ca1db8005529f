# SPDX-License-Identifier: Apache-2.0
#
# What a lookup has found is copied as if it were a read.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
rx_copy(event | TERN_V(RXC, slot, slot));
rx_copy((event & ~TERN_V(EV, walked, 1)) | TERN_V(RXC, slot, slot));
EOF
