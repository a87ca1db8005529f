# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a function may have memory of another one read.
sh tests/sabotage/change.sh sim/soft/key.c <<'EOS'
if (!check->any_function && grant->function != check->function)
if (!check->any_function && grant->function != check->function && false)
EOS
