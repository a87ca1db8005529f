#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# memcaslap sets and gets at two front ends of one cache, LOAD operations, and verifies each value.  On the tier TIER.
set -u
. tests/system/demo/nics.sh
first=$((20000 + $$ % 20000)) second=$((first + 1))
served='' front=''

end_others() {
    for one in "$served" "$front"; do
        [ -z "$one" ] || kill "$one" 2> /dev/null
    done
}

ready() {
    for _ in $(seq 600); do
        grep -q '^ready' "$dir/$1.log" && return
        sleep 0.05
    done
    return 1
}

start_sim --torus 2x1x1
"$tern" cached sim:0 --serve 64m --lease 20000 --port "$first" > "$dir/served.log" 2>&1 &
served=$!
ready served
"$tern" cached sim:1 --at 0 --port "$second" > "$dir/front.log" 2>&1 &
front=$!
ready front
memcaslap -s "127.0.0.1:$first,127.0.0.1:$second" -x "${LOAD:-100000}" -T 1 -c 8 -v 1 > "$dir/load.log" 2>&1 &&
    [ "$(sed -n 's/^\(get_misses\|verify_misses\|verify_failed\): //p' "$dir/load.log" | tr -d '\n')" = 000 ]
tap $? "memcaslap verifies each value of ${LOAD:-100000} operations"
sed -n 's/^\(cmd_get\|cmd_set\|get_misses\|verify_misses\|verify_failed\|Run time.*\)/# &/p' "$dir/load.log"
echo "1..$number"
[ $failed = 0 ]
