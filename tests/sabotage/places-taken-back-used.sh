# SPDX-License-Identifier: Apache-2.0
#
# Places of an inbox that its host has taken back are used.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOF'
fw->queue[rq].room = 0;
fw->queue[rq].room += 0;
EOF
