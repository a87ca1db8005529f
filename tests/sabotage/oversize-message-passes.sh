# SPDX-License-Identifier: Apache-2.0
#
# A message may claim any size.
sh tests/sabotage/change.sh sim/host/client.c <<'EOF'
bytes <= sizeof client->header + VU_BODY_MAX
bytes > 0
EOF
