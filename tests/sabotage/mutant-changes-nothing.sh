# SPDX-License-Identifier: Apache-2.0
#
# A fault put into the core is none.
sh tests/sabotage/change.sh tests/core/mutants/mutants.def <<'EOT'
"a_i ^ b_i", 1
"b_i | a_i", 1
EOT
