# SPDX-License-Identifier: Apache-2.0
#
# Who begins to read a region that is to be released is let in.
sh tests/sabotage/change.sh fw/app/region.c <<'EOF'
key_entry_deny(index, TERN_RIGHT_REMOTE_READ);
key_entry_deny(index, 0);
EOF
