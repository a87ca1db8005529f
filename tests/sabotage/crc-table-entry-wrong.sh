# SPDX-License-Identifier: Apache-2.0
#
# One value of one CRC table has one bit wrong.
sh tests/sabotage/change.sh hw-model/rtl/abi/tern_abi_pkg.sv <<'XX'
32'h423b04da, 32'hb0779fd,
32'h423b04db, 32'hb0779fd,
XX
