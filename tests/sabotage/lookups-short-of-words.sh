# SPDX-License-Identifier: Apache-2.0
#
# The firmware looks up what a packet does not say.
sh tests/sabotage/change.sh fw/app/lookup.c <<'EOF'
== TERN_INLINE_BYTES_MAX &&
<= TERN_INLINE_BYTES_MAX &&
EOF
