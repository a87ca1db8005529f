# SPDX-License-Identifier: Apache-2.0
#
# A read that found no place at its target is not sent again.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
status == TERN_ST_RNR && is_read(slot)
status > UINT8_MAX && is_read(slot)
EOF
