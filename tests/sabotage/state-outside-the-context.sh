# SPDX-License-Identifier: Apache-2.0
#
# The firmware keeps a count that all its instances share.
sh tests/sabotage/change.sh fw/app/cq.c <<'EOF'
    return free > UINT16_MAX ? UINT16_MAX : (uint16_t)free;
    static uint32_t most; most = free > most ? free : most; return most > UINT16_MAX ? UINT16_MAX : (uint16_t)free;
EOF
