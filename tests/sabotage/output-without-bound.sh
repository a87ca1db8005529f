# SPDX-License-Identifier: Apache-2.0
#
# A client that does not read is kept for ever.
sh tests/sabotage/change.sh sim/host/client.c <<'EOF'
client->out_bytes + bytes > TERN_CLIENT_OUTPUT_BYTES
client->out_bytes + bytes == 0
EOF
