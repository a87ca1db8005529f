# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a member answers the last packet of a broadcast whatever became of the others.
sh tests/sabotage/change.sh sim/soft/writes.c <<'EOF'
ack.status = TERN_ST_PACKET_LOST;
ack.status = TERN_ST_OK;
EOF
