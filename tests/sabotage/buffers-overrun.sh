# SPDX-License-Identifier: Apache-2.0
#
# A message longer than its buffer is copied there.
sh tests/sabotage/change.sh host-driver/core/pair/inbox.c <<'EOF'
out->length > letter->bytes
out->length > (letter->bytes | 1u << 20)
EOF
