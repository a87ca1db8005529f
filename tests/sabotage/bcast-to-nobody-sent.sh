# SPDX-License-Identifier: Apache-2.0
#
# A broadcast that nobody gets is sent all the same.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
if (b.view.ports == 0 &&
if (0 &&
EOF
