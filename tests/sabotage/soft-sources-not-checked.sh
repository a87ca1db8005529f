# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier packets may come from where no node is.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOS'
|| !from_inside(node, w)
|| (false && !from_inside(node, w))
EOS
