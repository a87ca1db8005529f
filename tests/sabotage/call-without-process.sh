# SPDX-License-Identifier: Apache-2.0
#
# A public call that no test with hosts of their own makes.
sh tests/sabotage/change.sh tests/system/calls/calls.c <<'EOF'
tern_last_error(device,
some_other_call(device,
EOF
