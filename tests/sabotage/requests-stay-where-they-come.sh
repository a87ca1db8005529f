# SPDX-License-Identifier: Apache-2.0
#
# A node takes a request to send and does not copy it on.
sh tests/sabotage/change.sh sim/soft/link.c <<'EOS'
return owed | 1U << HERE | turns(node, route, dimension + 1);
return route->vn == TERN_VN_REQUEST ? 1U << HERE : owed | 1U << HERE | turns(node, route, dimension + 1);
EOS
