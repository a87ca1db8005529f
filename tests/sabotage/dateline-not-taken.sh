# SPDX-License-Identifier: Apache-2.0
#
# In the model of the torus a packet keeps its channel across the dateline.
sh tests/sabotage/change.sh hw-model/formal/torus.pml <<'EOF'
vc = (WRAPS(n, o) -> 1 : vc);
vc = (WRAPS(n, o) -> vc : vc);
EOF
