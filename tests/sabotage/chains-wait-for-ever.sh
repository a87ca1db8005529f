# SPDX-License-Identifier: Apache-2.0
#
# A step may wait for what may never come.
sh tests/sabotage/change.sh fw/app/area.c <<'EOF'
return area->epoch == epoch && area->limit != 0;
return area->epoch == epoch || area->limit == 0;
EOF
