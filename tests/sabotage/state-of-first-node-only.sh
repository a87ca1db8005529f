# SPDX-License-Identifier: Apache-2.0
#
# The hash of the state leaves out all nodes but the first.
sh tests/sabotage/change.sh sim/state.c <<'XX'
digest.good && n < sim->nodes; n++)
digest.good && n < 1; n++)
XX
