# SPDX-License-Identifier: Apache-2.0
#
# The firmware goes by the packet type of what the atomic unit hands back.
sh tests/sabotage/change.sh fw/app/lookup.h <<'EOF'
TERN_F(EV, walked, event) ||
(TERN_F(EV, walked, event) && TERN_F(EV, pkttype, event) == 0) ||
EOF
