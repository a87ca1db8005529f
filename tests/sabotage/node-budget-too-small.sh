# SPDX-License-Identifier: Apache-2.0
#
# Makes the node's budget of block RAMs too small.
grep -q '^BUDGET(node, ' hw-model/budget.def
sed -i 's/^\(BUDGET(node, [-0-9]*, *[-0-9]*, *\)[0-9]*/\11/' hw-model/budget.def
