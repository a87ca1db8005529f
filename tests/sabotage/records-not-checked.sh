# SPDX-License-Identifier: Apache-2.0
#
# Checksums of records are not looked at.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
record_crc(header, at, (size_t)all) != TERN_GET(REC, crc, header)
record_crc(header, at, (size_t)all) == 1
EOF
