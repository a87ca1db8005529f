# SPDX-License-Identifier: Apache-2.0
#
# A record is taken for that of any key with its hash.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
if (memcmp(at + RECORD_BYTES, key, key_bytes) != 0)
if (key_bytes > KEY_BYTES_MAX)
EOF
