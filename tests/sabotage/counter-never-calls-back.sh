# SPDX-License-Identifier: Apache-2.0
#
# A counter at zero writes no completion.
sh tests/sabotage/change.sh fw/app/counter.c <<'EOS'
|| cq == NOBODY || ctr_get(counter) != 0)
|| cq != NOBODY || ctr_get(counter) != 0)
EOS
