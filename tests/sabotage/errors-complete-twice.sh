# SPDX-License-Identifier: Apache-2.0
#
# An operation that fails completes twice.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
        LOG(OP_ERROR, op->queue, status, op->node);
        fw_cq_write(fw, cq, &done);
EOF
