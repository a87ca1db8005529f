# SPDX-License-Identifier: Apache-2.0
#
# Whoever knows of an area may check in.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
if (c->pass != area->pass)
if (false && c->pass != area->pass)
EOS
