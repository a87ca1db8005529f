# SPDX-License-Identifier: Apache-2.0
#
# A remote get has bytes read that no other node may read.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ);
TERN_RIGHT_LOCAL_READ);
EOS
