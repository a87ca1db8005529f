#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The demo of caches, with few keys: clients of `tern cached` have all answers while the server is
# stopped, and clients of memcached have none. On the tier TIER.
set -u
. tests/system/demo/nics.sh
DEMO_PATIENCE_S=2 DEMO_TIMEOUT_S=120 TIER=$tier B=$B sh host-driver/tools/demo_cache.sh 60 > "$dir/demo.log" 2>&1
tap $? "gets and sets go on while the server of a cache is stopped, and memcached's wait"
grep -E -q '^ *server stopped: got, and right +0 +60$' "$dir/demo.log"
tap $? "the demo prints how many"
echo "1..$number"
[ $failed = 0 ]
