# SPDX-License-Identifier: Apache-2.0
#
# An operation that fails completes twice.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
        fail(fw, slot, &done, sent);
        fail(fw, slot, &done, sent), fw_cq_write(fw, fw->queue[queue].cq, &done);
EOF
