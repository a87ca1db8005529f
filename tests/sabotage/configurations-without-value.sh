# SPDX-License-Identifier: Apache-2.0
#
# Where a search has been does not depend on what the word held there.
sh tests/sabotage/change.sh tests/tools/linear/search.c <<'EOS'
search->key[KEY_HELD] = search->held;
search->key[KEY_HELD] = 0;
EOS
