# SPDX-License-Identifier: Apache-2.0
#
# A message nobody knows is taken for served.
sh tests/sabotage/change.sh sim/host/requests.c <<'EOF'
return ENOTSUP;
return 0;
EOF
