# SPDX-License-Identifier: Apache-2.0
#
# In the model of the torus packets begin in the second channel though they have a dateline before them.
sh tests/sabotage/change.sh hw-model/formal/torus.pml <<'EOS'
#define CROSSES(here, there, side) (
#define CROSSES(here, there, side) (0 &&
EOS
