# SPDX-License-Identifier: Apache-2.0
#
# The firmware serves reads that do not say where the bytes go.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
== TERN_READ_BYTES ? TERN_ST_OK
<= TERN_INLINE_BYTES_MAX ? TERN_ST_OK
EOF
