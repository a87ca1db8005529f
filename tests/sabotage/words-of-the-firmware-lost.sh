# SPDX-License-Identifier: Apache-2.0
#
# A completion that the firmware writes has no word in it.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
.value = status == TERN_ST_OK || status == TERN_ST_UNLIKE ? op_result(slot, frame) : 0,
.value = 0,
EOF
