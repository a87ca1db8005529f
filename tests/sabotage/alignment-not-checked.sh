# SPDX-License-Identifier: Apache-2.0
#
# A ring may begin anywhere.
sh tests/sabotage/change.sh fw/proto/check.c <<'EOF'
if (base % TERN_RING_ALIGN != 0)
if (base % 8 != 0)
EOF
