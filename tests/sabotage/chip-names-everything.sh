# SPDX-License-Identifier: Apache-2.0
# The package of the chip takes in what the chip does not name.
sh tests/sabotage/change.sh hw-model/abi/named.sh <<'XX'
if (!(name in named)) next
if (0) next
XX
