# SPDX-License-Identifier: Apache-2.0
#
# The firmware sends operands of any length.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
return (frame & mask) ==
return true || (frame & mask) ==
EOF
