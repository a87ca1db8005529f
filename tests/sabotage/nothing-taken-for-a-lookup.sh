# SPDX-License-Identifier: Apache-2.0
#
# With a link down, no event at all starts a lookup.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
#define NO_UPPER (NO_EVENT << UPPER)
#define NO_UPPER NO_EVENT
EOF
