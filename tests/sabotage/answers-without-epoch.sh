# SPDX-License-Identifier: Apache-2.0
#
# Answers do not say which request they are of.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
TERN_V(ANS, epoch, epoch) | TERN_V(ANS, refusal, status);
TERN_V(ANS, epoch, epoch & 0) | TERN_V(ANS, refusal, status);
EOS
