# SPDX-License-Identifier: Apache-2.0
#
# The firmware serves lookups that want more than a packet holds, or nothing.
sh tests/sabotage/change.sh fw/app/lookup.c <<'EOF'
TERN_F(LKP, length, word) - 1 < fw->id.payload_max
TERN_F(LKP, length, word) - 1 < UINT32_MAX
EOF
