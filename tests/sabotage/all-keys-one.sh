# SPDX-License-Identifier: Apache-2.0
#
# A region gets the first free place, whatever key was wanted.
sh tests/sabotage/change.sh fw/app/region.c <<'END'
wanted != TERN_KEY_NONE ? wanted : new_key(fw);
new_key(fw);
END
