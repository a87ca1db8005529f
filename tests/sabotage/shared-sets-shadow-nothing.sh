# SPDX-License-Identifier: Apache-2.0
#
# Who remembers the place of a record that was replaced is not told.
sh tests/sabotage/change.sh host-driver/data/table/table_shared.c <<'END'
        .swap = generation_word(TAKEN_OUT),
        .swap = generation_word(0),
END
