# SPDX-License-Identifier: Apache-2.0
#
# No place is kept for the completion of a counter.
sh tests/sabotage/change.sh fw/app/counter.c <<'EOF'
fw_cq_reserve(&fw->queue[told]);
fw->queue[told].reserved++;
EOF
