# SPDX-License-Identifier: Apache-2.0
#
# A read that finds no place holds back other packets until it does.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
> PATIENCE_TICKS ||
> UINT8_MAX ||
EOF
