# SPDX-License-Identifier: Apache-2.0
#
# When all generations have been used the next is that of no link.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
generation == GENERATION_MAX ? 1 :
generation == GENERATION_MAX ? 0 :
EOF
