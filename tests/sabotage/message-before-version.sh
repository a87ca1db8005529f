# SPDX-License-Identifier: Apache-2.0
#
# A client need not say hello.
sh tests/sabotage/change.sh sim/host/requests.c <<'EOF'
if (!client->versioned)
if (client->closing)
EOF
