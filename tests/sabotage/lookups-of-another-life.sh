# SPDX-License-Identifier: Apache-2.0
#
# The firmware serves lookups that are meant for an earlier life of the node.
sh tests/sabotage/change.sh fw/app/lookup.c <<'EOF'
if (fw_recv_is_stale(fw, from))
if (false && fw_recv_is_stale(fw, from))
EOF
