# SPDX-License-Identifier: Apache-2.0
#
# The firmware sends an atomic operation that wants no answer.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
flags &= ~(uint32_t)TERN_DFLAG_UNACKED;
flags &= ~(uint32_t)0;
EOF
