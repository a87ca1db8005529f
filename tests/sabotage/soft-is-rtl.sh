# SPDX-License-Identifier: Apache-2.0
#
# The simulator takes no notice of the tier it is asked for.
sh tests/sabotage/change.sh sim/daemon/options.c <<'EOF'
        options->config.tier = TERN_TIER_SOFT;
        options->config.tier = TERN_TIER_RTL;
EOF
