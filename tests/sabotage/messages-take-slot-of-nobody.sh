# SPDX-License-Identifier: Apache-2.0
#
# A message takes a slot of the firmware's own when there is none.
sh tests/sabotage/change.sh fw/app/reply.c <<'EOF'
if (slot == 0)
if (false)
EOF
