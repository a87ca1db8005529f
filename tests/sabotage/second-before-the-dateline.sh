# SPDX-License-Identifier: Apache-2.0
#
# Packets begin in the second channel though they have a dateline before them.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_inject.sv <<'EOS'
plain && ^low && (turn & crosses) == '0;
plain && ^low;
EOS
