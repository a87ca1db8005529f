# SPDX-License-Identifier: Apache-2.0
#
# No link crosses the dateline: packets stay in the first channel all round a ring.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_router.sv <<'EOS'
wrap[o] <= node_i
wrap[o] <= 1'b0 && node_i
EOS
