# SPDX-License-Identifier: Apache-2.0
#
# A check-in of an earlier epoch counts.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
if (epoch_ahead(c->epoch, area->epoch) < 0)
if (0 && epoch_ahead(c->epoch, area->epoch) < 0)
EOS
