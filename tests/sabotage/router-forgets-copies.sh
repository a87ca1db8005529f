# SPDX-License-Identifier: Apache-2.0
#
# Copies of a broadcast whose outputs are not free at its first go are never given.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_inject.sv <<'EOS'
owed_q <= owed_q & ~grant_i;
owed_q <= '0;
EOS
