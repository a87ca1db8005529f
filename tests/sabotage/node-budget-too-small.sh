# SPDX-License-Identifier: Apache-2.0
#
# The node has outgrown its budget.
grep -q '^BUDGET(node, ' hw-model/budget.def
sed -i 's/^BUDGET(node, [0-9]*/BUDGET(node, 1/' hw-model/budget.def
