# SPDX-License-Identifier: Apache-2.0
#
# A wire that is to repeat packets does not.
sh tests/sabotage/change.sh sim/net/net.c <<'EOF'
if (fault_is(wire, TERN_FAULT_DUPLICATE))
if (0 && fault_is(wire, TERN_FAULT_DUPLICATE))
EOF
