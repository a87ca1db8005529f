# SPDX-License-Identifier: Apache-2.0
#
# The hash of the state leaves out the last eighth of each node.
sh tests/sabotage/change.sh sim/state.c <<'XX'
EVP_DigestUpdate(digest->context, bytes, count)
EVP_DigestUpdate(digest->context, bytes, count - count / 8)
XX
