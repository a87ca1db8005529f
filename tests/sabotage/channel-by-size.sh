# SPDX-License-Identifier: Apache-2.0
#
# Which of the two channels a packet takes depends on its size: packets of a pair overtake each other.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_inject.sv <<'EOS'
plain && ^low && (
plain && way_data[tern_abi_pkg::PKT_WORDS_LSB] && (
EOS
