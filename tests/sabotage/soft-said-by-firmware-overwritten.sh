# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a host writes over what the firmware says of its function.
sh tests/sabotage/change.sh sim/soft/bar.c <<'EOF'
high_half(access) && access->address == TERN_REG_AQ_BASE_LO
high_half(access)
EOF
