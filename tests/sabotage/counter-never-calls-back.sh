# SPDX-License-Identifier: Apache-2.0
#
# A counter at zero writes no completion.
sh tests/sabotage/change.sh fw/app/counter.c <<'EOS'
if (cq == NOBODY || ctr_get(counter) != 0)
if (cq != NOBODY || ctr_get(counter) != 0)
EOS
