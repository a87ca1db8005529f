# SPDX-License-Identifier: Apache-2.0
#
# A function may arm, and look at, the areas of another one.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
return exists(fw, id) && fw->area[id].fn == fn;
return exists(fw, id) && (fw->area[id].fn == fn || true);
EOS
