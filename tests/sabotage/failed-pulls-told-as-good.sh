# SPDX-License-Identifier: Apache-2.0
#
# Who asked for a put that failed hears that it has ended well.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
TERN_V(CHK, refusal, status)
TERN_V(CHK, refusal, 0)
EOS
