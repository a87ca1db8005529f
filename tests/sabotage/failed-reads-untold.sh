# SPDX-License-Identifier: Apache-2.0
#
# Who asked for bytes that could not be sent is not told.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
if (status != TERN_ST_OK)
if (status > UINT8_MAX)
EOF
