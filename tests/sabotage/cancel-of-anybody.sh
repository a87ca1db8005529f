# SPDX-License-Identifier: Apache-2.0
#
# Whoever knows a number cancels what the queue waits for.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOF'
return q->fn == fn ? TERN_ST_OK : TERN_ST_NOT_OWNER;
return q->fn == fn || fn != 0 ? TERN_ST_OK : TERN_ST_NOT_OWNER;
EOF
