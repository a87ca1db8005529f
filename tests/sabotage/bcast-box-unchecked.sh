# SPDX-License-Identifier: Apache-2.0
#
# A broadcast goes to boxes that its origin is not in.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
if (verdict == BOX_ELSEWHERE ||
if (
EOF
