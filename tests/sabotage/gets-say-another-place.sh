# SPDX-License-Identifier: Apache-2.0
#
# What a remote get places has the index of the place behind it.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
TERN_SET(DESC, index, d, index);
TERN_SET(DESC, index, d, index + 1);
EOS
