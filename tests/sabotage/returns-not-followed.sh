# SPDX-License-Identifier: Apache-2.0
#
# The profiler overlooks returns: every function stays below the one called before.
sh tests/sabotage/change.sh host-driver/tools/profile/calls.c <<'EOF'
if (calls->frame[i].known && calls->frame[i].back == pc) {
if (calls->frame[i].known && calls->frame[i].back == pc + 1) {
EOF
sh tests/sabotage/change.sh host-driver/tools/profile/calls.c <<'EOF'
            forget(calls);
            (void)forget;
EOF
