# SPDX-License-Identifier: Apache-2.0
#
# The simulator leaves an instruction out of the trace now and then.
sh tests/sabotage/change.sh sim/retire.c <<'EOF'
    uint64_t step = cycle + 1 - retire->cycle;
    uint64_t step = cycle + 1 - retire->cycle; if (cycle % 9973 == 0) return;
EOF
