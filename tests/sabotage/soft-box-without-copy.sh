# SPDX-License-Identifier: Apache-2.0
#
# A node that passes a broadcast on keeps no copy.
sh tests/sabotage/change.sh sim/soft/link.c <<'EOF'
return owed | 1U << HERE | turns
return owed | (owed != 0 ? 0 : 1U << HERE) | turns
EOF
