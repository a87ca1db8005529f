# SPDX-License-Identifier: Apache-2.0
#
# Every operation counts as concurrent to every other.
sh tests/sabotage/change.sh tests/tools/linear/word.c <<'EOS'
compared(a->time, b->time)
compared(a->response, b->response)
EOS
