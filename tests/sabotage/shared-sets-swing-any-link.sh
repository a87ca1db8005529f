# SPDX-License-Identifier: Apache-2.0
#
# The bucket's link becomes that to the new record, whatever it was.
sh tests/sabotage/change.sh host-driver/data/table/table_shared.c <<'END'
        status = tern_compare_swap(sq, at, state->link, link, 0, SWING);
        status = tern_swap(sq, at, link, 0, SWING);
END
