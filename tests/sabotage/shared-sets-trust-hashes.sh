# SPDX-License-Identifier: Apache-2.0
#
# A record whose hash is the key's is taken for the key's.
sh tests/sabotage/change.sh host-driver/data/table/table_shared.c <<'EOF'
    state.other_key = state.exists && !tern_record_is_key(record, c->key, c->key_bytes);
    state.other_key = false;
EOF
