# SPDX-License-Identifier: Apache-2.0
#
# A trace that ends in the middle counts as whole.
sh tests/sabotage/change.sh host-driver/tools/profile/trace.c <<'EOF'
    if (!get_byte(trace, &first))
    if (trace->count > 9 && trace->used == trace->filled) { record->end = true; return true; } if (!get_byte(trace, &first))
EOF
