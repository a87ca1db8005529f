# SPDX-License-Identifier: Apache-2.0
#
# The protocol of memcached takes a key of any length.
sh tests/sabotage/change.sh host-driver/tools/cached/protocol.c <<'EOF'
    if (r->words <= word || r->word[word].length > PROTO_KEY_MAX)
    if (r->words <= word)
EOF
