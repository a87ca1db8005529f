# SPDX-License-Identifier: Apache-2.0
#
# A record does not lead on to those that were in its bucket.
sh tests/sabotage/change.sh host-driver/data/table/table_shared.c <<'END'
    TERN_SET(REC, next, record, any_generation(state->link));
    TERN_SET(REC, next, record, any_generation(state->link) & 0);
END
