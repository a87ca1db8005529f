# SPDX-License-Identifier: Apache-2.0
#
# The soft tier tells a core of packets that its predecessor had.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
if (atomic->slot >= SOFT_RX_SLOTS) {
if (atomic->slot > SOFT_RX_SLOTS) {
EOF
