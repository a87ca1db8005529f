# SPDX-License-Identifier: Apache-2.0
#
# The soft tier takes an offset into what is read for an address.
sh tests/sabotage/change.sh sim/soft/tx.c <<'EOF'
.offset = is_reply(message) &&
.offset = !is_reply(message) &&
EOF
