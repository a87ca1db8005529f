# SPDX-License-Identifier: Apache-2.0
# A mutant that the proof does not notice counts as refused.
sh tests/sabotage/change.sh tests/proofs/proofs.sh <<'EOF'
    [ $status = 10 ] && ! grep
    ! grep
EOF
