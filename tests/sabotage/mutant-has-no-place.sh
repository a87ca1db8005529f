# SPDX-License-Identifier: Apache-2.0
#
# The core changes where a fault is to be put into it.
sh tests/sabotage/change.sh hw-model/rtl/core/tern_core_alu.sv <<'EOT'
a_i | b_i
b_i | a_i
EOT
