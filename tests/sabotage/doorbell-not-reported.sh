# SPDX-License-Identifier: Apache-2.0
#
# A bad doorbell is forgotten.
sh tests/sabotage/change.sh fw/app/loop.c <<'EOF'
fw_fn_error(fw, fn, queue, status);
(void)status;
EOF
