# SPDX-License-Identifier: Apache-2.0
#
# The origin's own copy is not waited for.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
b->members + self
b->members
EOF
