# SPDX-License-Identifier: Apache-2.0
#
# The soft tier answers the bytes of a read to the node that sent them.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOF'
write->reply = TERN_GET(PKT, type, w) == TERN_PTYPE_REPLY;
write->reply = false;
EOF
