# SPDX-License-Identifier: Apache-2.0
#
# The completion of an operation names the neighbour of the node that it went to.
sh tests/sabotage/change.sh fw/app/op.c <<'EOS'
.node = op_node(slot),
.node = op_node(slot) ^ 1,
EOS
