# SPDX-License-Identifier: Apache-2.0
#
# A mesh has links from the last node of a row to the first.
sh tests/sabotage/change.sh sim/net/torus.c <<'EOF'
if (torus->mesh && place ==
if (place > side && place ==
EOF
