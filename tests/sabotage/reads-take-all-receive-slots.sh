# SPDX-License-Identifier: Apache-2.0
#
# As many reads are served as the firmware has slots, which may be all receive slots.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
if (n != 0)
if (n + 1 != 0)
EOF
