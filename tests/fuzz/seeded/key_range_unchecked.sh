# SPDX-License-Identifier: Apache-2.0
#
# A missing bounds check: the key check looks whether a range begins in its region, not whether it ends there.
sh tests/sabotage/change.sh sim/soft/key.c <<'END'
    if (offset > length || check->bytes > length - offset || *host_address < base)
    if (offset > length || *host_address < base)
END
