# SPDX-License-Identifier: Apache-2.0
#
# The soft tier takes no notice of the link CRC.
sh tests/sabotage/change.sh sim/soft/link.c <<'EOF'
.whole = bytes == wanted && has == crc,
.whole = bytes == wanted,
EOF
