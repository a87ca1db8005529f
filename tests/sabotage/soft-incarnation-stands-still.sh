# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a new life of the core has the number of the old one.
sh tests/sabotage/change.sh sim/soft/core.c <<'EOF'
    node->sys.incarnation++;
    node->sys.incarnation += 0;
EOF
