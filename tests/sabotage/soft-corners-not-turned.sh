# SPDX-License-Identifier: Apache-2.0
#
# Broadcasts of the soft tier go along one line and turn no corner.
sh tests/sabotage/change.sh sim/soft/link.c <<'EOS'
return owed | 1U << HERE | turns(node, route, dimension + 1);
return owed | 1U << HERE;
EOS
