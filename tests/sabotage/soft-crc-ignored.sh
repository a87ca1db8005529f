# SPDX-License-Identifier: Apache-2.0
#
# The soft tier takes packets whose end-to-end CRC is wrong.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOF'
    if (stomped || tern_wire_word(packet, bytes / 4 - 2) != soft_packet_crc(packet, bytes))
    if (stomped || tern_wire_word(packet, 0) == 0)
EOF
