# SPDX-License-Identifier: Apache-2.0
#
# That nodes were too many is put down to the node that asked.
sh tests/sabotage/change.sh fw/proto/done.c <<'EOF'
case TERN_ST_TOO_FAR:
case TERN_ST_PACKET_LOST + 100:
EOF
