# SPDX-License-Identifier: Apache-2.0
#
# Records that were read beforehand are taken for good whatever was pushed meanwhile.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
return ((map ^ pop->hint) & ~map_bits) == 0 && (pop->got & ~pop->guess) == 0;
(void)map; return (pop->got & ~pop->guess) == 0;
EOF
